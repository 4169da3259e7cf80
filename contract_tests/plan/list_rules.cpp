#include "contract_tests/plan/list_rules.hpp"

#include "contract_tests/checks/response_validation.hpp"
#include "contract_tests/plan/rule_book.hpp"
#include "spec/contract/resources/resource.hpp"
#include "spec/http/form.hpp"
#include "spec/text/encoding.hpp"

#include <utility>

namespace contract_tests::plan {

using nlohmann::json;
using nlohmann::ordered_json;
using spec::contract::Contract;
using spec::contract::Operation;

std::string ListOrderRule::text() const {
  std::string text;
  for (const auto& [name, value] : query) {
    text += (text.empty() ? "" : "&") + name + '=' + value;
  }
  return text;
}

ordered_json overridden(ordered_json base, const json& over) {
  if (!over.is_object()) {
    return over == "off" ? ordered_json(nullptr) : ordered_json(over);
  }
  if (!base.is_object()) {
    base = ordered_json::object();
  }
  for (const auto& [name, value] : over.items()) {
    auto made = overridden(base.contains(name) ? base.at(name) : ordered_json(nullptr), value);
    if (made.is_null()) {
      base.erase(name);
    } else {
      base[name] = std::move(made);
    }
  }
  return base;
}

namespace {

// Reads a block of one list.
class ListReader {
 public:
  ListReader(const Contract& contract, const Operation& operation, const ordered_json& block)
      : contract_(contract), operation_(operation), block_(block) {}

  ListRules read() const {
    ListRules rules;
    rules.items = block_.at("items").get<std::string>();
    rules.key = block_.value("key", "");
    for (const auto& [name, part] : {std::pair{"size", &rules.size},
                                     {"number", &rules.number},
                                     {"offset", &rules.offset},
                                     {"cursor", &rules.cursor},
                                     {"back", &rules.back},
                                     {"total", &rules.total},
                                     {"pages", &rules.pages},
                                     {"more", &rules.more},
                                     {"last", &rules.last}}) {
      *part = part_at(name);
    }
    const auto size = block_.value("size", ordered_json::object());
    rules.usual_size = number_at(size, "default");
    rules.min_size = number_at(size, "minimum").value_or(1);
    rules.max_size = number_at(size, "maximum");
    rules.sizes = size.value("only", std::vector<std::size_t>{});
    const auto number = block_.value("number", ordered_json::object());
    if (number.contains("first")) {
      rules.first = number.at("first").get<int>();
    }
    const auto filters = block_.value("filters", ordered_json::object());
    for (const auto& [name, filter] : filters.items()) {
      rules.filters.push_back({name, filter.value("at", ""), filter.value("is", "equal"),
                               values_of(filter), source_of(filter, name)});
    }
    const auto orders = block_.value("orders", ordered_json::object());
    for (const auto& [text, order] : orders.items()) {
      rules.orders.push_back(order_of(text, order));
    }
    return rules;
  }

 private:
  static std::vector<json> values_of(const ordered_json& filter) {
    std::vector<json> values;
    const auto listed = filter.value("values", ordered_json::array());
    for (const auto& value : listed) {
      values.emplace_back(value);
    }
    return values;
  }

  static std::optional<std::size_t> number_at(const ordered_json& part, const char* name) {
    return part.contains(name) ? std::optional(part.at(name).get<std::size_t>()) : std::nullopt;
  }

  ListPart part_at(const char* name) const {
    if (!block_.contains(name)) {
      return {};
    }
    const auto& part = block_.at(name);
    const auto parameter = part.value("parameter", "");
    const bool in_header = part.contains("header");
    return {parameter, part.value(in_header ? "header" : "at", ""), in_header,
            source_of(part, parameter)};
  }

  ListOrderRule order_of(const std::string& text, const ordered_json& order) const {
    ListOrderRule rule{.query = {},
                       .at = order.value("at", ""),
                       .descending = order.value("descending", false),
                       .named = order.value("named", true),
                       .source = {}};
    for (const auto& pair : spec::http::split_form(text)) {
      rule.query.emplace_back(pair.name, spec::text::percent_decode(pair.value).value_or(""));
    }
    rule.source = source_of(order, rule.query.empty() ? "" : rule.query.front().first);
    return rule;
  }

  // The part's clause, else the list's, else the parameter in the contract, else the operation.
  checks::Source source_of(const ordered_json& part, const std::string& parameter) const {
    const auto text = [&](const char* name) {
      return part.value(name, block_.value(name, std::string()));
    };
    checks::Source source;
    source.clause = text("clause");
    if (source.clause.empty()) {
      const auto* known = operation_.parameter(spec::contract::Location::kQuery,
                                               parameter.substr(0, parameter.find('[')));
      known = known != nullptr ? known
                               : operation_.parameter(spec::contract::Location::kQuery, parameter);
      source =
          checks::source_of(contract_, known != nullptr ? known->statement : operation_.statement);
    }
    source.statement_class = spec::contract::statement_class_from(text("class"));
    return source;
  }

  const Contract& contract_;
  const Operation& operation_;
  const ordered_json& block_;
};

}  // namespace

ListRules list_rules_from(const Contract& contract, const Operation& operation,
                          const ordered_json& block) {
  return ListReader(contract, operation, block).read();
}

namespace {

// What rules on pages leave open is as the contract suggests.
void complete_pages(PageRules& pages, const Contract& contract, const Operation& operation,
                    const ordered_json& block) {
  if (block.is_null()) {
    return;
  }
  const auto list = list_rules_from(contract, operation, block);
  if (pages.items.empty()) {
    pages.items = list.items;
  }
  if (pages.size.empty()) {
    pages.size = list.size.parameter;
    pages.default_size = list.usual_size.value_or(pages.probes.back());
    pages.max_size = list.max_size.value_or(pages.default_size);
  }
  if (pages.number.empty()) {
    pages.number = list.number.parameter;
    pages.first = list.first.value_or(1);
  }
}

}  // namespace

void add_inferred_lists(const Contract& contract, Rules& rules) {
  const auto resources = resources_of(contract);
  for (const auto& operation : contract.operations()) {
    auto block = inferred_list(contract, resources, operation);
    const auto known = rules.operations.find(operation.id);
    const bool has_rules = known != rules.operations.end();
    if (has_rules && !known->second.list.is_null()) {
      block = overridden(std::move(block), known->second.list);
    } else if (has_rules && known->second.pages) {
      complete_pages(*known->second.pages, contract, operation, block);
      continue;
    }
    if (block.is_object() && block.contains("items")) {
      auto read = list_rules_from(contract, operation, block);
      rules.lists.emplace(operation.id, InferredList{std::move(read), std::move(block)});
    }
  }
}

std::string print_lists(const Rules& rules) {
  std::string text;
  const auto is_nested = [](const std::string& name) {
    return name == "filters" || name == "orders";
  };
  for (const auto& [operation, list] : rules.lists) {
    text += (text.empty() ? "operations:\n  " : "  ") + json(operation).dump() + ":\n    list:\n";
    for (const auto& [name, value] : list.block.items()) {
      text += "      " + name + ": " + (is_nested(name) ? "" : value.dump()) + '\n';
      const auto inner = is_nested(name) ? value : ordered_json::object();
      for (const auto& [key, part] : inner.items()) {
        text += "        " + json(key).dump() + ": " + part.dump() + '\n';
      }
    }
  }
  return text;
}

}  // namespace contract_tests::plan
