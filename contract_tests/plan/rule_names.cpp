#include "contract_tests/plan/rule_names.hpp"

#include "contract_tests/plan/request_plan.hpp"
#include "contract_tests/plan/subjects.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/json/pointer.hpp"
#include "spec/schema/applicable.hpp"
#include "spec/schema/schema_summary.hpp"
#include "spec/text/names.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace contract_tests::plan {

using nlohmann::json;
using spec::contract::Contract;
using spec::contract::Location;
using spec::contract::Operation;
using spec::contract::Parameter;
using spec::document::Member;
using spec::document::Node;
using spec::schema::Schemas;
using spec::schema::Summary;

namespace {

using Texts = std::vector<std::string_view>;

std::string must_be(const std::string& what, std::string_view name, const Texts& known) {
  const auto near = spec::text::did_you_mean(name, known);
  return "must be " + what + ", but is " + spec::text::in_quotes(name) +
         (near.empty() ? spec::text::suggest_known(name, known) : near);
}

// A place of a body as the contract's schemas know it.
struct Known {
  enum class Kind : std::uint8_t { kNamed, kUndecided, kUnknown };
  Kind kind = Kind::kNamed;
  std::string message = {};
};

// The names of the rules of one operation.
class OperationNames {
 public:
  OperationNames(const Contract& contract, const Operation& operation, RuleNames& names)
      : contract_(contract), operation_(operation), names_(names) {}

  void check(const Node& rules) {
    check_request(rules.find("request"));
    for (const auto& unknown : rules.find("unknown").elements()) {
      check_request(unknown);
    }
    for (const auto& rule : rules.find("response").elements()) {
      check_response(rule);
    }
    check_pages(rules.find("pages"));
    check_filters(rules.find("filters"));
    check_update(rules.find("update"));
    check_path_name(rules.find("file").find("names"));
    check_request(rules.find("file").find("other"));
    check_volatile(rules.find("volatile"));
    check_list(rules.find("list"));
  }

 private:
  void check_request(const Node& request) {
    for (const auto& member : request.find("path").members()) {
      check_parameter(Location::kPath, member.key, member);
    }
    for (const auto& member : request.find("query").members()) {
      check_parameter(Location::kQuery, member.key, member);
    }
  }

  void check_response(const Node& rule) {
    const auto at = std::string(rule.find("at").string());
    check_path_name(rule.find("path"));
    check_place(rule.find("at"));
    for (const auto* key : {"from", "to", "result", "minuend", "subtrahend"}) {
      check_place(rule.find(key), at);
    }
    check_place(rule.find("key"), at + "/*");
  }

  void check_pages(const Node& pages) {
    check_place(pages.find("items"));
    check_query_name(pages.find("size").find("parameter"));
    check_query_name(pages.find("number").find("parameter"));
  }

  void check_filters(const Node& filters) {
    const auto item = text_of(filters.find("items")) + "/*";
    check_place(filters.find("items"));
    const auto range = filters.find("range");
    check_query_name(range.find("from"));
    check_query_name(range.find("to"));
    check_place(range.find("item_from"), item);
    check_place(range.find("item_to"), item);
    const auto member = filters.find("member");
    check_query_name(member.find("parameter"));
    check_place(member.find("list"), item);
    check_place(member.find("key"), item + text_of(member.find("list")) + "/*");
  }

  void check_update(const Node& update) {
    const std::vector<Schemas> bodies =
        operation_.body ? bodies_of(operation_.body->contents) : std::vector<Schemas>{};
    for (const auto& field : update.find("fields").members()) {
      check_place(field.value.find("at"));
      const auto known = look_up(bodies, spec::json::pointer_of({std::string(field.key)}));
      note(known, "the request body", field);
    }
    for (const auto& place : update.find("volatile").elements()) {
      check_place(place);
    }
    check_request(update.find("other"));
  }

  void check_volatile(const Node& fields) {
    const auto item = text_of(fields.find("items")) + "/*";
    check_place(fields.find("items"));
    check_place(fields.find("newest"), item);
    for (const auto& place : fields.find("at").elements()) {
      check_place(place, item);
    }
  }

  void check_list(const Node& list) {
    for (const auto* part : {"size", "number", "offset", "cursor"}) {
      const auto found = list.is_object() ? list.find(part) : Node{};
      check_query_name(found.is_object() ? found.find("parameter") : Node{});
    }
  }

