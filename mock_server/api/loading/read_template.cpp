#include "mock_server/api/loading/fixture_readers.hpp"
#include "mock_server/api/response_template.hpp"
#include "mock_server/reply/json_response.hpp"
#include "spec/contract/checking/validate_message.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/schema_summary.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/names.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace mock_server::api::loading {
namespace {

using nlohmann::json;
using spec::contract::Operation;
using spec::contract::Part;
using spec::contract::Violation;
using spec::document::Node;
using spec::schema::TypeSet;
using ValueForm = TemplateValue::Form;
using Making = TemplateValue::Kind;

// "+1h", "-30m": seconds from now.
std::optional<std::chrono::seconds> parse_offset(std::string_view text) {
  constexpr std::size_t kMaxLength = 7;
  constexpr std::array<std::pair<char, int>, 5> kUnits{
      {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86'400}, {'w', 604'800}}};
  const auto unit = std::ranges::find(kUnits, text.back(), &std::pair<char, int>::first);
  const auto count = text.size() > kMaxLength || unit == kUnits.end()
                         ? std::nullopt
                         : spec::text::parse_number<int>(text.substr(1, text.size() - 2));
  if (!count || *count < 0) {
    return std::nullopt;
  }
  return std::chrono::seconds{unit->second} * (text.front() == '-' ? -*count : *count);
}

bool is_counter_name(std::string_view text) {
  constexpr std::size_t kMaxLength = 64;
  return !text.empty() && text.size() <= kMaxLength && spec::text::is_letter(text.front()) &&
         std::ranges::all_of(text,
                             [](char c) { return spec::text::is_letter_or_digit(c) || c == '_'; });
}

// True if the members have a place or a time as templates have them.
bool has_template_value(const Node& node) {
  return std::ranges::any_of(node.members(), [](const auto& member) {
    return (member.value.is_string() && parse_place(member.value.string())) ||
           (member.key == "now" && member.value.is_boolean());
  });
}

// `{form: /path/id}`, `{from: /path/id, now: true}`: nearly templates.
void check_likeness(const Node& node, LoadContext& context) {
  const auto is_word = [](const auto& member) {
    return std::ranges::find(kTemplateWords, member.key) != kTemplateWords.end();
  };
  if (!node.is_object() || !has_template_value(node)) {
    return;
  }
  const auto& members = node.members();
  const auto meant = spec::text::nearest(members.front().key, kTemplateWords);
  if (members.size() == 1 && meant && !is_word(members.front())) {
    context.report(node,
                   "must be one of {from: PLACE}, {now: +1h}, {next: COUNTER}, {random: "
                   "uuid}; did you mean \"" +
                       std::string(*meant) + "\"? {literal: {...}} sends the object as it is");
  } else if (members.size() > 1 && std::ranges::all_of(members, is_word)) {
    context.report(node,
                   "must have one of from, now, next and random alone; {literal: {...}} "
                   "sends the object as it is");
  }
}

// What would be sent as it is otherwise.
void report(const Node& node, const std::string& text, LoadContext& context) {
  context.report(node, text + "; {literal: {" + node.key() + ": ...}} sends the object as it is");
}

using Read = bool (*)(const Node& node, std::string_view text, TemplateValue& value,
                      LoadContext& context);

bool read_from(const Node& node, std::string_view text, TemplateValue& value,
               LoadContext& context) {
  if (!text.starts_with('/')) {
    return false;
  }
  value.kind = Making::kFrom;
  auto place = parse_place(text);
  if (!place) {
    report(node,
           "must be a place: a JSON pointer that starts with /path, /query, /header, /cookie, "
           "/body or /record",
           context);
  }
  value.from = std::move(place).value_or(Place{});
  return true;
}

bool read_now(const Node& node, std::string_view text, TemplateValue& value, LoadContext& context) {
  value.kind = Making::kNow;
  const bool is_offset = !text.empty() && (text.front() == '+' || text.front() == '-' ||
                                           spec::text::is_digit(text.front()));
  if (!is_offset) {
    return node.is_boolean() && node.boolean();
  }
  const auto later = parse_offset(text);
  if (!later) {
    report(node,
           "must be a time from now, as +1h or -30d (s, m, h, d or w, at most 99999 of them), but "
           "is " +
               spec::text::in_quotes(text),
           context);
  }
  value.later = later.value_or(std::chrono::seconds{0});
  return true;
}

bool read_next(const Node& node, std::string_view text, TemplateValue& value,
               LoadContext& context) {
  value.kind = Making::kNext;
  value.name = text;
  if (node.is_string() && text.empty()) {
    report(node, "must be the name of a counter: a letter, then letters, digits and \"_\"",
           context);
  }
  return is_counter_name(text);
}

