#include "mock_server/api/condition.hpp"

#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace mock_server::api {

namespace {

using Kind = Condition::Kind;

bool is_among(const nlohmann::json& value, const nlohmann::json& many) {
  if (many.is_object()) {
    return value.is_string() && many.contains(value.get_ref<const std::string&>());
  }
  return many.is_array() && std::ranges::any_of(many, [&](const nlohmann::json& element) {
           return spec::json::equal(element, value);
         });
}

bool is_after(const nlohmann::json& value, const nlohmann::json& other) {
  const auto left = instant_of(&value);
  const auto right = instant_of(&other);
  return left && right && *left > *right;
}

bool is_past(const nlohmann::json& value, state::TimePoint now, bool expected) {
  const auto instant = instant_of(&value);
  return instant && (*instant <= state::to_instant(now)) == expected;
}

bool contains(const nlohmann::json& value, const nlohmann::json& part) {
  return value.is_string() && part.is_string()
             ? value.get_ref<const std::string&>().find(part.get_ref<const std::string&>()) !=
                   std::string::npos
             : value.is_array() && is_among(part, value);
}

bool is_less(const nlohmann::json& value, const nlohmann::json& other) {
  return spec::json::is_number(value) && spec::json::is_number(other)
             ? spec::json::compare_numbers(value, other) < 0
             : is_after(other, value);
}

bool matches(const nlohmann::json& value, const spec::schema::patterns::Pattern& pattern) {
  return value.is_string() && pattern.search(value.get_ref<const std::string&>()) ==
                                  spec::schema::patterns::Search::kFound;
}

}  // namespace

std::optional<spec::time::Instant> instant_of(const nlohmann::json* value) {
  return value != nullptr && value->is_string()
             ? spec::time::parse_date_time(value->get_ref<const std::string&>())
             : std::nullopt;
}

bool holds(const Condition& condition, const Scope& scope, state::TimePoint now) {
  if (condition.kind == Kind::kNot) {
    return !holds(condition.parts.front(), scope, now);
  }
  if (condition.kind == Kind::kAny) {
    return std::ranges::any_of(condition.parts,
                               [&](const Condition& part) { return holds(part, scope, now); });
  }
  const nlohmann::json* const value = find(condition.at, scope);
  if (value == nullptr) {
    return condition.kind == Kind::kAbsent;
  }
  const auto compare = [&](auto is_so) {
    const nlohmann::json* const other = find(condition.other, scope);
    return other != nullptr && is_so(*value, *other);
  };
  switch (condition.kind) {
    case Kind::kExists: return !value->is_null();
    case Kind::kAbsent: return value->is_null();
    case Kind::kEquals: return spec::json::equal(*value, condition.value);
    case Kind::kBeforeNow: return is_past(*value, now, true);
    case Kind::kAfterNow: return is_past(*value, now, false);
    case Kind::kEqualsAt: return compare(spec::json::equal);
    case Kind::kAfterAt: return compare(is_after);
    case Kind::kAmong: return compare(is_among);
    case Kind::kContains: return contains(*value, condition.value);
    case Kind::kMatches: return matches(*value, *condition.pattern);
    case Kind::kLess: return is_less(*value, condition.value);
    case Kind::kGreater: return is_less(condition.value, *value);
    case Kind::kAny:
    case Kind::kNot: break;
  }
  return false;
}

bool holds(const std::vector<Condition>& conditions, const Scope& scope, state::TimePoint now) {
  return std::ranges::all_of(
      conditions, [&](const Condition& condition) { return holds(condition, scope, now); });
}

std::string because(const std::vector<Condition>& conditions, const Scope& scope,
                    state::TimePoint now) {
  std::string words;
  for (const Condition& condition : conditions) {
    const auto part = std::ranges::find_if(
        condition.parts, [&](const Condition& one) { return holds(one, scope, now); });
    const bool has_part = condition.kind == Kind::kAny && part != condition.parts.end();
    words += (words.empty() ? ", because " : " and ") + (has_part ? *part : condition).text;
  }
  return words;
}

namespace {

using Root = Place::Root;

constexpr std::array<std::pair<std::string_view, Root>, 6> kRoots{{{"path", Root::kPath},
                                                                   {"query", Root::kQuery},
                                                                   {"header", Root::kHeader},
                                                                   {"cookie", Root::kCookie},
                                                                   {"body", Root::kBody},
                                                                   {"record", Root::kRecord}}};

const nlohmann::json* root_value(Root root, const Scope& scope) {
  switch (root) {
    case Root::kPath: return &scope.request.path;
    case Root::kQuery: return &scope.request.query;
    case Root::kHeader: return &scope.request.header;
    case Root::kCookie: return &scope.request.cookie;
    case Root::kBody: return scope.request.body ? &*scope.request.body : nullptr;
    case Root::kRecord: return scope.record;
  }
  return nullptr;
}

}  // namespace

std::optional<Place> parse_place(std::string_view text) {
  auto tokens = spec::json::split_pointer(text);
  if (!tokens || tokens->empty()) {
    return std::nullopt;
  }
  for (const auto& [name, root] : kRoots) {
    if (tokens->front() == name) {
      tokens->erase(tokens->begin());
      return Place{root, std::move(*tokens), std::string(text)};
    }
  }
  return std::nullopt;
}

const nlohmann::json* find(const Place& place, const Scope& scope) {
  return walk(root_value(place.root, scope), place.tokens);
}

const nlohmann::json* walk(const nlohmann::json* value, const std::vector<std::string>& tokens) {
  return value == nullptr ? nullptr : spec::json::find(*value, tokens);
}

nlohmann::json* walk(nlohmann::json* value, const std::vector<std::string>& tokens) {
  return value == nullptr ? nullptr : spec::json::find(*value, tokens);
}

void set_at(nlohmann::json& record, const std::vector<std::string>& tokens, nlohmann::json value) {
  nlohmann::json* at = &record;
  for (const std::string& token : tokens) {
    if (!at->is_object() && !at->is_null()) {
      return;
    }
    at = &(*at)[token];
  }
  *at = std::move(value);
}

std::string plain_text(const nlohmann::json& value) {
  return value.is_string() ? value.get_ref<const std::string&>() : spec::json::write(value);
}

std::string key_text(const nlohmann::json& value) {
  return spec::json::is_number(value) ? spec::json::number_key(value) : plain_text(value);
}

}  // namespace mock_server::api
