#pragma once

// The service's settings from the program: flags, and the observers of each request.

#include "mock_server/control/control_api.hpp"
#include "mock_server/reply/reply.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::service {

// The data of a log line. Views live during the call only.
struct LogLine {
  std::string_view method;
  std::string_view target;
  int status = 0;
  std::string_view operation;
  std::string_view session;
  std::chrono::nanoseconds took{0};
  std::size_t violations = 0;
  std::string_view
      response_violation;    // the first violation of the response, in one line; "" for none
  bool is_control = false;   // a request to the control API
  std::string_view fault{};  // of the delivery, by name; "" for none
  bool is_item = false;      // of an exchange whose line was written when its response began
  bool undecided =
      false;  // `response_violation` is undecided, of request or response: no violation
  std::span<const std::string> warnings{};  // about the response
  std::string_view violation{};             // the first of the request's, in a line; "" for none
  std::string_view served_by{};             // where there is a real service
};

struct ServiceOptions {
  std::vector<std::string> tokens;  // accepted instead of the fixtures' credentials, if not empty
  std::string extra_token;  // accepted in addition to the fixtures' credentials; "" for none
  bool unknown_records_are_samples = false;
  bool examples_as_written = false;  // also those that violate their schemas
  bool strict_query = false;         // reject undeclared query parameters
  bool strict_preferences = false;   // reject preferred statuses that are not declared
  control::Settings control;
  std::function<void(const LogLine&)> log;  // called for each request; may be empty
  // Called for each exchange but preflights; may be empty.
  std::function<void(const reply::ObservedExchange&)> watch;
};

}  // namespace mock_server::service
