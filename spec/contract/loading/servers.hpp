#pragma once

// The path prefixes under which a contract's servers answer.

#include "spec/document/document.hpp"

#include <string>
#include <vector>

namespace spec::contract::loading {

class ServerPrefixes {
 public:
  // Adds the path of each URL in a `servers` list, without a trailing "/": with the variables at
  // their defaults and, as far as they are not too many, at every other value of their `enum`.
  // Source: OpenAPI 3.1.0 §4.8.5, §4.8.6.
  void add(const document::Node& servers);

  // "/v1/eu", "/v1": longest first, each once, never "".
  std::vector<std::string> take();

 private:
  void add_path(std::string prefix);

  std::vector<std::string> prefixes_;
};

}  // namespace spec::contract::loading
