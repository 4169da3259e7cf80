#include "spec/schema/compiler/loops.hpp"

#include "spec/schema/applicable.hpp"

#include <cstdint>
#include <utility>

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
      for (const SchemaId to : in_place(program, rule, Reach::kEvery)) {
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

}  // namespace spec::schema::compiler
