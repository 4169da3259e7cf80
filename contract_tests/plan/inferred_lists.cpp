#include "contract_tests/plan/list_rules.hpp"
#include "spec/contract/resources/body_shapes.hpp"
#include "spec/contract/resources/list_order.hpp"
#include "spec/contract/resources/list_plan.hpp"
#include "spec/contract/router.hpp"
#include "spec/json/pointer.hpp"
#include "spec/schema/constants.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/names.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

// The rules of lists that a contract suggests by its parameters and responses.

namespace contract_tests::plan {

using nlohmann::json;
using nlohmann::ordered_json;
using spec::contract::Contract;
using spec::contract::Operation;
using spec::contract::StatementClass;
using spec::contract::resources::ListFilter;
using spec::contract::resources::ListPlan;
using spec::contract::resources::ListWord;
using spec::contract::resources::QueryValue;
using spec::schema::Schemas;
using spec::schema::Summary;

namespace {

using Words = std::span<const std::string_view>;

constexpr std::array<std::string_view, 8> kSizeWords{"size",      "per page", "maximum",  "at most",
                                                     "number of", "limit",    "how many", "up to"};
constexpr std::array<std::string_view, 1> kNumberWords{"page"};
constexpr std::array<std::string_view, 4> kOffsetWords{"skip", "offset", "start", "first"};
constexpr std::array<std::string_view, 5> kCursorWords{"cursor", "after", "token", "next",
                                                       "continue"};
constexpr std::array<std::string_view, 5> kBackWords{"cursor", "before", "token", "previous",
                                                     "back"};
constexpr std::array<std::string_view, 3> kOrderWords{"sort", "order", "newest"};
constexpr std::array<std::string_view, 10> kFilterWords{"filter",  "only",  "with this", "whose",
                                                        "equal",   "match", "restrict",  "at least",
                                                        "at most", "exact"};

std::string description_of(const QueryValue& value) {
  const auto node = value.parameter->node.find("description");
  return node && node.is_string() ? std::string(node.string()) : std::string();
}

// Document where the parameter's description has one of the words, else an assumption.
std::string class_of(const QueryValue& value, Words words) {
  const auto text = spec::text::to_lower(description_of(value));
  const bool says = std::ranges::any_of(
      words, [&text](auto word) { return text.find(word) != std::string::npos; });
  return std::string(to_text(says ? StatementClass::kDocument : StatementClass::kAssumption));
}

ordered_json part_of(const QueryValue& value, Words words) {
  return {{"parameter", value.name}, {"class", class_of(value, words)}};
}

// The values that the contract lists for a parameter, or for the elements of one that is an array.
std::vector<json> listed_values(const Contract& contract, const QueryValue& value) {
  const auto* seen = &contract.summaries().summary_of(value.schemas);
  if (!seen->elements.empty()) {
    seen = &contract.summaries().summary_of(seen->elements);
  }
  return seen->listed.empty() ? std::vector<json>{} : seen->listed.front()->values();
}

// The blocks of one list.
class Inferrer {
 public:
  Inferrer(const Contract& contract, const Operation& operation, const ListPlan& plan)
      : contract_(contract),
        plan_(plan),
        response_(spec::contract::resources::response_body(contract, operation)) {}

  void add(ordered_json& block) const {
    add_pages(block);
    add_cursor(block);
    add_totals(block);
    for (const auto& filter : plan_.filters) {
      block["filters"][filter.value.name] = filter_of(filter);
    }
    add_orders(block);
  }

