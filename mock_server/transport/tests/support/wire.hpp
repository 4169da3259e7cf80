#pragma once

// Helpers of the tests over sockets: sending in two parts, and checks of every response.

#include "mock_server/transport/tests/support/client.hpp"
#include "spec/http/response_parser.hpp"
#include "spec/http/tests/wire_cases.hpp"
#include "spec/tests/paths.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace mock_server::transport::testing {

using Lines = std::vector<std::string>;

// The bytes in two parts that arrive as two.
void send_split(Client& client, std::string_view bytes, std::size_t split);

// "open", "closed", "reset".
std::string name_of(Connection state);

// A line for each thing that every response of the transport must have and this one has not: a good
// Date, a CORS field, no slip.
void check_common_fields(const spec::http::ResponseRecord& record, Lines& lines);

// One test of class Case for every case of the folder (from the root of the source tree).
template <typename Case>
bool register_cases(const char* suite, const std::string& folder) {
  for (const auto& wire_case :
       spec::http::wire_cases::read_wire_cases(test_paths::source() + "/" + folder)) {
    ::testing::RegisterTest(suite, spec::http::wire_cases::slug(wire_case.name).c_str(), nullptr,
                            nullptr, __FILE__, __LINE__,
                            [wire_case]() -> ::testing::Test* { return new Case(wire_case); });
  }
  return true;
}

}  // namespace mock_server::transport::testing
