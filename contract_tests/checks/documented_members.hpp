#pragma once

// Names of members against the documented ones, where the schema allows any name: a response
// without any documented member, and a name that looks like a misspelt documented one. Pure
// functions of const data.

#include "contract_tests/checks/finding.hpp"
#include "spec/schema/schema_summary.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::checks {

// A member that looks like a documented one which is not there. Where another
// response has the documented one, a name with other letters is no misspelling.
struct Misspelling {
  RuleViolation violation;
  std::string documented;        // place of the one it looks like, "*" for any element
  bool of_same_letters = false;  // differs only in case and in what joins words
};

struct NameReading {
  RuleViolations violations;
  std::vector<Misspelling> misspelt;
};

// `schema` is the response's schema in the contract; walks properties and items as far as `body`
// goes. What another element of the same list shows is no misspelling.
NameReading check_names(const spec::schema::Summaries& summaries, spec::schema::SchemaId schema,
                        const nlohmann::json& body);

// The places of documented members that `body` has, "*" for any element.
std::set<std::string> shown_places(const spec::schema::Summaries& summaries,
                                   spec::schema::SchemaId schema, const nlohmann::json& body);

// True when `name` looks like `documented` in another spelling ("customerId", "phone_no") but is no
// longer word of its own ("phone_number_verified"). Not spec::text::nearest, which knows no
// abbreviations and takes "uri" for "url": it makes a hint of a name, and this makes a finding.
bool is_near_miss(std::string_view name, std::string_view documented);

// The part of a response that its schema names. A service may add members that
// change at any time (times, versions, links), so responses are compared by the documented part.
// A member that a schema leaves open (a map, a free object, alternatives) counts as documented.

// `value` without the members, at any depth, that `schema` does not name; empty if there are
// none, so that the value is its own documented part.
std::optional<nlohmann::json> documented_part(const spec::schema::Summaries& summaries,
                                              spec::schema::SchemaId schema,
                                              const nlohmann::json& value);

// Appends every string in `value`, at any depth.
void gather_texts(const nlohmann::json& value, std::vector<std::string>& texts);

// Every string inside the members that `schema` does not name.
std::vector<std::string> undocumented_texts(const spec::schema::Summaries& summaries,
                                            spec::schema::SchemaId schema,
                                            const nlohmann::json& value);

// Removes the members, at any depth, that `schemas` name as secrets ("access_token", `format:
// password`) and whose whole text is one of `texts`.
void drop_secrets(const spec::schema::Summaries& summaries, const spec::schema::Schemas& schemas,
                  nlohmann::json& value, const std::vector<std::string>& texts);

}  // namespace contract_tests::checks