 private:
  void add_pages(ordered_json& block) const {
    if (const auto* size = plan_.value_of(ListWord::kSize)) {
      auto part = part_of(*size, kSizeWords);
      const auto& seen = contract_.summaries().summary_of(size->schemas);
      if (const auto usual = default_of(contract_, *size); usual && *usual > 0) {
        part["default"] = *usual;
      }
      if (seen.minimum && *seen.minimum >= 1) {
        part["minimum"] = static_cast<std::size_t>(*seen.minimum);
      }
      if (seen.maximum && *seen.maximum >= 1) {
        part["maximum"] = static_cast<std::size_t>(*seen.maximum);
      }
      if (const auto only = listed_values(contract_, *size); !only.empty()) {
        part["only"] = only;
      }
      block["size"] = std::move(part);
    }
    if (const auto* number = plan_.value_of(ListWord::kNumber)) {
      auto part = part_of(*number, kNumberWords);
      const auto minimum = contract_.summaries().summary_of(number->schemas).minimum;
      const auto first = default_of(contract_, *number);
      if (first ? *first == 0 || *first == 1 : minimum && (*minimum == 0 || *minimum == 1)) {
        part["first"] = first ? *first : static_cast<std::int64_t>(*minimum);
      }
      block["number"] = std::move(part);
    }
    if (const auto* offset = plan_.value_of(ListWord::kOffset)) {
      block["offset"] = part_of(*offset, kOffsetWords);
    }
  }

  void add_cursor(ordered_json& block) const {
    const auto* cursor = plan_.value_of(ListWord::kCursor);
    const bool has_link = std::ranges::any_of(
        plan_.headers, [](const auto& header) { return header.second == "links"; });
    const bool by_key = cursor != nullptr && !block.at("key").empty();
    if (plan_.next.empty() && !has_link && !by_key) {
      return;
    }
    const auto* number = plan_.value_of(ListWord::kNumber);
    const bool is_number =
        !plan_.next.empty() && number != nullptr && summary_at(response_, plan_.next).is_number();
    auto part = part_of_any(is_number ? number : cursor, kCursorWords);
    if (!plan_.next.empty()) {
      part["at"] = plan_.next;
    } else if (has_link) {
      part["header"] = "Link";
    }
    add_back(block, by_key && !part.contains("at") && !has_link);
    block["cursor"] = std::move(part);
  }

  void add_back(ordered_json& block, bool by_key) const {
    const auto* back = plan_.value_of(ListWord::kBefore);
    if (plan_.previous.empty() ? !by_key || back == nullptr
                               : summary_at(response_, plan_.previous).is_number()) {
      return;
    }
    auto part = part_of_any(back != nullptr ? back : plan_.value_of(ListWord::kCursor), kBackWords);
    if (!plan_.previous.empty()) {
      part["at"] = plan_.previous;
    }
    block["back"] = std::move(part);
  }

  static ordered_json part_of_any(const QueryValue* value, Words words) {
    return value == nullptr ? ordered_json{{"class", "assumption"}} : part_of(*value, words);
  }

  void add_totals(ordered_json& block) const {
    for (const auto& [word, name] :
         {std::pair{"count", "total"}, {"pages", "pages"}, {"more", "more"}, {"is_last", "last"}}) {
      const auto at = plan_.total(word);
      const auto header = std::ranges::find(plan_.headers, std::string(word),
                                            &std::pair<std::string, std::string>::second);
      if (!at.empty()) {
        block[name] = {{"at", at}, {"class", "assumption"}};
      } else if (header != plan_.headers.end()) {
        block[name] = {{"header", header->first}, {"class", "assumption"}};
      }
    }
  }

  ordered_json filter_of(const ListFilter& filter) const {
    constexpr std::array<std::string_view, 10> kClear{"min", "max",  "minimum", "maximum", "gte",
                                                      "lte", "gteq", "lteq",    "ge",      "le"};
    const bool clear = std::ranges::find(kClear, filter.word) != kClear.end();
    std::string is = filter.is;
    for (const auto& [words, exact, open] : {std::array{"at_or_after", "at_least", "from"},
                                             {"at_or_before", "at_most", "until"},
                                             {"after", "more_than", "more_than"},
                                             {"before", "less_than", "less_than"}}) {
      is = filter.is == words ? (clear ? exact : open) : is;
    }
    const auto& seen = contract_.summaries().summary_of(filter.value.schemas);
    if ((filter.is == "after" || filter.is == "before") && !filter.word.starts_with('g') &&
        !filter.word.starts_with('l')) {
      is = filter.is == "after" ? "from" : "until";  // "created[after]"
    }
    ordered_json made{{"at", filter.at}, {"is", is}};
    auto values = listed_values(contract_, filter.value);
    std::erase_if(values, [](const json& value) {
      return value.is_null() || value == "all" || value == "any" || value == "";
    });
    if (seen.is_boolean()) {
      values = {true, false};
    }
    if (!values.empty()) {
      made["values"] = values;
    }
    made["class"] = class_of(filter.value, kFilterWords);
    return made;
  }

