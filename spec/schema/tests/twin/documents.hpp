#pragma once

// The slow twin's view of schema documents: plain values, and four tables of the identifiers'
// targets. Nothing is compiled. For tests only.

#include <nlohmann/json.hpp>

#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

namespace spec::schema::twin {

// A reference that names nothing.
struct ReferenceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A schema together with the base URI that references inside it resolve against.
struct Place {
  const nlohmann::json* schema = nullptr;
  std::string base;
};

class Documents {
 public:
  // Takes a copy of `document`, known as `uri`, and notes every `$id`, `$anchor` and
  // `$dynamicAnchor` in it. Source: JSON Schema 2020-12 Core §8.2.
  Place add(const std::string& uri, nlohmann::json document);

  // The schema that `reference` names, relative to `base`. Throws ReferenceError. Source: Core
  // §8.2.3.1.
  Place resolve(std::string_view reference, const std::string& base) const;

  // The schema with `$dynamicAnchor: name` in the resource `base`; null schema if there is none.
  Place dynamic_anchor(const std::string& base, std::string_view name) const;

  // The base URI for what is inside the schema `at`, found below `base`.
  std::string base_of(const nlohmann::json& at, const std::string& base) const;

  // True if the metaschema of the resource `base` uses the vocabulary that ends in `/vocab/NAME`. A
  // resource whose metaschema is not known uses them all. Source: Core §8.1.2.
  bool uses_vocabulary(const std::string& base, std::string_view name) const;

 private:
  void index(const nlohmann::json& schema, const std::string& base);
  Place walk(const nlohmann::json& from, std::string base, std::string_view pointer) const;

  std::map<std::string, nlohmann::json> documents_;
  std::map<const nlohmann::json*, std::string> bases_;            // of what is inside a schema
  std::map<std::string, const nlohmann::json*> resources_;        // by absolute URI
  std::map<std::string, const nlohmann::json*> anchors_;          // by URI "#" name
  std::map<std::string, const nlohmann::json*> dynamic_anchors_;  // by URI "#" name
};

}  // namespace spec::schema::twin
