#include "spec/contract/loading/read_statements.hpp"

#include "spec/contract/loading/assumptions.hpp"

#include <algorithm>
#include <string>
#include <tuple>

namespace spec::contract::loading {

namespace {

using document::Member;
using document::Node;

// A node that states something, and what it refers to if it is a reference.
struct Entry {
  Node node;
  Node target;
  document::Place place;
};

void add(std::vector<Entry>& entries, const Node& node, const Node& target) {
  entries.push_back({node, target, node.place()});
}

std::vector<Entry> find_entries(const Inspection& inspection) {
  std::vector<Entry> entries;
  for (const TypedNode& typed : inspection.objects) {
    const bool is_boolean_schema = typed.node.is_boolean();
    if (is_statement(typed.kind) || is_boolean_schema) {
      add(entries, typed.node, typed.target);
    }
    for (const Member& member : typed.node.members()) {
      const Field* field = find_field(typed.kind, member.key);
      if (field != nullptr && field->is_statement) {
        add(entries, member.value, {});
      }
    }
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& left, const Entry& right) {
    return std::tuple(left.place.file, left.place.line, left.place.column, left.node.index()) <
           std::tuple(right.place.file, right.place.line, right.place.column, right.node.index());
  });
  return entries;
}

// A reference states what it refers to: it is assumed if either place is.
Provenance standing_of(ProvenanceTable& provenances, const Entry& entry) {
  const Provenance here = provenances.of(entry.node);
  if (!entry.target || here.is_assumed) {
    return here;
  }
  Provenance there = provenances.of(entry.target);
  there.clause = there.clause.empty() ? here.clause : there.clause;
  return there;
}

}  // namespace

StatementTable read_statements(const Inspection& inspection, bool has_marks) {
  StatementTable table;
  ProvenanceTable provenances;
  for (const Entry& entry : find_entries(inspection)) {
    if (table.has(entry.node)) {
      continue;
    }
    const Provenance provenance = has_marks ? standing_of(provenances, entry) : Provenance{};
    table.add(entry.node, {.pointer = entry.node.pointer(),
                           .file = std::string(entry.place.file),
                           .line = entry.place.line,
                           .column = entry.place.column,
                           .clause = std::string(provenance.clause),
                           .statement_class = provenance.is_assumed ? StatementClass::kAssumption
                                                                    : StatementClass::kDocument,
                           .reason = std::string(provenance.reason)});
  }
  return table;
}

}  // namespace spec::contract::loading
