#include "mock_server/service/responses/issued_token.hpp"

#include "mock_server/api/condition.hpp"
#include "mock_server/service/checks/authentication.hpp"
#include "mock_server/service/responses/session_records.hpp"
#include "mock_server/state/cells.hpp"
#include "spec/json/number.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/names.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

// Digits of a duration, "3600", as a number; else the value itself.
json number_of(const json& until) {
  const bool is_digits = until.is_string() && !until.get_ref<const std::string&>().empty() &&
                         std::ranges::all_of(until.get_ref<const std::string&>(),
                                             [](char c) { return c >= '0' && c <= '9'; });
  const auto number = is_digits ? spec::json::read(until.get_ref<const std::string&>()) : until;
  return number ? *number : until;
}

// What the client sent of itself, where the response has a member of that name: its user.
void say_who(const RequestContext& context, json& body) {
  const json* const sent = context.reading.body ? &*context.reading.body : nullptr;
  if (sent == nullptr || !sent->is_object() || !body.is_object()) {
    return;
  }
  std::vector<json*> objects{&body};
  for (json& member : body) {
    objects.push_back(member.is_object() ? &member : &body);
  }
  for (const auto& [name, value] : sent->items()) {
    for (json* const object : objects) {
      if (value.is_string() && object->contains(name)) {
        (*object)[name] = value;
      }
    }
  }
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
  const auto number = spec::json::to_int64(number_of(*until));
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

// The times beside a lifetime that say the same: "expires_at" beside "expires_in".
void say_end(state::TimePoint end, const std::vector<std::string>& token, json& body) {
  json* const object = api::walk(&body, {token.begin(), token.end() - 1});
  const json before = *object;
  for (const auto& [name, value] : before.items()) {
    if (spec::text::plain_name(name).starts_with("expir") && api::instant_of(&value)) {
      (*object)[name] = state::to_text(end);
    }
  }
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
  if (until != nullptr && !api::instant_of(until)) {
    say_end(state::TimePoint(state::TimePoint::duration(end)), issues->token, *body);
  }
  const std::string changed_token = token->get<std::string>();
  spec::http::Response changed = chosen.response;
  const std::string anonymous = spec::json::write(*body);
  say_who(context, *body);
  for (const std::string& text : {spec::json::write(*body), anonymous}) {
    changed.body = text;
    if (context.validate(changed)) {
      issued = changed_token;
      chosen = {std::move(changed), true};
      break;
    }
  }
  context.response_violations.clear();
  const std::string name = checks::issued_cell(issued);
  context.session->compare_and_set(name, context.session->read(name).version, std::to_string(end));
  return chosen;
}

}  // namespace mock_server::service::responses