bool read_random(const Node& node, std::string_view text, TemplateValue& value,
                 LoadContext& context) {
  value.kind = Making::kRandom;
  value.name = text;
  if (node.is_string() && std::ranges::find(kDrawn, text) == kDrawn.end()) {
    report(node,
           "must be uuid, hex or integer, but is " + spec::text::in_quotes(text) +
               spec::text::did_you_mean(text, kDrawn),
           context);
  }
  return node.is_string();
}

constexpr std::array<Read, kTemplateWords.size()> kReaders{read_from, read_now, read_next,
                                                           read_random};

bool is_only_member(const Node& node, std::string_view name) {
  return node.is_object() && node.members().size() == 1 && node.members().front().key == name;
}

bool is_template_like(const Node& node) {
  return is_only_member(node, kLiteral) ||
         std::ranges::any_of(kTemplateWords,
                             [&](std::string_view word) { return is_only_member(node, word); });
}

void collect(const Node& node, std::vector<std::string>& at, ResponseTemplate& made,
             LoadContext& context) {
  if (is_only_member(node, kLiteral) && is_template_like(node.find(kLiteral))) {
    *walk(&made.body, at) = node.find(kLiteral).value();
    return;
  }
  if (auto value = read_template(node, context)) {
    value->at = at;
    made.values.push_back(std::move(*value));
    return;
  }
  check_likeness(node, context);
  const auto enter = [&](std::string token, const Node& part) {
    at.push_back(std::move(token));
    collect(part, at, made, context);
    at.pop_back();
  };
  if (node.is_object()) {
    for (const auto& member : node.members()) {
      enter(std::string(member.key), member.value);
    }
  } else if (node.is_array()) {
    std::size_t index = 0;
    for (const Node& element : node.elements()) {
      enter(std::to_string(index++), element);
    }
  }
}

TypeSet types_of(std::optional<spec::schema::SchemaId> schema,
                 const std::vector<std::string>& tokens, std::size_t first,
                 const LoadContext& context) {
  const auto& program = context.contract.schemas().program();
  spec::schema::Schemas schemas;
  if (schema) {
    schemas.push_back(*schema);
  }
  for (std::size_t index = first; index < tokens.size(); ++index) {
    schemas = spec::schema::summarize(program, schemas).part(tokens[index]);
  }
  return schemas.empty() ? spec::schema::kEveryType
                         : spec::schema::summarize(program, schemas).types;
}

// The types that values at the place may have, as far as the contract says.
TypeSet types_at(const Place& place, const Operation& operation, const LoadContext& context) {
  if (place.root == Place::Root::kBody) {
    const bool has_schema = operation.body && operation.body->contents.size() == 1;
    return has_schema ? types_of(operation.body->contents.front().schema, place.tokens, 0, context)
                      : spec::schema::kEveryType;
  }
  const auto location = location_of(place.root);
  const auto* const parameter = location && !place.tokens.empty()
                                    ? operation.parameter(*location, place.tokens.front())
                                    : nullptr;
  return parameter == nullptr ? spec::schema::kEveryType
                              : types_of(parameter->schema, place.tokens, 1, context);
}

struct Sample {
  ValueForm form = ValueForm::kAsIs;
  json value;
};

std::vector<Sample> samples_from(TypeSet types) {
  using namespace spec::schema;  // NOLINT(google-build-using-namespace): the names of types
  static const std::vector<std::pair<TypeSet, json>> known_samples{
      {kStringType, "text"},       {kNumberType, 1},
      {kBooleanType, true},        {kObjectType, json::object()},
      {kArrayType, json::array()}, {kNullType, nullptr}};
  std::vector<Sample> samples;
  for (const auto& [type, value] : known_samples) {
    if ((types & type) != 0) {
      samples.push_back({ValueForm::kAsIs, value});
    }
  }
  samples.push_back({ValueForm::kText, "text"});
  return samples;
}

