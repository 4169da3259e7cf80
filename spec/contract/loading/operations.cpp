#include "spec/contract/loading/inspect.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/contract/loading/load_steps.hpp"
#include "spec/http/bytes.hpp"
#include "spec/http/method.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace spec::contract::loading {

namespace {

using document::Member;
using document::Node;

// A path of the document: its template and the Path Item Objects that describe it, its own first,
// then those that it refers to. Source: OpenAPI 3.1.0 §4.8.9.1, `$ref`.
struct PathItem {
  std::string path;
  std::vector<Segment> segments;
  std::vector<Node> layers;

  Node find(std::string_view field) const {
    for (const Node& layer : layers) {
      if (const Node found = layer.find(field)) {
        return found;
      }
    }
    return {};
  }
};

std::vector<Node> layers_of(LoadContext& context, Node node) {
  std::vector<Node> layers;
  for (int step = 0; node && step < kMaxReferences; ++step) {
    layers.push_back(node);
    const auto reference = reference_in(node);
    try {
      node = reference ? context.state.library.resolve(node, *reference) : Node();
    } catch (const LoadError&) {
      return layers;  // reported by inspection
    }
  }
  if (node) {
    context.report(layers.front(), "circular reference: this $ref leads back to itself");
  }
  return layers;
}

// "get_users_id" for GET /users/{id}.
std::string default_id(std::string_view method, std::string_view path) {
  std::string id(method);
  bool is_word_open = false;
  for (const char letter : path) {
    const bool is_word = text::is_letter_or_digit(letter) || letter == '_';
    if (is_word && !is_word_open) {
      id += '_';
    }
    if (is_word) {
      id += letter;
    }
    is_word_open = is_word;
  }
  return id;
}

// The status, or range, of a key in `responses`; false for a key that is none.
bool read_status(std::string_view key, Response& response) {
  if (key == "default") {
    return true;
  }
  if (key.size() != 3 || key[0] < '1' || key[0] > '5') {
    return false;
  }
  const int hundreds = key[0] - '0';
  if (key.substr(1) == "XX") {
    response.range = hundreds;
    return true;
  }
  const bool are_digits = text::is_all_digits(key.substr(1));
  response.status = are_digits ? hundreds * 100 + (key[1] - '0') * 10 + (key[2] - '0') : 0;
  return are_digits;
}

class OperationLoader {
 public:
  explicit OperationLoader(LoadContext& context) : context_(context) {}

  void run() {
    const Node root = context_.state.root;
    root_security_ = root.find("security");
    root_servers_ = root.find("servers");
    for (const Member& member : root.find("paths").members()) {
      if (!member.key.starts_with("x-")) {
        load_path(member);
      }
    }
    if (context_.tolerates) {
      leave_out_lost();
    }
    name_the_rest();
    for (const Operation& operation : context_.state.operations) {
      prefixes_.add(operation.index, servers_[operation.index]);
    }
    build_routers();
  }

 private:
  void load_path(const Member& member) {
    PathItem item{.path = std::string(member.key), .segments = {}, .layers = {}};
    auto segments = parse_path_template(item.path);
    if (!segments) {
      context_.report(member.value, "invalid path \"" + item.path +
                                        "\": it must start with \"/\" and close each \"{\"");
      return;
    }
    item.segments = std::move(*segments);
    item.layers = layers_of(context_, member.value);
    if (reference_in(item.layers.back())) {
      lost_paths_.insert(item.path);
    }
    for (const http::Method& method : http::kMethods) {
      const Node node = item.find(method.field);
      if (node.is_object() &&
          has_field(ObjectKind::kPathItem, method.field, context_.state.version)) {
        load_operation(item, method.name, node);
      }
    }
    if (has_field(ObjectKind::kPathItem, "additionalOperations", context_.state.version)) {
      load_additional_operations(item);
    }
  }

  // Methods with a field of their own are left out, and names that are no method; check_rules
  // reports both.
  void load_additional_operations(const PathItem& item) {
    for (const Member& one : item.find("additionalOperations").members()) {
      if (is_additional_method(one.key) && one.value.is_object()) {
        load_operation(item, one.key, one.value);
      }
    }
  }

