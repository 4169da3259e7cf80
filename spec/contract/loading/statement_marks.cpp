#include "spec/contract/loading/load_steps.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>

namespace spec::contract::loading {

namespace {

using document::Member;
using document::Node;

constexpr std::string_view kMark = "x-assumed";
constexpr std::string_view kSource = "x-source";

std::string_view text_in(const Node& node) {
  return node.is_string() ? node.string() : std::string_view();
}

// The mark in `parent` that names the key under which `node` is there.
Node mark_of_key(const Node& node) {
  const Node marks = node.parent().find(kMark);
  return marks ? marks.find(node.key()) : Node();
}

// The mark inside an object that holds for the whole of it.
Node mark_of_object(const Node& node) {
  const Node mark = node.find(kMark);
  return mark.is_string() ? mark : Node();
}

// A parameter whose name is assumed is assumed as a whole, since it would have no name.
Node mark_of_name(const Node& node) {
  return node.find("name") && node.find("in") ? node.find(kMark).find("name") : Node();
}

// Decides which nodes are removed, and remembers that, before anything is changed.
class Pruner {
 public:
  explicit Pruner(document::Library& library) : library_(library) {}

  bool goes(const Node& node) {
    const auto [entry, is_new] = decisions_.try_emplace(node, false);  // a circle decides nothing
    if (!is_new) {
      return entry->second;
    }
    const bool decision = decide(node);
    decisions_[node] = decision;
    return decision;
  }

  void decide_all(const Node& node) {
    if (goes(node)) {
      return;
    }
    for (const Member& member : node.members()) {
      decide_all(member.value);
    }
    for (const Node& element : node.elements()) {
      decide_all(element);
    }
  }

 private:
  bool decide(const Node& node) {
    if (!node.parent()) {
      return false;
    }
    return node.key() == kMark || mark_of_key(node) || mark_of_object(node) || mark_of_name(node) ||
           refers_to_what_goes(node) || is_required_and_goes(node);
  }

  bool refers_to_what_goes(const Node& node) {
    const auto reference = reference_in(node);
    if (!reference) {
      return false;
    }
    try {
      for (Node at = library_.resolve(node, *reference); at; at = at.parent()) {
        if (goes(at)) {
          return true;
        }
      }
    } catch (const LoadError&) {
      // A dangling reference is reported when the rest is loaded.
    }
    return false;
  }

  bool is_required_and_goes(const Node& node) {
    const Node list = node.parent();
    if (!node.is_string() || !list.is_array() || list.key() != "required") {
      return false;
    }
    const Node property = list.parent().find("properties").find(node.string());
    return property && goes(property);
  }

  document::Library& library_;
  std::unordered_map<Node, bool> decisions_;
};

Node root_of(Node node) {
  for (Node parent = node.parent(); parent; parent = node.parent()) {
    node = parent;
  }
  return node;
}

bool stands_before(const Node& left, const Node& right) {
  const auto place = [](const Node& node) {
    const document::Place at = node.place();
    return std::tuple(at.file, at.line, at.column, node.index());
  };
  return place(left) < place(right);
}

class MarkLint {
 public:
  explicit MarkLint(Version version) : version_(version) {}

  std::vector<Problem> run(const Inspection& inspection) {
    for (const TypedNode& typed : inspection.objects) {
      check_object(typed);
      for (const Field& field : fields_of(typed.kind)) {
        if (field.form == FieldForm::kMap) {
          check_map(typed.node.find(field.name));
        }
      }
    }
    return std::move(problems_);
  }

 private:
  void check_object(const TypedNode& typed) {
    const Node mark = typed.node.find(kMark);
    const Node source = typed.node.find(kSource);
    if (mark) {
      check_mark(typed, mark);
    }
    if (source && text_in(source).empty()) {
      report(source,
             "x-source must be a section of the source document, but is empty or not a string");
    }
  }

  void check_mark(const TypedNode& typed, const Node& mark) {
    const bool is_schema = typed.kind == ObjectKind::kSchema && version_ != Version::k30;
    if (reference_in(typed.node) && !is_schema && typed.kind != ObjectKind::kPathItem) {
      report(
          mark,
          "x-assumed is not allowed beside a $ref; put it into the object that the $ref refers to");
    }
    if (mark.is_object()) {
      for (const Member& member : mark.members()) {
        check_key(typed.node, member);
      }
    } else if (text_in(mark).empty()) {
      report(mark, "x-assumed must be a reason or a map of keys to reasons");
    }
  }

  void check_key(const Node& object, const Member& member) {
    if (!object.find(member.key)) {
      report(member.value,
             "x-assumed names \"" + std::string(member.key) + "\", but its object has no such key");
    }
    if (text_in(member.value).empty()) {
      report(member.value, "x-assumed needs a reason here");
    }
  }

  void check_map(const Node& map) {
    for (const std::string_view name : {kMark, kSource}) {
      if (const Node misplaced = map.find(name)) {
        report(
            misplaced,
            std::string(name) +
                " would be one of the names in this map; put it into an object of the map instead");
      }
    }
  }

  void report(const Node& node, std::string message) {
    problems_.push_back(node.problem(std::move(message)));
  }