  static std::string text_of(const Node& node) {
    return node ? std::string(node.string()) : std::string();
  }

  void check_path_name(const Node& name) { check_name(Location::kPath, name); }

  void check_query_name(const Node& name) { check_name(Location::kQuery, name); }

  void check_name(Location location, const Node& name) {
    if (name) {
      check_parameter(location, name.string(), name);
    }
  }

  // Names that an object spreads over the query are its schema's; an API key has its own.
  bool is_spread(Location location, std::string_view name) const {
    return operation_.has_api_key(location, name) ||
           (location == Location::kQuery && operation_.querystring() != nullptr) ||
           std::ranges::any_of(operation_.parameters, [&](const Parameter& parameter) {
             return parameter.location == location && location == Location::kQuery &&
                    (!parameter.schema ||
                     allows(Schemas{*parameter.schema}, spec::schema::kObjectType));
           });
  }

  // `place` is the node or the member that has the name.
  template <typename Place>
  void check_parameter(Location location, std::string_view name, const Place& place) {
    const bool in_path = location == Location::kPath;
    if (operation_.parameter(location, name) != nullptr || is_spread(location, name) ||
        (in_path && operation_.path.find('{' + std::string(name) + '}') != std::string::npos)) {
      return;
    }
    Texts known;
    for (const auto& parameter : operation_.parameters) {
      if (parameter.location == location) {
        known.push_back(parameter.name);
      }
    }
    names_.unknown.push_back(place.problem(
        must_be(std::string(in_path ? "a path" : "a query") + " parameter of " + operation_.name,
                name, known)));
  }

  static std::vector<Schemas> bodies_of(
      const std::vector<spec::contract::MediaTypeObject>& contents) {
    const auto schema = spec::contract::json_schema(contents);
    return schema ? std::vector<Schemas>{{*schema}} : std::vector<Schemas>{};
  }

  // The bodies of every success response; if there is none, of the default.
  std::vector<Schemas> success_bodies() const {
    std::vector<Schemas> bodies;
    for (const bool is_default : {false, true}) {
      for (const auto& response : operation_.responses) {
        if (response.is_success() || (is_default && response.lowest_status() == 0)) {
          const auto more = bodies_of(response.contents);
          bodies.insert(bodies.end(), more.begin(), more.end());
        }
      }
      if (!bodies.empty()) {
        break;
      }
    }
    return bodies;
  }

  // A pointer with "*" for every element, below `above`.
  void check_place(const Node& node, const std::string& above = {}) {
    if (node) {
      note(look_up(success_bodies(), above + std::string(node.string())), "a success response",
           node);
    }
  }

  template <typename Place>
  void note(const Known& known, const char* body, const Place& place) {
    if (known.kind == Known::Kind::kNamed) {
      return;
    }
    const bool is_unknown = known.kind == Known::Kind::kUnknown;
    const auto words = (is_unknown ? "must be a place in " : "cannot be checked: of ") +
                       std::string(body) + " of " + operation_.name + ", ";
    (is_unknown ? names_.unknown : names_.undecided)
        .push_back(place.problem(words + known.message));
  }

  // Known where one of the schemas knows it; unknown where none leaves it open.
  Known look_up(const std::vector<Schemas>& bodies, std::string_view pointer) const {
    Known best{Known::Kind::kUndecided, "the contract has no schema"};
    bool is_first = true;
    for (const auto& body : bodies) {
      auto known = look_up(body, pointer);
      if (is_first || known.kind < best.kind) {
        best = std::move(known);
      }
      is_first = false;
    }
    return best;
  }

  Known look_up(const Schemas& body, std::string_view pointer) const {
    Schemas schemas = body;
    const auto tokens = spec::json::split_pointer(pointer);
    for (const auto& token : tokens.value_or(std::vector<std::string>{})) {
      if (schemas.empty()) {
        return {Known::Kind::kUndecided, "no schema says what is above " + quoted(token)};
      }
      const auto& seen = contract_.possible_summaries().summary_of(schemas);
      auto below = seen.part(token);
      if (seen.property(token) == nullptr) {
        if (auto known = step(seen, schemas, token, below.empty())) {
          return *known;
        }
      }
      schemas = std::move(below);
    }
    return {};
  }

