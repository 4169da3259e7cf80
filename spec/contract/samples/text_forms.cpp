#include "spec/contract/samples/text_forms.hpp"

#include "spec/contract/samples/write_value.hpp"
#include "spec/json/value.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

namespace spec::contract::samples {

namespace {

using document::Node;
using Json = nlohmann::json;

std::string cell(const Json& value) {
  const std::string text =
      value.is_null() ? "" : scalar_text(value).value_or(spec::json::write(value));
  if (text.find_first_of(",\"\r\n") == std::string::npos) {
    return text;
  }
  std::string quoted = "\"";
  for (const char letter : text) {
    quoted += letter == '"' ? "\"\"" : std::string{letter};
  }
  return quoted + '"';
}

std::string line(const std::vector<std::string>& cells) {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    text += (i == 0 ? "" : ",") + cells[i];
  }
  return text + "\r\n";
}

std::vector<std::string> names_in(const Json& rows) {
  std::vector<std::string> names;
  for (const Json& row : rows) {
    for (const auto& [name, value] : row.items()) {
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        names.push_back(name);
      }
    }
  }
  return names;
}

std::string table_of_objects(const Json& rows) {
  const std::vector<std::string> names = names_in(rows);
  std::vector<std::string> head;
  for (const std::string& name : names) {
    head.push_back(cell(name));
  }
  std::string text = line(head);
  for (const Json& row : rows) {
    std::vector<std::string> cells;
    for (const std::string& name : names) {
      cells.push_back(row.contains(name) ? cell(row[name]) : "");
    }
    text += line(cells);
  }
  return text;
}

std::string escape(std::string_view text) {
  std::string escaped;
  for (const char letter : text) {
    switch (letter) {
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '&': escaped += "&amp;"; break;
      case '"': escaped += "&quot;"; break;
      default:
        // Other controls cannot stand in XML 1.0 at all.
        escaped += static_cast<unsigned char>(letter) < 0x20U && letter != '\n' && letter != '\t'
                       ? ' '
                       : letter;
    }
  }
  return escaped;
}

// A name that XML takes: what it does not becomes "_".
std::string element_name(std::string_view name) {
  std::string sound(name);
  for (char& letter : sound) {
    const bool is_sound = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                          (letter >= '0' && letter <= '9') || letter == '_' || letter == '-' ||
                          letter == '.' || letter == ':' ||
                          (static_cast<unsigned char>(letter) & 0x80U) != 0;
    letter = is_sound ? letter : '_';
  }
  const bool starts_well =
      !sound.empty() && sound[0] != '-' && sound[0] != '.' && (sound[0] < '0' || sound[0] > '9');
  return starts_well ? sound : '_' + sound;
}

class XmlWriter {
 public:
  explicit XmlWriter(const Follow& follow) : follow_(follow) {}

  std::string write(const Json& value, const Node& schema) {
    const Node followed = follow_(schema);
    text_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    const std::string name = name_of(followed, name_of_place(followed));
    element(name, value, followed);
    return text_ + '\n';
  }

 private:
  // A component's schema is called as it stands there.
  static std::string name_of_place(const Node& schema) {
    const bool is_named = schema && schema.parent() && schema.parent().key() == "schemas";
    return is_named ? schema.key() : "root";
  }

  static std::string name_of(const Node& schema, std::string_view usual) {
    const Node xml = schema.find("xml");
    const Node name = xml.find("name");
    const Node prefix = xml.find("prefix");
    return (prefix.is_string() ? std::string(prefix.string()) + ':' : "") +
           element_name(name.is_string() ? name.string() : usual);
  }

  static bool says(const Node& schema, std::string_view key) {
    const Node value = schema.find("xml").find(key);
    return value.is_boolean() && value.boolean();
  }

  // The schema of a member, wherever in allOf it stands.
  Node property(const Node& schema, const std::string& name) const {
    if (const Node found = schema.find("properties").find(name)) {
      return follow_(found);
    }
    for (const Node& part : schema.find("allOf").elements()) {
      if (const Node found = property(follow_(part), name)) {
        return found;
      }
    }
    return {};
  }

  void open(const std::string& name, const Node& schema, const std::string& attributes) {
    const Node space = schema.find("xml").find("namespace");
    const Node prefix = schema.find("xml").find("prefix");
    text_ += '<' + name + attributes;
    if (space.is_string()) {
      text_ += " xmlns" + (prefix.is_string() ? ':' + std::string(prefix.string()) : "") + "=\"" +
               escape(space.string()) + '"';
    }
    text_ += '>';
  }

  void close(const std::string& name) { text_ += "</" + name + '>'; }

  void element(const std::string& usual, const Json& value, const Node& unfollowed) {
    const Node schema = follow_(unfollowed);
    const std::string name = name_of(schema, usual);
    if (value.is_array()) {
      open(name, schema, "");
      for (const Json& each : value) {
        element("item", each, schema.find("items"));
      }
      close(name);
      return;
    }
    if (!value.is_object()) {
      open(name, schema, "");
      text_ += value.is_null() ? "" : escape(scalar_text(value).value_or(spec::json::write(value)));
      close(name);
      return;
    }
    std::string attributes;
    for (const auto& [key, member] : value.items()) {
      const Node kind = property(schema, key);
      if (says(kind, "attribute") && !member.is_structured()) {
        attributes +=
            ' ' + name_of(kind, key) + "=\"" + escape(scalar_text(member).value_or("")) + '"';
      }
    }
    open(name, schema, attributes);
    for (const auto& [key, member] : value.items()) {
      const Node kind = property(schema, key);
      if (!says(kind, "attribute") || member.is_structured()) {
        write_member(key, member, kind);
      }
    }
    close(name);
  }

  void write_member(const std::string& key, const Json& value, const Node& kind) {
    if (!value.is_array()) {
      element(key, value, kind);
      return;
    }
    const bool is_wrapped = says(kind, "wrapped");
    const std::string wrapper = name_of(kind, key);
    if (is_wrapped) {
      open(wrapper, kind, "");
    }
    for (const Json& each : value) {
      element(is_wrapped ? key : wrapper, each, kind.find("items"));
    }
    if (is_wrapped) {
      close(wrapper);
    }
  }

  const Follow& follow_;
  std::string text_;
};

}  // namespace

std::string write_csv(const Json& value) {
  const bool is_table = value.is_array() && !value.empty();
  const auto all = [&value](bool (*fits)(const Json&)) {
    return std::all_of(value.begin(), value.end(), fits);
  };
  if (is_table && all([](const Json& row) { return row.is_object(); })) {
    return table_of_objects(value);
  }
  if (value.is_object()) {
    return table_of_objects(Json::array({value}));
  }
  std::string text;
  for (const Json& row : value.is_array() ? value : Json::array({value})) {
    std::vector<std::string> cells;
    for (const Json& each : row.is_array() ? row : Json::array({row})) {
      cells.push_back(cell(each));
    }
    text += line(cells);
  }
  return text;
}

std::string write_json_lines(const Json& value, std::string_view before) {
  std::string text;
  for (const Json& each : value.is_array() ? value : Json::array({value})) {
    text += std::string(before) + spec::json::write(each) + '\n';
  }
  return text;
}

std::string write_xml(const Json& value, const Node& schema, const Follow& follow) {
  return XmlWriter(follow).write(value, schema);
}

}  // namespace spec::contract::samples