  void add_order(ordered_json& block, const std::string& query, const std::string& at,
                 bool descending, bool named) const {
    const auto* sort = plan_.value_of(ListWord::kSort);
    ordered_json made{{"at", at}, {"descending", descending}};
    if (!named) {
      made["named"] = false;
    }
    made["class"] = named ? class_of(*sort, kOrderWords) : "assumption";
    block["orders"][query] = std::move(made);
  }

  static std::string pair_of(const QueryValue& value, const std::string& text) {
    return value.name + '=' + spec::text::percent_encode(text);
  }

  // Adds the orders of one value of the parameter, in each direction that can be asked for.
  void add_value(ordered_json& block, const std::string& value, bool named) const {
    const auto& sort = *plan_.value_of(ListWord::kSort);
    const auto order = spec::contract::resources::order_of(contract_, plan_.record, value);
    if (!order || !is_comparable(order->at)) {
      return;
    }
    const auto query = pair_of(sort, value);
    const auto* direction = plan_.value_of(ListWord::kDirection);
    if (order->descending || direction == nullptr) {
      add_order(block, query, order->at, order->descending.value_or(false), named);
      return;
    }
    auto words = listed_values(contract_, *direction);
    for (const auto& word : words.empty() ? std::vector<json>{"asc", "desc"} : words) {
      const auto text = word.is_string() ? word.get<std::string>() : word.dump();
      if (const auto descending = spec::contract::resources::is_descending(text)) {
        add_order(block, query + '&' + pair_of(*direction, text), order->at, *descending, named);
      }
    }
  }

  // True if values of the member have one order that everybody agrees on.
  bool is_comparable(const std::string& at) const {
    const auto& seen = summary_at(plan_.record, at);
    return seen.listed.empty() && (seen.is_string() || seen.is_number());
  }

  const Summary& summary_at(const Schemas& outer, const std::string& at) const {
    const Schemas* schemas = &outer;
    for (const auto& token : spec::json::split_pointer(at).value_or(std::vector<std::string>{})) {
      schemas = &spec::contract::resources::summary_of(contract_, *schemas).part(token);
    }
    return contract_.summaries().summary_of(*schemas);
  }

  // The names of a record's members, also of those in "attributes".
  std::vector<std::string> member_names() const {
    std::vector<std::string> names;
    for (const auto& [name, inner] :
         spec::contract::resources::summary_of(contract_, plan_.record).properties) {
      names.push_back(name);
      if (spec::contract::resources::is_word_for_members(spec::text::plain_name(name))) {
        for (const auto& member : contract_.summaries().summary_of(inner).properties) {
          names.push_back(member.first);
        }
      }
    }
    return names;
  }

  void add_orders(ordered_json& block) const {
    constexpr std::size_t kMembers = 4;
    const auto* sort = plan_.value_of(ListWord::kSort);
    if (sort == nullptr) {
      return;
    }
    for (const auto& value : listed_values(contract_, *sort)) {
      if (value.is_string()) {
        add_value(block, value.get<std::string>(), true);
      }
    }
    if (!listed_values(contract_, *sort).empty()) {
      return;
    }
    const auto words = words_about(*sort);
    std::size_t members = 0;
    const auto names = member_names();
    for (const bool named : {true, false}) {
      for (const auto& name : names) {
        if (has_word(words, name) == named && members < kMembers) {
          add_value(block, name, named);
          if (const auto down = spelled_down(words, name); named && !down.empty()) {
            add_value(block, down, true);
          }
          members += named && block.contains("orders") ? 1 : 0;
        }
      }
      if (block.contains("orders")) {
        return;
      }
    }
  }

