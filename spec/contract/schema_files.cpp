#include "spec/contract/schema_files.hpp"

#include "spec/contract/contract.hpp"
#include "spec/contract/contract_state.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/applicable.hpp"
#include "spec/schema/keyword.hpp"
#include "spec/schema/validator/validate.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

namespace spec::contract {

namespace {

using document::Member;
using document::Node;
using schema::Direction;

constexpr std::array<std::string_view, 8> kNotWritten{
    "discriminator", "xml", "externalDocs", "example", "nullable", "$schema", "$id", "title"};

bool is_true(const Node& node) {
  return node.is_boolean() && node.boolean();
}

class SchemaWriter {
 public:
  SchemaWriter(const Contract::State& state, Direction direction)
      : state_(state), direction_(direction) {}

  // None if a reference is not a JSON pointer.
  std::optional<std::string> write(const Node& place, const std::string& name,
                                   const std::string& title) {
    root_ = follow(place);
    written_ = root_;
    open('{');
    member("$schema", R"("https://json-schema.org/draft/2020-12/schema")");
    member("$id", json::write("urn:counterpart:schema:" + name));
    const Node own_title = root_.find("title");
    member("title", own_title ? json::write(own_title.value()) : json::write(title));
    if (root_.is_boolean()) {
      member("allOf", root_.boolean() ? "[true]" : "[false]");
    } else {
      write_members(root_);
    }
    write_definitions();
    close('}');
    out_ += '\n';
    return is_whole_ ? std::optional(std::move(out_)) : std::nullopt;
  }

 private:
  // Follows schemas that are only references.
  Node follow(Node node) const {
    while (node.is_object() && node.find("$ref") && (node.size() == 1 || ignores_siblings())) {
      const Node target = state_.referred(node);
      if (!target) {
        return node;
      }
      node = target;
    }
    return node;
  }

  bool ignores_siblings() const { return state_.version == Version::k30; }

  void write_schema(const Node& node) {
    if (!node.is_object()) {
      out_ += json::write(node.value());
      return;
    }
    open('{');
    const Node title = node.find("title");
    if (title && !(node.find("$ref") && ignores_siblings())) {
      member("title", json::write(title.value()));
    }
    write_members(node);
    close('}');
  }

  void write_members(const Node& node) {
    if (node.find("$ref").is_string()) {
      write_reference(node);
      if (ignores_siblings()) {
        return;
      }
    }
    for (const Member& one : node.members()) {
      write_member(node, one);
    }
    if (const Node example = node.find("example"); example && !node.find("examples")) {
      member("examples", '[' + json::write(example.value()) + ']');
    }
  }

  void write_member(const Node& node, const Member& one) {
    const std::string_view key = one.key;
    is_whole_ = is_whole_ && key != "$dynamicRef" && key != "$anchor" && key != "$dynamicAnchor";
    if (key.starts_with("x-") || key == "$ref" ||
        std::ranges::find(kNotWritten, key) != kNotWritten.end()) {
      return;
    }
    const schema::KeywordRow* row = schema::find_keyword(key);
    const auto inner = row == nullptr ? schema::Subschemas::kNone : row->subschemas;
    if (inner == schema::Subschemas::kOne) {
      start_member(key);
      write_schema(one.value);
    } else if (inner == schema::Subschemas::kList) {
      write_list(one);
    } else if (inner == schema::Subschemas::kMap) {
      write_map(one);
    } else if (key == "required") {
      write_required(node, one.value);
    } else if (state_.version == Version::k30) {
      write_old_keyword(node, one);
    } else {
      member(key, json::write(one.value.value()));
    }
  }

  void write_list(const Member& one) {
    start_member(one.key);
    open('[');
    for (const Node& element : one.value.elements()) {
      start_element();
      write_schema(element);
    }
    close(']');
  }

  void write_map(const Member& one) {
    start_member(one.key);
    open('{');
    for (const Member& inner : one.value.members()) {
      start_member(inner.key);
      write_schema(inner.value);
    }
    close('}');
  }

  // Source: OpenAPI 3.1.0 §4.8.24, readOnly and writeOnly.
  void write_required(const Node& node, const Node& list) {
    const schema::SchemaId whole = outermost(node);
    nlohmann::json names = nlohmann::json::array();
    const auto is_excused = [&](const Node& name) {
      return whole != Contract::State::kNoSchema && name.is_string() &&
             schema::declares_absent(state_.schemas, whole, name.string(), direction_) ==
                 schema::Verdict::kValid;
    };
    for (const Node& name : list.elements()) {
      if (!is_excused(name)) {
        names.push_back(name.value());
      }
    }
    member("required", json::write(names));
  }

  // The outermost schema around `node` that is about the same instance. Those that refer to the
  // schema that is being written do not count: others may refer to it, too.
  schema::SchemaId outermost(const Node& node) const {
    schema::SchemaId id = state_.schema_ids.find(node);
    for (Node at = node; at && at != written_;) {
      at = at.parent();
      const schema::SchemaId around = state_.schema_ids.find(at);
      if (around == Contract::State::kNoSchema) {
        continue;
      }
      const auto reached =
          schema::applicable(state_.schemas.program(), around, schema::Reach::kEvery);
      if (std::ranges::find(reached, id) == reached.end()) {
        break;
      }
      id = around;
    }
    return id;
  }

  // The keywords that OpenAPI 3.0 reads in its own way.
  void write_old_keyword(const Node& node, const Member& one) {
    const bool is_nullable = is_true(node.find("nullable")) && node.find("type");
    nlohmann::json value = one.value.value();
    if (one.key == "type" && is_nullable) {
      member("type", json::write(nlohmann::json::array({value, "null"})));
    } else if (one.key == "enum" && is_nullable && value.is_array()) {
      if (std::find(value.begin(), value.end(), nullptr) == value.end()) {
        value.push_back(nullptr);
      }
      member("enum", json::write(value));
    } else if (one.key == "minimum" || one.key == "maximum") {
      const bool is_minimum = one.key == "minimum";
      const Node exclusive = node.find(is_minimum ? "exclusiveMinimum" : "exclusiveMaximum");
      member(!is_true(exclusive) ? one.key
             : is_minimum        ? "exclusiveMinimum"
                                 : "exclusiveMaximum",
             json::write(value));
    } else if (!one.key.starts_with("exclusive")) {
      member(one.key, json::write(value));
    }
  }

  void write_reference(const Node& node) {
    const Node target = state_.referred(node);
    if (!target) {
      is_whole_ = false;
      return;
    }
    const Node to = follow(target);
    std::string reference = "#";
    if (to != root_) {
      json::append_token(reference, "$defs");
      json::append_token(reference, name_of(to));
    }
    member("$ref", json::write(reference));
  }

  // The name of a definition, made unique.
  const std::string& name_of(const Node& node) {
    const auto known = names_.find(node);
    if (known != names_.end()) {
      return known->second;
    }
    std::string key = node.key().empty() ? "root" : node.key();
    std::string name = key;
    const auto is_taken = [this](const std::string& wanted) {
      return std::any_of(definitions_.begin(), definitions_.end(),
                         [&](const Node& other) { return names_.at(other) == wanted; });
    };
    for (int number = 2; is_taken(name); ++number) {
      name = key + '_' + std::to_string(number);
    }
    definitions_.push_back(node);
    return names_.emplace(node, std::move(name)).first->second;
  }

  void write_definitions() {
    if (definitions_.empty()) {
      return;
    }
    // A schema's own $defs would have been written as a member of that name already.
    is_whole_ = is_whole_ && !(root_.is_object() && root_.find("$defs"));
    start_member("$defs");
    open('{');
    std::size_t next = 0;
    while (next < definitions_.size()) {  // which grows
      const Node node = definitions_[next++];
      start_member(names_.at(node));
      written_ = node;
      write_schema(node);
    }
    close('}');
  }

  void open(char bracket) {
    out_ += bracket;
    is_first_ = true;
    ++depth_;
  }

  void close(char bracket) {
    --depth_;
    if (!is_first_) {
      new_line();
    }
    out_ += bracket;
    is_first_ = false;
  }

  void new_line() {
    out_ += '\n';
    out_.append(depth_ * 2, ' ');
  }

  void start_element() {
    out_ += is_first_ ? "" : ",";
    is_first_ = false;
    new_line();
  }

  void start_member(std::string_view key) {
    start_element();
    out_ += json::write(std::string(key)) + ": ";
  }

  void member(std::string_view key, std::string_view text) {
    start_member(key);
    out_ += text;
  }

  const Contract::State& state_;
  Direction direction_;
  Node root_;
  Node written_;  // the root or a definition
  std::string out_;
  std::size_t depth_ = 0;
  bool is_first_ = true;
  bool is_whole_ = true;
  std::unordered_map<Node, std::string> names_;
  std::vector<Node> definitions_;
};

class FileLister {
 public:
  explicit FileLister(const Contract& contract) : contract_(contract) {}

