#pragma once

// The path prefixes of the servers, and the operations that each of them serves.

#include "spec/document/document.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace spec::contract::loading {

class ServerPrefixes {
 public:
  // Serves `operation` behind the path of each URL in a `servers` list, without a trailing "/":
  // with the variables at their defaults and, as far as they are not too many, at every other value
  // of their `enum`. A relative URL is taken relative to the top of the host that serves the
  // document. Source: OpenAPI 3.1.0 §4.8.5, §4.8.6.
  void add(std::uint32_t operation, const document::Node& servers);

  // Each prefix ("/v1/eu", never "") with its operations in the order in which they were added.
  const std::map<std::string, std::vector<std::uint32_t>>& operations() const {
    return operations_;
  }

 private:
  std::map<std::string, std::vector<std::uint32_t>> operations_;
  // What was read of a list, which most operations share.
  std::vector<std::pair<document::Node, std::vector<std::string>>> known_;

  const std::vector<std::string>& prefixes_of(const document::Node& servers);
};

}  // namespace spec::contract::loading
