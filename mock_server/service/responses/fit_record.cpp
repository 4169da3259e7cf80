#include "mock_server/service/responses/fit_record.hpp"

#include "mock_server/fixtures/record_view.hpp"
#include "mock_server/reply/error_response.hpp"
#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/schema/validator/validate.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace mock_server::service::responses {
namespace {

using nlohmann::json;
using spec::schema::Verdict;
using spec::schema::Violation;

constexpr spec::schema::ValidateOptions kOptions{.direction = spec::schema::Direction::kResponse,
                                                 .max_steps = 100'000};

using Tokens = std::vector<std::string>;

// Extra members and nulls are for each response to leave out.
bool is_about_value(const Violation& violation, const json& record, const Tokens& tokens) {
  const json* const value = fixtures::walk(&record, tokens);
  return !violation.undecided && !tokens.empty() && value != nullptr && !value->is_null() &&
         violation.keyword != "additionalProperties" &&
         violation.keyword != "unevaluatedProperties";
}

// An object whose key was sent: the object with that key.
json with_key(const json& shown, const json& sent) {
  constexpr std::array<const char*, 7> kKeys{"id", "value", "uuid", "gid", "key", "slug", "name"};
  json whole = shown;
  if (shown.is_object() && sent.is_primitive()) {
    for (const char* const name : kKeys) {
      const auto own = whole.find(name);
      if (own != whole.end() && spec::json::type_of(*own) == spec::json::type_of(sent)) {
        *own = sent;
        break;
      }
    }
  }
  return whole;
}

// Elements are not taken out of arrays: the array is what does not fit.
Tokens nearest_member(const json& record, Tokens tokens) {
  while (tokens.size() > 1) {
    const json* const outer = fixtures::walk(&record, Tokens(tokens.begin(), tokens.end() - 1));
    if (outer != nullptr && outer->is_object()) {
      break;
    }
    tokens.pop_back();
  }
  return tokens;
}

void fit_member(const json& shown, const Tokens& tokens, bool is_replaced, json& record) {
  json* const outer = fixtures::walk(&record, Tokens(tokens.begin(), tokens.end() - 1));
  if (outer == nullptr || !outer->is_object() || !outer->contains(tokens.back())) {
    return;
  }
  const json* const value = is_replaced ? fixtures::walk(&shown, tokens) : nullptr;
  if (value == nullptr) {
    outer->erase(tokens.back());
  } else {
    json& own = (*outer)[tokens.back()];
    own = with_key(*value, own);
  }
}

json shown_before(const RequestContext& context, const RecordSource& source, const json* before,
                  std::string_view seed_text) {
  json shown = some_record(context, source, seed_for(context, seed_text));
  if (before != nullptr && before->is_object() && shown.is_object()) {
    shown.update(*before);
  }
  return shown;
}

}  // namespace

bool is_fit(const RequestContext& context, const RecordSource& source, const json& record) {
  const auto& schemas = context.api.contract.schemas();
  return std::ranges::none_of(source.schemas, [&](spec::schema::SchemaId id) {
    return spec::schema::check(schemas, id, record, kOptions) == Verdict::kInvalid;
  });
}

std::vector<std::string> fit_record(const RequestContext& context, const RecordSource& source,
                                    const json* before, std::string_view seed_text, json& record) {
  constexpr int kMaxRounds = 4;
  std::vector<std::string> pointers;
  json shown;
  for (int round = 0; round < kMaxRounds && !is_fit(context, source, record); ++round) {
    if (round == 0) {
      shown = shown_before(context, source, before, seed_text);
    }
    for (const auto id : source.schemas) {
      for (const Violation& violation :
           spec::schema::validate(context.api.contract.schemas(), id, record, kOptions)) {
        const auto tokens = spec::json::split_pointer(violation.instance);
        if (!tokens || !is_about_value(violation, record, *tokens)) {
          continue;
        }
        const bool is_secret = violation.keyword == "writeOnly";
        fit_member(shown, nearest_member(record, *tokens), round == 0 && !is_secret, record);
        if (!is_secret && std::ranges::find(pointers, violation.instance) == pointers.end()) {
          pointers.push_back(violation.instance);
        }
      }
    }
    if (shown.is_object()) {
      add_required(context.api.contract, source.schemas, shown, record);
    }
  }
  return pointers;
}

void warn_of_unfit(RequestContext& context, const std::vector<std::string>& pointers) {
  if (!pointers.empty()) {
    context.warnings.push_back(
        reply::header_text("not kept as sent, because the contract shows records otherwise: " +
                           spec::text::join(pointers)));
  }
}

}  // namespace mock_server::service::responses
