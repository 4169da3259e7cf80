#include "mock_server/api/response_template.hpp"

#include "mock_server/reply/json_response.hpp"
#include "mock_server/state/cells.hpp"
#include "spec/contract/stream_items.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"
#include "spec/text/random.hpp"

#include <algorithm>
#include <utility>

namespace mock_server::api {

namespace {

using nlohmann::json;
using Form = TemplateValue::Form;
using Making = TemplateValue::Kind;

// Takes the member, or the element, out.
void leave_out(const std::vector<std::string>& at, json& body) {
  if (at.empty()) {
    body = nullptr;
    return;
  }
  json& whole = *walk(&body, {at.begin(), at.end() - 1});
  if (whole.is_array()) {
    whole.erase(*spec::json::array_index(at.back()));
  } else {
    whole.erase(at.back());
  }
}

bool is_template_like(const json& body) {
  return body.is_object() && body.size() == 1 &&
         (body.begin().key() == kLiteral ||
          std::ranges::find(kTemplateWords, body.begin().key()) != kTemplateWords.end());
}

json time_in_form(Form form, state::TimePoint time) {
  constexpr std::size_t kDate = 10;
  const std::string text = state::to_text(time);
  switch (form) {
    case Form::kDate: return text.substr(0, kDate);
    case Form::kSeconds: return state::to_instant(time).seconds;
    case Form::kAsIs:
    case Form::kText: break;
  }
  return text;
}

// Counters have names that no collection has.
std::optional<std::uint64_t> next_of(state::Session& session, std::string_view counter) {
  return session.count_up(state::number_cell(":" + std::string(counter)), 0);
}

json draw(std::string_view what, std::uint64_t seed) {
  constexpr std::uint64_t kBound = 1'000'000'000;
  spec::text::Random random(seed);
  if (what == "integer") {
    return random.next_below(kBound);
  }
  std::string text = spec::text::random_uuid(random);
  if (what == "hex") {
    std::erase(text, '-');
  }
  return text;
}

}  // namespace

json as_literal(json body) {
  if (is_template_like(body)) {
    return {{std::string(kLiteral), std::move(body)}};
  }
  for (json& part : body) {
    if (part.is_structured()) {
      part = as_literal(std::move(part));
    }
  }
  return body;
}

void put_made(const TemplateValue& value, std::optional<json> made, json& body,
              spec::http::Headers& headers) {
  if (!value.header.empty()) {
    headers.remove(value.header);
    if (made) {
      headers.set(value.header, reply::header_text(plain_text(*made)));
    }
  } else if (made) {
    *walk(&body, value.at) = std::move(*made);
  } else {
    leave_out(value.at, body);
  }
}

json written_as(Form form, const json& made) {
  return form == Form::kText ? json(plain_text(made)) : made;
}

std::optional<json> make_value(const TemplateValue& value, const Scope& scope,
                               state::Session& session, std::uint64_t seed) {
  const Form form = value.form.value_or(Form::kAsIs);
  switch (value.kind) {
    case Making::kFrom: {
      const json* const found = find(value.from, scope);
      return found == nullptr ? std::nullopt : std::optional(written_as(form, *found));
    }
    case Making::kNow: return time_in_form(form, session.now() + value.later);
    case Making::kNext: return written_as(form, next_of(session, value.name).value_or(1));
    case Making::kRandom: {
      const std::uint64_t number = next_of(session, ":drawn").value_or(0);
      return written_as(form, draw(value.name, spec::text::derive(seed, number)));
    }
  }
  return std::nullopt;
}

std::string body_text(const ResponseTemplate& made, const json& body) {
  return made.items == nullptr
             ? spec::json::write(body)
             : spec::contract::write_items(*made.items,
                                           *spec::http::item_form(made.items->media_type), body);
}

void fill(const ResponseTemplate& made, const Scope& scope, state::Session& session,
          std::uint64_t seed, spec::http::Response& response) {
  json body = made.body;
  std::vector<std::optional<json>> values;
  for (const TemplateValue& value : made.values) {
    values.push_back(make_value(value, scope, session, seed));
  }
  // From the last one, so that what is left out moves none of the others.
  for (std::size_t index = values.size(); index-- > 0;) {
    put_made(made.values[index], std::move(values[index]), body, response.headers);
  }
  if (!response.body.empty()) {
    response.body = body_text(made, body);
  }
}

}  // namespace mock_server::api
