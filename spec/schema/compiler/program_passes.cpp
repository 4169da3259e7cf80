#include "spec/schema/applicable.hpp"
#include "spec/schema/compiler/handlers.hpp"
#include "spec/schema/program.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace spec::schema::compiler {

namespace {

enum class Mark : std::uint8_t { kNew, kOpen, kDone };

struct Edge {
  SchemaId to = kNoId;
  document::Node node;  // the keyword that leads there
};

std::vector<Edge> edges_of(const Program& program, const Schema& schema) {
  std::vector<Edge> edges;
  for (const Rule& rule : schema.rules) {
    if (rule.keyword != Keyword::kDynamicRef) {
      for (const SchemaId to : schemas_in_place(program, rule, Reach::kEvery)) {
        edges.push_back({.to = to, .node = rule.node});
      }
    }
  }
  return edges;
}

struct Visit {
  SchemaId id = kNoId;
  std::vector<Edge> edges;
  std::size_t next = 0;
};

// The state of the schemas from `first` on; those before are done.
class Marks {
 public:
  Marks(std::size_t first, std::size_t end) : first_(first), marks_(end - first, Mark::kNew) {}

  Mark of(SchemaId id) const { return id < first_ ? Mark::kDone : marks_[id - first_]; }

  void set(SchemaId id, Mark mark) { marks_[id - first_] = mark; }

 private:
  std::size_t first_;
  std::vector<Mark> marks_;
};

// Depth first, without recursion: chains of references may be long.
void search(const Program& program, SchemaId start, Marks& marks, std::vector<Loop>& loops) {
  std::vector<Visit> open;
  const auto enter = [&](SchemaId id) {
    marks.set(id, Mark::kOpen);
    open.push_back({.id = id, .edges = edges_of(program, program.schemas[id])});
  };
  enter(start);
  while (!open.empty()) {
    Visit& visit = open.back();
    if (visit.next == visit.edges.size()) {
      marks.set(visit.id, Mark::kDone);
      open.pop_back();
      continue;
    }
    const Edge edge = visit.edges[visit.next++];
    if (marks.of(edge.to) == Mark::kNew) {
      enter(edge.to);
    } else if (marks.of(edge.to) == Mark::kOpen) {
      loops.push_back({.schema = visit.id, .node = edge.node});
    }
  }
}

}  // namespace

std::vector<Loop> find_loops(const Program& program, std::size_t first) {
  std::vector<Loop> loops;
  Marks marks(first, program.schemas.size());
  for (std::size_t place = first; place < program.schemas.size(); ++place) {
    const auto id = static_cast<SchemaId>(place);
    if (marks.of(id) == Mark::kNew) {
      search(program, id, marks, loops);
    }
  }
  return loops;
}

void cut_loops(Program& program, const std::vector<Loop>& loops) {
  for (const Loop& loop : loops) {
    for (Rule& rule : program.schemas[loop.schema].rules) {
      if (rule.node == loop.node) {
        rule = {.keyword = Keyword::kNotUnderstood, .node = loop.node};
      }
    }
  }
}

namespace {

bool is_for_members(Keyword keyword) {
  return keyword == Keyword::kRequired || keyword == Keyword::kProperties ||
         keyword == Keyword::kPatternProperties || keyword == Keyword::kAdditionalProperties;
}

void merge_members(ObjectTable& table) {
  std::map<std::string, NamedMember> members;
  for (const Property& property : table.properties) {
    members[property.name] = {.name = property.name, .schema = property.schema};
  }
  for (const std::string& name : table.required) {
    NamedMember& member = members[name];
    member.name = name;
    table.required_count += member.required ? 0 : 1;
    member.required = true;
  }
  table.members.reserve(members.size());
  for (auto& [name, member] : members) {
    member.prefix = prefix_of(name);
    table.members.push_back(std::move(member));
  }
}

// Keywords in the order of Keyword's values: cheap ones first, unevaluated ones last.
Entry add_steps_of(Program& program, SchemaId id) {
  const Schema& schema = program.schemas[id];
  Entry entry{.schema = id, .types = schema.types, .tracks = schema.tracks};
  std::vector<Step> steps;
  bool members = false;
  for (const Rule& rule : schema.rules) {
    if (is_for_members(rule.keyword)) {
      members = true;
    } else if (rule.keyword != Keyword::kType && rule.keyword != Keyword::kFalse) {
      steps.push_back({.keyword = rule.keyword, .applies = rule.applies, .operand = rule.operand});
    }
    if (rule.keyword != Keyword::kRef && !schemas_in_place(program, rule, Reach::kEvery).empty()) {
      entry.composite = true;
    }
  }
  if (members) {
    merge_members(program.objects[schema.object]);
    steps.push_back(
        {.keyword = Keyword::kObject, .applies = kObjectType, .operand = schema.object});
  }
  std::ranges::stable_sort(steps, {}, &Step::keyword);
  entry.plain = !schema.tracks && std::ranges::all_of(steps, [](const Step& step) {
    return step.keyword < Keyword::kRequired;  // all before it are about the value itself
  });
  entry.first_step = static_cast<std::uint32_t>(program.steps.size());
  entry.step_count = static_cast<std::uint32_t>(steps.size());
  program.steps.insert(program.steps.end(), steps.begin(), steps.end());
  return entry;
}

// A schema that is only a reference within its resource: references to it go to its target at once.
// Into another resource the visit counts, for dynamic references.
void set_alias(Program& program, const Entry& entry) {
  if (entry.step_count != 1 || entry.types != kEveryType) {
    return;
  }
  Schema& schema = program.schemas[entry.schema];
  const Step& step = program.steps[entry.first_step];
  if (step.keyword == Keyword::kRef && step.applies == kEveryType &&
      program.schemas[step.operand].resource == schema.resource) {
    schema.alias = step.operand;
  }
}

// Gives the schema, and every other on its chain of aliases, the entry of the last. A chain may be
// long, so the walk ends at an alias that is resolved already.
void resolve_alias(Program& program, SchemaId id) {
  SchemaId target = id;
  while (program.schemas[target].alias != kNoId && program.entries[target].schema == target) {
    target = program.schemas[target].alias;
  }
  const Entry entry = program.entries[target];
  while (id != target) {
    program.entries[id] = entry;
    id = program.schemas[id].alias;
  }
}

}  // namespace

void add_steps(Program& program, std::size_t first) {
  const auto end = static_cast<SchemaId>(program.schemas.size());
  program.entries.resize(end);
  for (auto id = static_cast<SchemaId>(first); id < end; ++id) {
    program.entries[id] = add_steps_of(program, id);
  }
  for (auto id = static_cast<SchemaId>(first); id < end; ++id) {
    set_alias(program, program.entries[id]);
  }
  for (auto id = static_cast<SchemaId>(first); id < end; ++id) {
    resolve_alias(program, id);
  }
}

}  // namespace spec::schema::compiler
