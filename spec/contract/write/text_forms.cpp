// CSV and XML.

#include "spec/contract/contract_state.hpp"
#include "spec/contract/write/write_body.hpp"
#include "spec/contract/write/write_parameter.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/applicable.hpp"
#include "spec/schema/validator/instance_schemas.hpp"
#include "spec/text/encoding.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <utility>

namespace spec::contract::write {

namespace {

using document::Node;
using Json = nlohmann::json;

std::string text_of(const Json& value) {
  return value.is_null() ? "" : scalar_text(value).value_or(spec::json::write(value));
}

std::string csv_line(const Json& cells) {
  std::string line;
  for (const Json& each : cells) {
    std::string cell = text_of(each);
    if (cell.find_first_of(",\"\r\n") != std::string::npos) {
      for (auto at = cell.find('"'); at != std::string::npos; at = cell.find('"', at + 2)) {
        cell.insert(at, 1, '"');
      }
      cell = '"' + cell + '"';
    }
    line += cell;
    line += &each == &cells.back() ? "\r\n" : ",";
  }
  return line;
}

// Writes XML by the `xml` objects of the schemas that apply to each part of the value: names,
// attributes, prefixes, wrapped lists. If several apply to one part, the first counts.
class XmlWriter {
 public:
  XmlWriter(const Contract& contract, std::optional<schema::SchemaId> schema, const Json& value)
      : has_types_(contract.state().version >= Version::k32) {
    if (schema) {
      visit_applied(contract.schemas(), *schema, value, {},
                    [&](schema::SchemaId id, const Json& part, const schema::Path*) {
                      if (const Node xml = keyword_value(contract.schemas().program(), id, "xml")) {
                        xml_.try_emplace(&part, xml);
                      }
                      return true;
                    });
    }
  }

  void add_element(const std::string& usual, const Json& value) {
    static const Json no_members = Json::object();
    const Json& members = value.is_object() ? value : no_members;
    const std::string name = open(usual, value);
    for (const auto& [key, member] : members.items()) {
      if (is_attribute(member)) {
        text_ += ' ' + name_of(member, key) + "=\"" + text::escape_xml(text_of(member)) + '"';
      }
    }
    text_ += '>';
    add_members(members);
    for (std::size_t i = 0; value.is_array() && i < value.size(); ++i) {
      add_node("item", value[i]);
    }
    text_ += (value.is_structured() ? "" : text::escape_xml(text_of(value))) + "</" + name + '>';
  }

  std::string text() && { return std::move(text_); }

 private:
  // A field of the `xml` object for the value; an empty handle if it has none.
  Node field(const Json& value, std::string_view key) const {
    const auto found = xml_.find(&value);
    return found == xml_.end() ? Node() : found->second.find(key);
  }

  std::string said(const Json& value, std::string_view key, std::string usual = "") const {
    const Node found = field(value, key);
    return found.is_string() ? std::string(found.string()) : std::move(usual);
  }

  bool says(const Json& value, std::string_view key) const {
    const Node found = field(value, key);
    return found.is_boolean() && found.boolean();
  }

  // The `nodeType` of 3.2, "" before. Source: OpenAPI 3.2.0, XML Node Types.
  std::string type_of(const Json& value) const {
    return has_types_ ? said(value, "nodeType") : std::string();
  }

  bool is_attribute(const Json& member) const {
    return !member.is_structured() && (says(member, "attribute") || type_of(member) == "attribute");
  }

  void add_members(const Json& members) {
    for (const auto& [key, member] : members.items()) {
      if (!is_attribute(member)) {
        add_member(key, member);
      }
    }
  }

  // A value that is text of the element around it, or whose parts are its parts, else an element.
  void add_node(const std::string& key, const Json& value) {
    const std::string type = type_of(value);
    if (type == "text") {
      text_ += text::escape_xml(text_of(value));
    } else if (type == "cdata") {
      text_ += "<![CDATA[" + text_of(value) + "]]>";
    } else if (type == "none" && value.is_object()) {
      add_members(value);
    } else {
      add_element(key, value);
    }
  }

  std::string name_of(const Json& value, const std::string& usual) const {
    const std::string prefix = said(value, "prefix");
    return (prefix.empty() ? "" : prefix + ':') + said(value, "name", usual);
  }

  // Writes the start of a tag, without its ">"; returns its name.
  std::string open(const std::string& usual, const Json& value) {
    std::string name = name_of(value, usual);
    text_ += '<' + name;
    if (const std::string space = said(value, "namespace"); !space.empty()) {
      const std::string prefix = said(value, "prefix");
      text_ +=
          " xmlns" + (prefix.empty() ? "" : ':' + prefix) + "=\"" + text::escape_xml(space) + '"';
    }
    return name;
  }

  void add_member(const std::string& key, const Json& value) {
    if (!value.is_array()) {
      return add_node(key, value);
    }
    const bool is_wrapped = says(value, "wrapped") || type_of(value) == "element";
    const std::string wrapper = is_wrapped ? open(key, value) : "";
    text_ += is_wrapped ? ">" : "";
    for (const Json& each : value) {
      add_node(is_wrapped || has_types_ ? key : name_of(value, key), each);
    }
    text_ += is_wrapped ? "</" + wrapper + '>' : "";
  }

  bool has_types_ = false;
  std::map<const Json*, Node> xml_;  // by the part of the value
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
  const schema::SchemaSet& schemas = form.contract.schemas();
  const auto& schema = form.content.schema;
  const Node root = schema ? schemas.source(follow_references(schemas.program(), *schema)) : Node();
  const bool is_component = root && root.parent() && root.parent().key() == "schemas";
  XmlWriter writer(form.contract, schema, value);
  writer.add_element(is_component ? root.key() : "root", value);
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + std::move(writer).text() + '\n';
}

}  // namespace spec::contract::write