  void load_operation(const PathItem& item, std::string_view method, const Node& node) {
    Operation operation;
    operation.index = static_cast<std::uint32_t>(context_.state.operations.size());
    operation.method = method;
    operation.path = item.path;
    operation.name = operation.method + ' ' + operation.path;
    operation.summary = text_of(node, "summary");
    operation.deprecated = flag_of(node, "deprecated");
    operation.node = node;
    operation.statement = context_.statement(node);
    servers_.push_back(servers_of(item, node));
    read_id(node, operation);
    read_rejected_examples(node);
    read_parameters(item, node, operation);
    read_body(node, operation);
    read_responses(node, operation);
    const Node security = node.find("security") ? node.find("security") : root_security_;
    operation.security = load_security(context_, security);
    operation.security_statement = security ? context_.statement(security) : operation.statement;
    if (context_.keys_are_no_parameters) {
      std::erase_if(operation.parameters, [&operation](const Parameter& parameter) {
        return operation.has_api_key(parameter.location, parameter.name);
      });
    }
    operation.segments = item.segments;
    find_gaps(context_, item.find("parameters"), operation);
    context_.state.operations.push_back(std::move(operation));
  }

  // Removes the operations that depend on a lost reference, if any operation is left then.
  void leave_out_lost() {
    Contract::State& state = context_.state;
    const std::vector<bool> lost = state.schemas.reaching_lost_references();
    std::vector<Operation> operations;
    std::vector<Node> servers;
    std::vector<Problem> left_out;
    for (std::size_t i = 0; i < state.operations.size(); ++i) {
      const Operation& operation = state.operations[i];
      const bool is_lost =
          lost_paths_.contains(operation.path) || has_lost_reference(operation, lost);
      if (is_lost) {
        left_out.push_back(operation.node.problem(kLeftOut + operation.name));
      } else {
        servers.push_back(servers_[i]);
        operations.push_back(operation);
        operations.back().index = static_cast<std::uint32_t>(operations.size() - 1);
      }
    }
    if (!operations.empty() && !left_out.empty()) {
      state.operations = std::move(operations);
      servers_ = std::move(servers);
      std::ranges::move(left_out, std::back_inserter(context_.warnings));
    }
  }

  // The nearest list replaces the others. Source: OpenAPI 3.1.0 §4.8.9.1, §4.8.10.1, `servers`.
  Node servers_of(const PathItem& item, const Node& operation) const {
    for (const Node& servers : {operation.find("servers"), item.find("servers")}) {
      if (servers) {
        return servers;
      }
    }
    return root_servers_;
  }

  // Builds one router for each different set of operations: that of all of them first.
  void build_routers() {
    Contract::State& state = context_.state;
    std::vector<std::uint32_t> all(state.operations.size());
    std::iota(all.begin(), all.end(), std::uint32_t{0});
    std::map<std::vector<std::uint32_t>, std::size_t> known;
    const auto router_of = [&](const std::vector<std::uint32_t>& operations) {
      const auto [entry, is_new] = known.try_emplace(operations, state.routers.size());
      if (is_new) {
        Router& router = state.routers.emplace_back();
        for (const std::uint32_t index : operations) {
          const Operation& operation = state.operations[index];
          router.add(operation.path, operation.segments, operation.method, index);
        }
      }
      return entry->second;
    };
    router_of(all);
    for (const auto& [prefix, operations] : prefixes_.operations()) {
      state.prefixes.push_back({prefix, router_of(operations)});
    }
    std::ranges::stable_sort(state.prefixes, std::ranges::greater(),
                             [](const ServerPrefix& one) { return one.text.size(); });
  }

  void read_id(const Node& node, Operation& operation) {
    operation.id = text_of(node, "operationId");
    if (operation.id.empty()) {
      return;
    }
    const auto [entry, is_new] = ids_.emplace(operation.id, node);
    if (!is_new) {
      context_.report(node.find("operationId"),
                      "duplicate operationId \"" + operation.id + "\" (first at line " +
                          std::to_string(entry->second.place().line) + ")");
      operation.id.clear();
    }
  }

  // An example of a request that shares its name with one of a 4xx response shows an invalid
  // request.
  void read_rejected_examples(const Node& node) {
    context_.rejected_examples.clear();
    note_rejected_examples(context_, node);
  }

