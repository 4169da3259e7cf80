#include "contract_tests/checks/normal_form.hpp"

#include "contract_tests/checks/json_places.hpp"
#include "contract_tests/checks/response_rules.hpp"
#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"
#include "spec/time/instant.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <vector>

namespace contract_tests::checks {

using nlohmann::json;
using spec::schema::Schemas;
using spec::schema::Summaries;
using spec::schema::Summary;

namespace {

// The years 0000 to 9999 in UTC, which alone can be written.
constexpr std::int64_t kEarliest = -62'167'219'200;
constexpr std::int64_t kLatest = 253'402'300'799;

// A text that is an address on the web, whether the schema says so or not.
bool is_web_address(std::string_view text) {
  return (spec::text::equals_ignoring_case(text.substr(0, 7), "http://") ||
          spec::text::equals_ignoring_case(text.substr(0, 8), "https://")) &&
         text.find_first_of(" \t\r\n") == std::string_view::npos;
}

std::string normal_instant(const std::string& text) {
  const auto instant = spec::time::parse_date_time(text);
  return instant && instant->seconds >= kEarliest && instant->seconds <= kLatest
             ? spec::time::format_date_time(*instant)
             : text;
}

std::string normal_text(const Summary& seen, const std::string& text) {
  if (seen.format == "date-time") {
    return normal_instant(text);
  }
  if (seen.format == "decimal" || seen.format == "decimal128") {
    return plain_decimal(text).value_or(text);
  }
  if (seen.format == "uuid") {
    return spec::text::to_lower(text);
  }
  return seen.format.starts_with("uri") || seen.format.starts_with("iri") || is_web_address(text)
             ? normal_uri(text)
             : text;
}

// In the order of their keys, which hold still where other members move; then of their texts.
void sort_by(json& list, const std::string& key) {
  std::vector<std::pair<std::string, json>> keyed;
  for (auto& element : list) {
    const auto* found = spec::json::find(element, key);
    keyed.emplace_back(found == nullptr ? "" : spec::json::write(*found), std::move(element));
  }
  std::ranges::sort(keyed, [](const auto& left, const auto& right) {
    return left.first != right.first
               ? left.first < right.first
               : spec::json::write(left.second) < spec::json::write(right.second);
  });
  std::ranges::transform(keyed, list.begin(), [](auto& pair) { return std::move(pair.second); });
}

class Normaliser {
 public:
  explicit Normaliser(const Summaries& summaries) : summaries_(summaries) {}

  void normalise(const Schemas& schemas, json& value, int depth) {
    if (spec::json::is_number(value)) {
      if (const auto whole = spec::json::to_int64(value)) {
        value = *whole;
      }
      return;
    }
    if (depth > kMaxDepth || !(value.is_structured() || value.is_string())) {
      return;
    }
    const auto& seen = summaries_.summary_of(schemas);
    if (value.is_string()) {
      value = normal_text(seen, value.get_ref<const std::string&>());
    } else if (value.is_object()) {
      for (auto& [name, member] : value.items()) {
        const auto* schemas_there = seen.property(name);
        normalise(schemas_there == nullptr ? Schemas{} : *schemas_there, member, depth + 1);
      }
    } else {
      for (auto& element : value) {
        normalise(seen.elements, element, depth + 1);
      }
      if (seen.unique_items) {
        sort_by(value, "");
      }
    }
  }

 private:
  const Summaries& summaries_;
};

// Every place of `value` that the rule is about, to be changed.
std::vector<json*> places_of(json& value, const ResponseRule& rule) {
  std::vector<json*> places;
  each_place(value, rule.at, [&places](const Place&, const json& there) {
    places.push_back(const_cast<json*>(&there));  // inside `value`, which is the caller's own
  });
  return places;
}

void apply_rules(const std::vector<ResponseRule>& rules, json& value) {
  for (const auto& rule : rules) {
    for (auto* place : places_of(value, rule)) {
      if (rule.rule == "response/inexact-decimal" && place->is_string()) {
        const auto& text = place->get_ref<const std::string&>();
        *place = plain_decimal(text).value_or(text);
      } else if (rule.rule == "response/unique" && place->is_array()) {
        sort_by(*place, rule.key);
      }
    }
  }
}

}  // namespace

json normal_form(const Summaries& summaries, spec::schema::SchemaId schema,
                 const std::vector<ResponseRule>& rules, json value) {
  Normaliser(summaries).normalise({schema}, value, 0);
  apply_rules(rules, value);
  return value;
}

json without_order(json value) {
  const auto type = spec::json::type_of(value);
  if (type == spec::json::Type::kArray || type == spec::json::Type::kObject) {
    for (auto& element : value) {
      element = without_order(std::move(element));
    }
  }
  if (type == spec::json::Type::kArray) {
    sort_by(value, "");
  }
  return value;
}

std::string normal_uri(std::string_view uri) {
  std::string text;
  while (!uri.empty()) {
    const auto decoded =
        uri.front() == '%' ? spec::text::percent_decode(uri.substr(0, 3)) : std::nullopt;
    text += decoded ? spec::text::percent_encode(*decoded) : std::string(1, uri.front());
    uri.remove_prefix(decoded ? 3 : 1);
  }
  const auto authority = text.find("://");
  if (authority != std::string::npos && text.find_first_of("/?#") > authority) {
    const auto end = std::min(text.find_first_of("/?#", authority + 3), text.size());
    const auto user = std::min(text.substr(0, end).rfind('@'), end);
    const auto host = user == end ? authority + 3 : user + 1;
    text = spec::text::to_lower(text.substr(0, authority + 3)) +
           text.substr(authority + 3, host - authority - 3) +
           spec::text::to_lower(text.substr(host, end - host)) + text.substr(end);
  }
  return text;
}

}  // namespace contract_tests::checks
