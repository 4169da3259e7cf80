#pragma once

// The two extensions that say where a statement comes from: `x-source` (a section of the source
// document, for everything below it) and `x-assumed` (a text marks the object that it is in, a map
// marks those keys of it). They mean this only in a contract whose root says `x-counterpart: 1`;
// anywhere else they are unknown extensions, and nothing here is called. Reads them, takes the
// assumed parts out, finds misplaced marks.

#include "spec/contract/loading/inspect.hpp"
#include "spec/contract/statement.hpp"
#include "spec/document/document.hpp"
#include "spec/document/load.hpp"
#include "spec/load_error.hpp"

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace spec::contract::loading {

// The version of the marks that the root of a contract names: none, 1, or an unknown one.
enum class MarksVersion : std::uint8_t { kNone, kOne, kUnknown };
MarksVersion marks_version(const document::Node& root);

// What holds at a node by the marks at it and above it. Views into the document.
struct Provenance {
  std::string_view clause;  // of the nearest `x-source`; "" if there is none
  std::string_view reason;  // of the nearest `x-assumed` that covers it; "" if none does
  bool is_assumed = false;
};

// Looks up the provenance of nodes, of each object once. Not thread-safe.
class ProvenanceTable {
 public:
  // The provenance of `node`, by where it is written, not by where it is used.
  Provenance of(const document::Node& node);

 private:
  // Most objects have the provenance of the one around them, and share its entry.
  using Index = std::uint32_t;
  static constexpr Index kUnknown = std::numeric_limits<Index>::max();

  Index inside(const document::Node& object);

  std::vector<Provenance> provenances_{Provenance{}};
  document::NodeTable<Index> inside_{kUnknown};
};

// Takes out of every document that `inspection` reached what is assumed: marked objects, keys and
// elements, parameters whose name is assumed, references to what goes, names in `required` whose
// property goes, and the marks themselves. Returns the new root.
document::Node take_out_assumed(document::Library& library, const document::Node& root,
                                const Inspection& inspection);

// Marks that say nothing or say it in the wrong place: beside a $ref that is not a schema's, as a
// member of a map of names, on a key that is not there, without a reason.
std::vector<Problem> misplaced_marks(const Inspection& inspection, Version version);

// One entry for each mark, in the order of the texts: the place marked and the reason.
std::vector<Statement> list_marks(const Inspection& inspection);

}  // namespace spec::contract::loading