  // All that the contract says of the parameter in words and examples.
  std::string words_about(const QueryValue& value) const {
    auto words = description_of(value);
    const auto& node = value.parameter->node;
    for (const auto& said : {node, node.find("schema")}) {
      for (const auto* key : {"example", "examples", "default", "pattern"}) {
        const auto found = said ? said.find(key) : said;
        words += ' ' + (found ? found.value().dump() : "");
      }
    }
    const auto inner = node.find("schema") ? node.find("schema").find("description") : node;
    words += inner && inner.is_string() ? ' ' + std::string(inner.string()) : "";
    return words;
  }

  static bool has_word(const std::string& words, const std::string& name) {
    const auto is_letter = [](char letter) {
      return spec::text::is_letter_or_digit(letter) || letter == '_';
    };
    for (auto at = words.find(name); at != std::string::npos; at = words.find(name, at + 1)) {
      const auto end = at + name.size();
      const bool starts = at == 0 || !is_letter(words[at - 1]);
      if (starts && (end == words.size() || !is_letter(words[end]) || words[end] == '_')) {
        return true;
      }
    }
    return false;
  }

  // "-name" or "name:desc", if the words have something of that form; else "".
  static std::string spelled_down(const std::string& words, const std::string& name) {
    for (const char* const form : {":desc", "_desc", ".desc", ",desc", " desc"}) {
      if (words.find(form) != std::string::npos && words.find(name + form) != std::string::npos) {
        return name + form;
      }
    }
    for (const char* const sign : {"`-`", "'-'", "\"-\"", "(-)", "minus", "hyphen", "prefix"}) {
      if (words.find(sign) != std::string::npos) {
        return '-' + name;
      }
    }
    for (auto at = words.find('-'); at != std::string::npos; at = words.find('-', at + 1)) {
      const bool starts = at == 0 || !spec::text::is_letter_or_digit(words[at - 1]);
      if (starts && at + 1 < words.size() && spec::text::is_letter(words[at + 1])) {
        return '-' + name;
      }
    }
    return "";
  }

  const Contract& contract_;
  const ListPlan& plan_;
  Schemas response_;
};

// What names the items: the member that the path of one of them names, else "id" and the like.
std::string key_of_items(const Contract& contract, const spec::contract::Resource* resource,
                         const Operation& operation, const spec::schema::Schemas& record) {
  const auto last = operation.path.substr(operation.path.rfind('/') + 1);
  const bool has_one = resource != nullptr && !resource->of_one.empty();
  const auto parameters =
      has_one ? parameter_names(resource->of_one.front()->segments) : std::vector<std::string>{};
  const auto key = spec::contract::resources::key_member(
      contract, record, parameters.empty() ? "id" : parameters.back(),
      resource != nullptr ? resource->name : last);
  return key.empty() ? "" : spec::json::pointer_of(key);
}

}  // namespace

ordered_json inferred_list(const Contract& contract, const spec::contract::Resources& resources,
                           const Operation& operation) {
  const auto* resource = resource_of(resources, operation);
  const auto list = spec::contract::resources::find_list(
      contract, spec::contract::resources::response_body(contract, operation),
      resource != nullptr ? resource->name
                          : std::string_view(operation.path).substr(operation.path.rfind('/') + 1));
  const bool is_of_one = operation.path.ends_with('}');
  if (operation.method != "GET" || is_of_one || !list) {
    return nullptr;
  }
  const auto plan = plan_list(contract, operation, *list);
  ordered_json block{{"items", spec::json::pointer_of(list->at)},
                     {"key", key_of_items(contract, resource, operation, list->schemas)}};
  Inferrer(contract, operation, plan).add(block);
  return block;
}

}  // namespace contract_tests::plan