  Version version_;
  std::vector<Problem> problems_;
};

}  // namespace

MarksVersion marks_version(const Node& root) {
  const Node version = root.find("x-counterpart");
  if (!version) {
    return MarksVersion::kNone;
  }
  return version.is_number() && version.number_text() == "1" ? MarksVersion::kOne
                                                             : MarksVersion::kUnknown;
}

Provenance ProvenanceTable::provenance_of(const Node& node) {
  if (!node) {
    return {};
  }
  if (node.is_object()) {
    return provenances_[inner_provenance(node)];
  }
  const Node parent = node.parent();
  Provenance provenance = parent ? provenances_[inner_provenance(parent)] : Provenance{};
  if (const Node mark = mark_of_key(node)) {
    provenance.is_assumed = true;
    provenance.reason = text_in(mark);
  }
  return provenance;
}

// The provenance that holds for an object or array and, unless marked further, for everything
// inside.
ProvenanceTable::Index ProvenanceTable::inner_provenance(const Node& node) {
  if (const Index known = inner_provenances_.find(node); known != kUnknown) {
    return known;
  }
  const Node parent = node.parent();
  const Index around = parent ? inner_provenance(parent) : 0;
  Provenance provenance = provenances_[around];
  bool is_marked = false;
  for (const Node& mark : {mark_of_key(node), mark_of_name(node), mark_of_object(node)}) {
    if (mark) {
      is_marked = true;
      provenance.is_assumed = true;
      provenance.reason = text_in(mark);
    }
  }
  if (const std::string_view clause = text_in(node.find(kSource)); !clause.empty()) {
    is_marked = true;
    provenance.clause = clause;
  }
  const Index index = is_marked ? static_cast<Index>(provenances_.size()) : around;
  if (is_marked) {
    provenances_.push_back(provenance);
  }
  inner_provenances_.at(node) = index;
  return index;
}

Node take_out_assumed(document::Library& library, const Node& root, const Inspection& inspection) {
  std::vector<Node> roots{root};
  for (const TypedNode& typed : inspection.objects) {
    const Node other = root_of(typed.node);
    if (std::find(roots.begin(), roots.end(), other) == roots.end()) {
      roots.push_back(other);
    }
  }
  Pruner pruner(library);
  for (const Node& each : roots) {
    pruner.decide_all(each);
  }
  Node result = root;
  for (const Node& each : roots) {
    const Node pruned =
        library.prune(each, [&pruner](const Node& node) { return pruner.goes(node); });
    result = each == root ? pruned : result;
  }
  return result;
}

std::vector<Problem> misplaced_marks(const Inspection& inspection, Version version) {
  return MarkLint(version).run(inspection);
}

std::vector<Statement> list_marks(const Inspection& inspection) {
  std::vector<Node> marks;
  for (const TypedNode& typed : inspection.objects) {
    const Node mark = typed.node.find(kMark);
    if (mark.is_string()) {
      marks.push_back(mark);
    }
    for (const Member& member : mark.members()) {
      marks.push_back(member.value);
    }
  }
  std::sort(marks.begin(), marks.end(), stands_before);
  marks.erase(std::unique(marks.begin(), marks.end()), marks.end());
  ProvenanceTable provenances;
  std::vector<Statement> list;
  for (const Node& mark : marks) {
    const bool marks_key = mark.parent().is_object() && mark.key() != kMark;
    const Node place = marks_key ? mark.parent().parent().find(mark.key()) : mark.parent();
    if (place) {
      const auto [file, line, column] = place.place();
      list.push_back({.pointer = place.pointer(),
                      .file = std::string(file),
                      .line = line,
                      .column = column,
                      .clause = std::string(provenances.provenance_of(place).clause),
                      .statement_class = StatementClass::kAssumption,
                      .reason = std::string(text_in(mark))});
    }
  }
  return list;
}

namespace {

// A node that is a statement, and the object that it refers to if it is a reference.
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

// A reference makes the statement that its target makes: it is assumed if either is.
Provenance standing_of(ProvenanceTable& provenances, const Entry& entry) {
  const Provenance here = provenances.provenance_of(entry.node);
  if (!entry.target || here.is_assumed) {
    return here;
  }
  Provenance there = provenances.provenance_of(entry.target);
  there.clause = there.clause.empty() ? here.clause : there.clause;
  return there;
}

// JSON Schema 2020-12 Validation §8.1 leaves it to applications; only the data of events is read.
constexpr std::string_view kContentReason =
    "contentMediaType and contentSchema annotate a text, but clients of a stream read it by them";

}  // namespace

StatementTable read_statements(const Inspection& inspection, bool has_marks) {
  StatementTable table;
  ProvenanceTable provenances;
  for (const Entry& entry : find_entries(inspection)) {
    if (table.has(entry.node)) {
      continue;
    }
    Provenance provenance = has_marks ? standing_of(provenances, entry) : Provenance{};
    if (entry.node.is_string() && entry.node.key() == "contentMediaType" &&
        !provenance.is_assumed) {
      provenance.is_assumed = true;
      provenance.reason = kContentReason;
    }
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
