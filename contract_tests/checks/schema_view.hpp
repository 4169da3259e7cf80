#pragma once

// What a schema says about a scalar or a flat object, as far as planning needs it: references
// followed, the branches of allOf joined, a nullable anyOf looked through. Not a validator: whoever
// needs a verdict asks the judge.

#include "spec/document/document.hpp"

#include <optional>
#include <string>
#include <vector>

namespace contract_tests::checks {

struct SchemaView {
  std::vector<std::string> types;  // without "null"; empty when nothing is said
  std::string format;
  bool nullable = false;
  std::optional<double> minimum;
  std::optional<double> maximum;
  std::vector<spec::document::Node> values;  // of `enum`
  spec::document::Node type_node;            // where `type` stands
  spec::document::Node format_node;
  std::vector<std::pair<std::string, spec::document::Node>> properties;  // name, schema
  std::vector<std::string> required;
  spec::document::Node required_node;
  spec::document::Node items;
  bool unique_items = false;

  bool is(std::string_view type) const;
};

SchemaView view(const spec::document::Node& schema);

}  // namespace contract_tests::checks
