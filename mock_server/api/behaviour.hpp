#pragma once

// Behaviours: what bound operations do with records, one row each. fixtures/README.md says what
// each means. service/responses responds, loading/read_binding reads the members of a binding.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace mock_server::api {

enum class Behaviour : std::uint8_t {
  kRead,
  kUpdate,
  kList,  // of the records of a collection
  kMatch,
  kFile,
  kCreate,
  kReplace,
  kDelete,
  kExample,
  kAct,
  kElements  // a list of the elements of a record
};

// The content of a success response; so what is validated at load, and what a recorded one tells.
enum class Shows : std::uint8_t {
  kNothing,  // of records
  kFile,     // of a record
  kRecord,
  kMade,     // a record that the request makes
  kRemoved,  // a record that is gone
  kRecords,
  kElements  // of a record
};

// The entity tag of a success response, if one is declared.
enum class Tag : std::uint8_t { kNone, kOwn, kOfRead };

struct BehaviourRow {
  Behaviour behaviour;
  std::string_view name;  // in operations.yaml
  Shows shows;
  bool needs_key;  // of the record
  bool changes;    // records
  Tag tag;
  // The lower, the more of a record the response shows; none: nothing to learn of its form.
  std::optional<int> rank = std::nullopt;
};

inline constexpr int kMaxRank = 10;

inline constexpr std::array kBehaviours = std::to_array<BehaviourRow>({
    {Behaviour::kRead, "read", Shows::kRecord, true, false, Tag::kOwn, 0},
    {Behaviour::kUpdate, "update", Shows::kRecord, true, true, Tag::kOfRead, 3},
    {Behaviour::kList, "list", Shows::kRecords, false, false, Tag::kNone, 5},
    {Behaviour::kMatch, "match", Shows::kNothing, true, false, Tag::kNone},
    {Behaviour::kFile, "file", Shows::kFile, true, false, Tag::kNone},
    {Behaviour::kCreate, "create", Shows::kMade, false, true, Tag::kNone, 1},
    {Behaviour::kReplace, "replace", Shows::kMade, true, true, Tag::kOfRead, 2},
    // Often only that it was done.
    {Behaviour::kDelete, "delete", Shows::kRemoved, true, true, Tag::kNone, 2 * kMaxRank},
    {Behaviour::kExample, "example", Shows::kNothing, true, false, Tag::kNone},
    {Behaviour::kAct, "act", Shows::kRecord, true, true, Tag::kNone, 4},
    {Behaviour::kElements, "list", Shows::kElements, true, false, Tag::kNone},
});

constexpr const BehaviourRow& row_of(Behaviour behaviour) {
  return kBehaviours[static_cast<std::size_t>(behaviour)];
}

static_assert(std::ranges::all_of(kBehaviours, [](const BehaviourRow& row) {
  return &row == &row_of(row.behaviour);
}));

static_assert(kBehaviours.back().behaviour == Behaviour::kElements);

// Each name once: kElements has that of kList.
inline constexpr auto kBehaviourNames = [] {
  std::array<std::pair<std::string_view, Behaviour>, kBehaviours.size() - 1> names{};
  std::ranges::transform(
      kBehaviours.begin(), kBehaviours.end() - 1, names.begin(),
      [](const BehaviourRow& row) { return std::pair(row.name, row.behaviour); });
  return names;
}();

}  // namespace mock_server::api
