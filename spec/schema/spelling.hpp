#pragma once

// Misspelt members: no schema has the name, but one has a near name. They are legal if unknown
// members are, and likely a mistake. For warnings; nothing here decides validity. Pure functions of
// const data.

#include "spec/schema/schema_set.hpp"
#include "spec/schema/schema_summary.hpp"

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>
#include <vector>

namespace spec::schema {

// A schema that applies to the instance, and the set that holds it.
struct AppliedSchema {
  const SchemaSet* schemas = nullptr;
  SchemaId id{};

  friend auto operator<=>(const AppliedSchema&, const AppliedSchema&) = default;
};

struct Misspelling {
  std::string instance;  // JSON pointer of the member
  std::string name;
  std::string meant;     // the nearest name that is known there
  bool is_used = false;  // `meant` is a member, too

  // `no schema names "phone_nunber"; did you mean "phone_number"?`
  std::string message() const;

  friend bool operator==(const Misspelling&, const Misspelling&) = default;
};

// In the instance's order, 50 at most. A member is known if any of `schemas`, or of those that they
// apply in place, names it by property, required name or pattern. Names that are missing from the
// instance are suggested before those that are present, and these only for one edit that is not of
// a digit ("line2" beside "line1"). Objects whose schemas reject unknown members are left to
// validation. With `below`, member names, the schemas apply to a value that has the instance there.
std::vector<Misspelling> misspelt_members(const std::vector<AppliedSchema>& schemas,
                                          const nlohmann::json& instance,
                                          std::span<const std::string> below = {});

// The same for one schema; `summaries` are those of its set, with Reach::kEvery.
std::vector<Misspelling> misspelt_members(const Summaries& summaries, SchemaId schema,
                                          const nlohmann::json& instance);

}  // namespace spec::schema
