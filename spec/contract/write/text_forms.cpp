// CSV and XML.

#include "spec/contract/write/body.hpp"
#include "spec/contract/write/parameter.hpp"
#include "spec/json/value.hpp"

#include <nlohmann/json.hpp>

#include <map>

namespace spec::contract::write {

namespace {

using document::Node;
using Json = nlohmann::json;

std::string text_of(const Json& value) {
  return value.is_null() ? "" : scalar_text(value).value_or(spec::json::write(value));
}

std::string replaced(const std::string& text, const std::map<char, std::string>& replacements) {
  std::string out;
  for (const char c : text) {
    const auto found = replacements.find(c);
    out += found == replacements.end() ? std::string(1, c) : found->second;
  }
  return out;
}

std::string csv_line(const Json& cells) {
  std::string line;
  for (const Json& each : cells) {
    const std::string cell = text_of(each);
    const bool is_quoted = cell.find_first_of(",\"\r\n") != std::string::npos;
    line += is_quoted ? '"' + replaced(cell, {{'"', "\"\""}}) + '"' : cell;
    line += &each == &cells.back() ? "\r\n" : ",";
  }
  return line;
}

std::string escaped(const std::string& text) {
  return replaced(text, {{'<', "&lt;"}, {'>', "&gt;"}, {'&', "&amp;"}, {'"', "&quot;"}});
}

// As the schema's `xml` objects say: names, attributes, prefixes, wrapped lists.
class XmlWriter {
 public:
  explicit XmlWriter(const Contract& contract) : contract_(contract) {}

  void add_element(const std::string& usual, const Json& value, const Node& unfollowed) {
    const Node schema = followed(contract_, unfollowed);
    const std::string name = name_of(schema, usual);
    open(name, schema);
    const Json members = value.is_object() ? value : Json::object();
    std::vector<std::pair<std::string, Json>> inner;
    for (const auto& [key, member] : members.items()) {
      const Node kind = property_schema(contract_, schema, key);
      if (says(kind, "attribute") && !member.is_structured()) {
        text_ += ' ' + name_of(kind, key) + "=\"" + escaped(text_of(member)) + '"';
      } else {
        inner.emplace_back(key, member);
      }
    }
    text_ += '>';
    for (const auto& [key, member] : inner) {
      add_member(key, member, property_schema(contract_, schema, key));
    }
    for (const Json& each : value.is_array() ? value : Json::array()) {
      add_element("item", each, schema.find("items"));
    }
    text_ += (value.is_structured() ? "" : escaped(text_of(value))) + "</" + name + '>';
  }

  std::string text() && { return std::move(text_); }

 private:
  static std::string said(const Node& schema, std::string_view key, std::string usual = "") {
    const Node value = schema.find("xml").find(key);
    return value.is_string() ? std::string(value.string()) : usual;
  }

  static bool says(const Node& schema, std::string_view key) {
    const Node value = schema.find("xml").find(key);
    return value.is_boolean() && value.boolean();
  }

  static std::string name_of(const Node& schema, const std::string& usual) {
    const std::string prefix = said(schema, "prefix");
    return (prefix.empty() ? "" : prefix + ':') + said(schema, "name", usual);
  }

  void open(const std::string& name, const Node& schema) {
    const std::string prefix = said(schema, "prefix");
    const std::string space = said(schema, "namespace");
    text_ += '<' + name;
    if (!space.empty()) {
      text_ += " xmlns" + (prefix.empty() ? "" : ':' + prefix) + "=\"" + escaped(space) + '"';
    }
  }

  void add_member(const std::string& key, const Json& value, const Node& kind) {
    if (!value.is_array()) {
      return add_element(key, value, kind);
    }
    const std::string name = name_of(kind, key);
    const bool is_wrapped = says(kind, "wrapped");
    if (is_wrapped) {
      open(name, kind);
      text_ += '>';
    }
    for (const Json& each : value) {
      add_element(is_wrapped ? key : name, each, kind.find("items"));
    }
    text_ += is_wrapped ? "</" + name + '>' : "";
  }

  const Contract& contract_;
  std::string text_;
};

}  // namespace

std::string write_csv(const Json& value) {
  const Json rows = value.is_array() ? value : Json::array({value});
  Json all = Json::object();  // every name that a row has
  for (const Json& row : rows) {
    all.update(row.is_object() ? row : Json::object());
  }
  Json cells = Json::array();
  for (const auto& [name, member] : all.items()) {
    cells.push_back(name);
  }
  std::string text = csv_line(cells);
  for (const Json& row : rows) {
    cells = row.is_array() ? row : row.is_object() ? Json::array() : Json::array({row});
    for (auto name = all.begin(); row.is_object() && name != all.end(); ++name) {
      cells.push_back(row.value(name.key(), Json()));
    }
    text += csv_line(cells);
  }
  return text;
}

std::string write_xml(const BodyForm& form, const Json& value) {
  const auto& schema = form.content.schema;
  const Node root =
      schema ? followed(form.contract, form.contract.schemas().source(*schema)) : Node();
  const bool is_component = root && root.parent() && root.parent().key() == "schemas";
  XmlWriter writer(form.contract);
  writer.add_element(is_component ? root.key() : "root", value, root);
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + std::move(writer).text() + '\n';
}

}  // namespace spec::contract::write