  // Nothing where the way goes on.
  std::optional<Known> step(const Summary& seen, const Schemas& schemas, const std::string& token,
                            bool says_nothing) const {
    const bool is_element = token == "*" || spec::json::array_index(token);
    if (!allows(schemas, is_element ? spec::schema::kArrayType : spec::schema::kObjectType)) {
      return Known{Known::Kind::kUnknown, std::string("but what is above ") + quoted(token) +
                                              " is no " + (is_element ? "array" : "object")};
    }
    Texts names;
    for (const auto& [name, schema] : seen.properties) {
      names.emplace_back(name);
    }
    const auto near = spec::text::did_you_mean(token, names);
    if (is_element || (near.empty() && !says_nothing)) {
      return std::nullopt;
    }
    const bool is_unknown = says_nothing && (seen.is_closed || !names.empty());
    return Known{
        is_unknown ? Known::Kind::kUnknown : Known::Kind::kUndecided,
        (is_unknown ? "but no schema has " : "no schema names ") + quoted(token) +
            (near.empty() && !names.empty() ? spec::text::suggest_known(token, names) : near)};
  }

  static std::string quoted(std::string_view text) { return spec::text::in_quotes(text); }

  bool allows(const Schemas& schemas, spec::schema::TypeSet types) const {
    return std::ranges::all_of(schemas, [&](spec::schema::SchemaId id) {
      return (possible_types(contract_.schemas().program(), id) & types) != 0;
    });
  }

  const Contract& contract_;
  const Operation& operation_;
  RuleNames& names_;
};

// Every ${name} below `node`, and every subject that is named without the signs.
class SubjectNames {
 public:
  SubjectNames(const Contract& contract, const std::vector<Subject>& subjects, RuleNames& names)
      : contract_(contract), subjects_(subjects), names_(names) {}

  void check(const Node& node) {
    for (const auto& member : node.members()) {
      check(member.value);
    }
    for (const auto& element : node.elements()) {
      check(element);
    }
    if (node.is_string()) {
      for (const auto& name : names_in(json(std::string(node.string())))) {
        check_name(node, name);
      }
    }
  }

  void check_name(const Node& node, std::string_view name) {
    if (is_credential(name) || is_declared(name, subjects_) || is_of_operation(name, contract_)) {
      return;
    }
    Texts known;
    for (const auto& subject : subjects_) {
      known.emplace_back(subject.name);
    }
    names_.unknown.push_back(node.problem(must_be("declared under `subjects`", name, known)));
  }

 private:
  const Contract& contract_;
  const std::vector<Subject>& subjects_;
  RuleNames& names_;
};

// Operations that were left out may be those that the rules name.
bool is_whole(const Contract& contract) {
  return std::ranges::none_of(contract.warnings(), [](const spec::Problem& warning) {
    return warning.message.starts_with(spec::contract::kLeftOut);
  });
}

}  // namespace

RuleNames check_rule_names(const Node& root, const std::vector<Subject>& subjects,
                           const Contract& contract) {
  RuleNames names;
  SubjectNames used(contract, subjects, names);
  for (const auto& member : root.find("operations").members()) {
    const auto* const operation = contract.operation(member.key);
    if (operation == nullptr) {
      (is_whole(contract) ? names.unknown : names.undecided)
          .push_back(member.problem(no_operation(member.key, contract)));
      continue;
    }
    OperationNames(contract, *operation, names).check(member.value);
    used.check(member.value);
    for (const auto& field : member.value.find("update").find("fields").members()) {
      if (const auto restore = field.value.find("restore")) {
        used.check_name(restore, restore.string());
      }
    }
  }
  return names;
}

std::string no_operation(std::string_view id, const Contract& contract) {
  Texts known;
  for (const auto& operation : contract.operations()) {
    known.emplace_back(operation.id);
  }
  return must_be("the id of an operation of the contract", id, known);
}

std::string no_rule(std::string_view rule, const RuleBook& book) {
  Texts known;
  for (const auto& [id, entry] : book) {
    known.emplace_back(id);
  }
  return must_be("a rule of rules/rule_book.yaml", rule, known);
}

}  // namespace contract_tests::plan