// What calls could give, the usual form first.
std::vector<Sample> samples_of(const TemplateValue& value, const Operation& operation,
                               const LoadContext& context) {
  switch (value.kind) {
    case Making::kFrom: return samples_from(types_at(value.from, operation, context));
    case Making::kNow:
      return {{ValueForm::kAsIs, "2026-01-01T00:00:00.000000Z"},
              {ValueForm::kDate, "2026-01-01"},
              {ValueForm::kSeconds, 1'767'225'600}};
    case Making::kNext: return {{ValueForm::kAsIs, 1}, {ValueForm::kText, "1"}};
    case Making::kRandom: break;
  }
  if (value.name == "integer") {
    return {{ValueForm::kAsIs, 1}, {ValueForm::kText, "1"}};
  }
  return {{ValueForm::kAsIs, value.name == "hex" ? "6f1e0c3a9d2b4c5e8f7a6b5c4d3e2f10"
                                                 : "6f1e0c3a-9d2b-4c5e-8f7a-6b5c4d3e2f10"}};
}

std::string place_of(const TemplateValue& value) {
  return spec::json::pointer_of(value.header.empty() ? value.at
                                                     : std::vector<std::string>{value.header});
}

bool is_same_part(const TemplateValue& value, const Violation& violation) {
  return violation.part == (value.header.empty() ? Part::kBody : Part::kHeader);
}

bool is_at(const TemplateValue& value, const Violation& violation) {
  return is_same_part(value, violation) &&
         spec::text::to_lower(place_of(value)) == spec::text::to_lower(violation.instance);
}

// Rules that no other value of the request would satisfy.
bool is_of_type(const Violation& violation) {
  return violation.rule == "type" || violation.rule == "false";
}

// Tries one sample after another, the others as they are.
class SampleFilling {
 public:
  SampleFilling(const Operation& operation, Rule& rule, LoadContext& context)
      : operation_(operation), rule_(rule), context_(context), body_(rule.response.made->body) {}

  void fill() {
    auto& values = rule_.response.made->values;
    for (TemplateValue& value : values) {
      put(value, samples_of(value, operation_, context_).front());
    }
    for (TemplateValue& value : values) {
      choose(value);
    }
  }

 private:
  void put(const TemplateValue& value, const Sample& sample) {
    auto& response = rule_.response.response;
    put_made(value, sample.value, body_, response.headers);
    if (rule_.body) {
      response.body = body_text(*rule_.response.made, body_);
    }
  }

  bool fits(const TemplateValue& value) const {
    return std::ranges::none_of(
        spec::contract::validate_response(context_.contract, operation_, rule_.response.response),
        [&](const Violation& violation) {
          return is_at(value, violation) && (value.kind != Making::kFrom || is_of_type(violation));
        });
  }

  void choose(TemplateValue& value) {
    auto samples = samples_of(value, operation_, context_);
    if (value.form) {
      std::erase_if(samples, [&](const Sample& one) { return one.form != *value.form; });
    }
    for (const Sample& sample : samples) {
      put(value, sample);
      if (fits(value)) {
        value.form = sample.form;
        return;
      }
    }
    put(value, samples.front());
  }

  const Operation& operation_;
  Rule& rule_;
  LoadContext& context_;
  json body_;
};

}  // namespace

std::optional<TemplateValue> read_template(const Node& node, LoadContext& context) {
  for (std::size_t index = 0; index < kTemplateWords.size(); ++index) {
    if (!is_only_member(node, kTemplateWords[index])) {
      continue;
    }
    const Node said = node.members().front().value;
    TemplateValue value;
    value.node = node;
    const std::string_view text = said.is_string() ? said.string() : std::string_view{};
    if (kReaders[index](said, text, value, context)) {
      return value;
    }
  }
  return std::nullopt;
}

ResponseTemplate read_body(const Node& node, LoadContext& context) {
  ResponseTemplate made{node.value(), {}};
  std::vector<std::string> at;
  collect(node, at, made, context);
  return made;
}

void fill_with_samples(const Operation& operation, Rule& rule, LoadContext& context) {
  for (const TemplateValue& value : rule.response.made->values) {
    if (value.kind == Making::kFrom && !context.document_only &&
        !is_declared(value.from, operation, context)) {
      context.report(value.node, "must be declared by " + operation.name + ", but " +
                                     value.from.text + " is not");
    }
  }
  SampleFilling(operation, rule, context).fill();
}

const TemplateValue* template_of(const ResponseTemplate& made, const Violation& violation) {
  const auto found = std::ranges::find_if(
      made.values, [&](const TemplateValue& value) { return is_at(value, violation); });
  return found == made.values.end() ? nullptr : &*found;
}

bool depends_on_request(const ResponseTemplate& made, const Violation& violation) {
  static const std::set<std::string, std::less<>> rules_of_whole{
      "oneOf", "anyOf", "not", "enum", "const", "if", "uniqueItems"};
  return std::ranges::any_of(made.values, [&](const TemplateValue& value) {
    const std::string at = place_of(value);
    const bool is_inside = violation.instance.starts_with(at + '/');
    const bool is_around =
        at.starts_with(violation.instance + '/') && rules_of_whole.contains(violation.rule);
    return value.kind == Making::kFrom && is_same_part(value, violation) &&
           (is_inside || is_around || (is_at(value, violation) && !is_of_type(violation)));
  });
}

}  // namespace mock_server::api::loading
