#include "mock_server/service/responses/issued_token.hpp"

#include "mock_server/api/condition.hpp"
#include "mock_server/service/checks/authentication.hpp"
#include "mock_server/service/responses/session_records.hpp"
#include "mock_server/state/cells.hpp"
#include "spec/json/number.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/text/encoding.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>

namespace mock_server::service::responses {
namespace {

using nlohmann::json;

constexpr std::chrono::hours kLifetime{1};

// As the contract shows tokens: a JSON Web Token keeps what it says, "tok_..." its start.
std::string new_token(const RequestContext& context, const std::string& shown) {
  constexpr std::size_t kSize = 32;
  const std::size_t number = context.session->cells(state::kIssuedCells).size();
  std::mt19937_64 random(seed_for(context, "token#" + std::to_string(number)));
  const bool is_jwt = std::ranges::count(shown, '.') == 2;
  const std::size_t end = is_jwt ? shown.rfind('.') : shown.find_last_of("_-");
  const bool is_blank = shown.find(' ') != std::string::npos;
  std::string token =
      end == std::string::npos || is_blank ? std::string{} : shown.substr(0, end + 1);
  for (std::size_t i = 0; i < kSize; ++i) {
    token += spec::text::kHexDigits[random() % spec::text::kHexDigits.size()];
  }
  return token;
}

// The end of the token that the response states: seconds from now, or a time; one that is over is
// moved. 0 for none.
std::int64_t end_of(state::TimePoint now, json* until) {
  constexpr std::int64_t kFirstTime = 1'000'000'000;  // seconds since 1970
  constexpr std::int64_t kLastTime = 100'000'000'000;
  if (until == nullptr) {
    return 0;
  }
  const state::TimePoint later = now + kLifetime;
  const auto number = spec::json::to_int64(*until);
  if (number && *number < kFirstTime) {
    const std::chrono::seconds lasts(std::max<std::int64_t>(*number, 0));
    return (now + lasts).time_since_epoch().count();
  }
  if (number) {
    const state::TimePoint end{std::chrono::seconds(std::min(*number, kLastTime))};
    if (end <= now) {
      *until = std::chrono::duration_cast<std::chrono::seconds>(later.time_since_epoch()).count();
    }
    return std::max(end, later).time_since_epoch().count();
  }
  const auto stated = api::instant_of(until);
  if (stated && state::to_time(*stated) > now) {
    return state::to_time(*stated).time_since_epoch().count();
  }
  if (stated) {
    *until = state::to_text(later);
  }
  return later.time_since_epoch().count();
}

}  // namespace

ChosenResponse with_issued_token(RequestContext& context, ChosenResponse chosen) {
  const auto& issues = context.binding->issues;
  const bool is_success = chosen.response.status / 100 == 2;
  auto body = spec::json::read(issues && is_success ? std::string_view(chosen.response.body)
                                                    : std::string_view("null"));
  json* const token = issues && body ? api::walk(&*body, issues->token) : nullptr;
  if (token == nullptr || !token->is_string()) {
    return chosen;
  }
  std::string issued = token->get<std::string>();
  *token = new_token(context, issued);
  json* const until = issues->until.empty() ? nullptr : api::walk(&*body, issues->until);
  const std::int64_t end = end_of(context.session->now(), until);
  spec::http::Response changed = chosen.response;
  changed.body = spec::json::write(*body);
  if (context.validate(changed)) {
    issued = token->get<std::string>();
    chosen = {std::move(changed), true};
  }
  context.response_violations.clear();
  const std::string name = checks::issued_cell(issued);
  context.session->compare_and_set(name, context.session->read(name).version, std::to_string(end));
  return chosen;
}

}  // namespace mock_server::service::responses
