#include "contract_tests/parity/mock_calls.hpp"

#include "contract_tests/plan/request_plan.hpp"
#include "contract_tests/recorded/exchange.hpp"
#include "contract_tests/recorded/validation.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace contract_tests::parity {

using recorded::RecordedCalls;
using spec::contract::Operation;
using spec::har::Call;
using spec::http::Headers;

namespace {

constexpr int kUnauthorizedStatus = 401;
constexpr int kNotModified = 304;
constexpr const char* kWrongToken = "not_a_token_of_the_mock";

// Fields of a request that would steer the mock, or are the recording client's own.
constexpr std::array<std::string_view, 5> kOfClient{"Host", "Accept-Encoding", "Cookie", "Prefer",
                                                    "Expect"};

bool is_of_client(std::string_view field) {
  return std::ranges::any_of(kOfClient, [field](std::string_view other) {
    return spec::text::equals_ignoring_case(field, other);
  });
}

// A field that tells the mock what to do.
bool is_of_mock(std::string_view field) {
  constexpr std::string_view kPrefix = "X-Counterpart-";
  return spec::text::equals_ignoring_case(field.substr(0, kPrefix.size()), kPrefix);
}

// Recorded credentials are another server's. Where the service rejected them, or there were none
// and it asked for some, the mock gets none that are good either.
void set_credentials(const run::Settings& settings, const Operation& operation, const Call& call,
                     spec::http::Request& request) {
  const bool had_some = request.headers.has("Authorization");
  const bool rejected = call.response && call.response->status == kUnauthorizedStatus;
  request.headers.remove("Authorization");
  if (!operation.is_secured() || (rejected && !had_some)) {
    return;
  }
  plan::RequestPlan plan;
  if (rejected) {
    plan.authorization = std::string("Bearer ") + kWrongToken;
  }
  if (const auto built = plan::build_request(operation, plan, settings.names, "")) {
    for (const auto& [name, value] : built.value().headers.lines()) {
      if (!spec::text::equals_ignoring_case(name, "Accept") &&
          !spec::text::equals_ignoring_case(name, "Content-Type")) {
        request.headers.set(name, value);
      }
    }
  }
}

spec::http::Request request_to_mock(const run::Settings& settings, const Operation& operation,
                                    const Call& call) {
  auto request = call.request;
  Headers kept;
  for (const auto& [name, value] : request.headers.lines()) {
    if (!recorded::is_of_recorded_transfer(name) && !is_of_client(name) && !is_of_mock(name)) {
      recorded::add_lines(kept, name, value);
    }
  }
  request.headers = std::move(kept);
  request.target = settings.url.prefix + request.target;
  set_credentials(settings, operation, call, request);
  return request;
}

}  // namespace

Outcomes validate_mock(const run::Settings& settings, const RecordedCalls& chosen) {
  recorded::ResponseValidation validation(settings);
  Outcomes outcomes;
  for (std::size_t index = 0; index < chosen.calls.size(); ++index) {
    const auto& call = chosen.calls[index];
    const auto& item = chosen.plan.cases[index];
    if (!call.has_request_body) {
      outcomes[index] = {.verdict = run::Verdict::kInconclusive,
                         .reason = "the body of the request is not in the file"};
    } else if (call.response && call.response->status == kNotModified &&
               recorded::is_conditional(call.request.headers)) {
      outcomes[index] = {.reason = {"a conditional request, about what another server sent before",
                                    run::Reason::Kind::kNotAllowed}};
    } else {
      const auto& operation = *settings.contract.operation(item.operation);
      outcomes[index] = validation.validate(
          item, validation.sender().send_now(request_to_mock(settings, operation, call)), false);
    }
  }
  return outcomes;
}

}  // namespace contract_tests::parity
