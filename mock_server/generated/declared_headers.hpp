#pragma once

// The headers that a contract declares for a response: examples, values of the form that HTTP
// fixes (header_table.hpp), else generated ones. Pure functions.

#include "spec/contract/contract.hpp"
#include "spec/contract/write/generate.hpp"
#include "spec/http/message.hpp"
#include "spec/load_error.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::generated {

// The headers that a response of `contract` declares, and of the request the path, still encoded,
// which Location goes on from, and the methods that the path has, for Allow.
struct DeclaredHeaders {
  const spec::contract::Contract& contract;
  const spec::contract::Response& response;
  std::string_view path = {};
  bool examples_as_written = false;  // also those that are not valid
  std::string_view allow = {};
};

// Adds each header that is declared and not in the response yet. Those that HTTP or its
// frameworks give a meaning of their own (Content-*, CORS and so on) only where the contract has an
// example or requires them; Location also where something was created or moved. Cookies have no
// attribute that browsers reject, and a redirect does not lead back. The status and the body are
// set. Gives the names of those whose example is not valid, so that a generated value was added.
std::vector<std::string> add_declared_headers(
    const spec::schema::generate::Generator& generator, const DeclaredHeaders& declared,
    const spec::schema::generate::GenerateOptions& options, spec::http::Response& response);

enum class NotAsDeclared : std::uint8_t { kAll, kMissed };

// The declared headers of responses that are not sent as their examples say, or of these the ones
// that are required and left out, each once, at its place and with the reason.
std::vector<spec::Problem> headers_not_as_declared(const spec::contract::Contract& contract,
                                                   NotAsDeclared which);

}  // namespace mock_server::generated