  void read_parameters(const PathItem& item, const Node& node, Operation& operation) {
    const std::vector<std::string> names = parameter_names(item.segments);
    const std::unordered_set<std::string> in_template(names.begin(), names.end());
    std::unordered_set<std::string> described;
    for (Parameter& parameter :
         load_parameters(context_, item.find("parameters"), node.find("parameters"))) {
      if (parameter.location == Location::kPath) {
        described.insert(parameter.name);
        operation.needs_raw_path = operation.needs_raw_path || needs_raw(parameter);
        if (!in_template.contains(parameter.name)) {
          context_.add_violation(parameter.node, "path parameter \"" + parameter.name +
                                                     "\" is ignored: \"" + item.path +
                                                     "\" has no {" + parameter.name + "}");
          continue;
        }
      }
      operation.parameters.push_back(std::move(parameter));
    }
    for (const std::string& name : in_template) {
      if (!described.contains(name)) {
        context_.add_violation(node, "the path parameter {" + name + "} of \"" + item.path +
                                         "\" is not described; any text is valid for it");
      }
    }
  }

  // A value with delimiters in it must be cut while it is still encoded.
  bool needs_raw(const Parameter& parameter) {
    const Shape* shape = context_.state.shapes.find(parameter.shape);
    return parameter.style != Style::kSimple ||
           (shape != nullptr && shape->is_typed &&
            shape->allows(schema::kArrayType | schema::kObjectType));
  }

  void read_body(const Node& operation_node, Operation& operation) {
    const Node place = operation_node.find("requestBody");
    const Node node = place ? context_.follow(place) : Node();
    if (!node) {
      return;
    }
    // Source: OpenAPI 3.0.3 §4.7.10.1, `requestBody`; RFC 7231 §4.3.
    if (context_.state.version == Version::k30 &&
        http::has_body_use(operation.method, http::BodyUse::kUndefined)) {
      context_.warn(
          place, "the request body is ignored: OpenAPI 3.0 defines none for " + operation.method);
      return;
    }
    RequestBody body;
    body.node = node;
    body.required = flag_of(node, "required");
    body.statement = context_.statement(place);
    const Node required = node.find("required");
    body.required_statement = required ? context_.statement(required) : body.statement;
    body.contents = load_contents(context_, node.find("content"), schema::Direction::kRequest);
    operation.body = std::move(body);
  }

  void read_responses(const Node& operation_node, Operation& operation) {
    for (const Member& member : operation_node.find("responses").members()) {
      Response response;
      if (member.key.starts_with("x-")) {
        continue;
      }
      if (!read_status(member.key, response)) {
        context_.report(member.value, "invalid status \"" + std::string(member.key) +
                                          "\": use a status (200), a range (2XX) or default");
        continue;
      }
      const Node node = context_.follow(member.value);
      response.node = node;
      response.statement = context_.statement(member.value);
      response.contents =
          load_contents(context_, node.find("content"), schema::Direction::kResponse);
      response.headers = load_headers(context_, node.find("headers"), schema::Direction::kResponse);
      operation.responses.push_back(std::move(response));
    }
  }

  void name_the_rest() {
    for (Operation& operation : context_.state.operations) {
      if (!operation.id.empty()) {
        continue;
      }
      const std::string wanted = default_id(text::to_lower(operation.method), operation.path);
      std::string id = wanted;
      for (int number = 2; !ids_.emplace(id, operation.node).second; ++number) {
        id = wanted + '_' + std::to_string(number);
      }
      operation.id = id;
    }
  }

  LoadContext& context_;
  Node root_security_;
  Node root_servers_;
  ServerPrefixes prefixes_;
  std::vector<Node> servers_;         // of each operation: the list that is nearest
  std::set<std::string> lost_paths_;  // whose $ref leads nowhere
  std::unordered_map<std::string, Node> ids_;
};

}  // namespace

bool is_additional_method(std::string_view name) {
  return !name.empty() && http::is_all(name, http::kTokenByte) &&
         http::find_method(name) == nullptr;
}

void load_operations(LoadContext& context) {
  OperationLoader(context).run();
}

}  // namespace spec::contract::loading
