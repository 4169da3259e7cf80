// Keywords about arrays. Source: JSON Schema 2020-12 Core §10.3.1, §11.2, Validation §6.4.4.

#include "spec/json/number.hpp"
#include "spec/schema/compiler/handlers.hpp"

#include <nlohmann/json.hpp>

namespace spec::schema::compiler {
namespace {

using document::Node;

// The bound of contains that `value` spells; `otherwise` if it is not there or is wrong, which its
// own handler reports about.
std::uint64_t contains_bound(const Node& value, std::uint64_t otherwise) {
  if (!value || !value.is_number()) {
    return otherwise;
  }
  const auto count = json::to_int64(value.value());
  return count && *count >= 0 ? static_cast<std::uint64_t>(*count) : otherwise;
}

}  // namespace

void compile_items(Draft& draft, const Node& value) {
  const Node prefix = draft.sibling("prefixItems");
  const auto first = static_cast<std::uint32_t>(prefix.is_array() ? prefix.size() : 0);
  const SchemaId schema = draft.compiler.id_of(value);
  draft.add(append(draft.program().items, ItemsTable{.schema = schema, .first = first}), value);
}

void compile_contains(Draft& draft, const Node& value) {
  ContainsTable table;
  table.schema = draft.compiler.id_of(value);
  table.min_node = draft.sibling("minContains");
  table.max_node = draft.sibling("maxContains");
  table.min = contains_bound(table.min_node, table.min);
  table.max = contains_bound(table.max_node, table.max);
  draft.add(append(draft.program().contains, table), value);
}

}  // namespace spec::schema::compiler
