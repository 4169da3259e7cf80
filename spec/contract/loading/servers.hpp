#pragma once

// The path prefixes under which a contract's servers answer.

#include "spec/document/document.hpp"

#include <string>
#include <vector>

namespace spec::contract::loading {

class ServerPrefixes {
 public:
  // Adds the path of each URL in a `servers` list, variables at their defaults, without a trailing
  // "/". Source: OpenAPI 3.1.0 §4.8.5.
  void add(const document::Node& servers);

  // "/v1/eu", "/v1": longest first, each once, never "".
  std::vector<std::string> take();

 private:
  std::vector<std::string> prefixes_;
};

}  // namespace spec::contract::loading