  std::vector<SchemaFile> run() {
    for (const Operation& operation : contract_.operations()) {
      if (operation.body) {
        add(operation, operation.body->contents, "request", Direction::kRequest);
      }
      for (const Response& response : operation.responses) {
        add(operation, response.contents, "response." + response_key(response),
            Direction::kResponse);
      }
    }
    return std::move(files_);
  }

 private:
  void add(const Operation& operation, const std::vector<MediaTypeObject>& contents,
           const std::string& role, Direction direction) {
    const auto is_json = [](const MediaTypeObject& content) {
      return content.media_type.is_json() && content.schema.has_value();
    };
    const bool is_one = std::count_if(contents.begin(), contents.end(), is_json) == 1;
    const std::string title =
        operation.name + (direction == Direction::kRequest ? " request" : " response") +
        (direction == Direction::kRequest ? "" : role.substr(role.find('.') + 1).insert(0, " "));
    for (const MediaTypeObject& content : contents) {
      const std::string stem = operation.id + '.' + role;
      const std::string of_type = '.' + content.media_type.subtype;
      if (is_json(content)) {
        add_file(content.node.find("schema"), stem + (is_one ? "" : of_type), title, direction);
      }
      if (const Node item = content.item_schema ? content.node.find("itemSchema") : Node()) {
        add_file(item, stem + of_type + ".item", title + " item", direction);
      }
    }
  }

  void add_file(const Node& schema, const std::string& stem, const std::string& title,
                Direction direction) {
    if (auto text = SchemaWriter(contract_.state(), direction).write(schema, stem, title)) {
      files_.push_back({stem + ".schema.json", std::move(*text)});
    }
  }

  const Contract& contract_;
  std::vector<SchemaFile> files_;
};

}  // namespace

std::vector<SchemaFile> schema_files(const Contract& contract) {
  return FileLister(contract).run();
}

}  // namespace spec::contract
