#pragma once

// What the texts and numbers of one object have in common: a person, a place, a company, a
// currency, the time of its creation, and what it is. Used by this folder only.

#include "spec/schema/generate/word_tables.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace spec::schema::generate {

struct Kind;

struct Scene {
  std::uint64_t seed = 0;   // of the list that it is in, else its own
  std::uint64_t index = 0;  // in that list
  bool is_record = false;   // more than the frame of a list
  bool varies = false;      // values that examples state may give way to others
  const Region* region = nullptr;
  const Place* place = nullptr;
  std::string first_name;
  std::string last_name;
  std::string company;
  std::string name;  // that the contract states for it
  std::string currency;
  std::string_view usual_currency;  // of every record; "": that of its region
  std::string id_start;             // of its identifiers: "cus_"; "" if unknown
  std::int64_t created = 0;         // seconds since 1970
  std::int64_t today = 0;           // what happened lies before
  const Kind* thing = nullptr;      // of its names; null if unknown
  std::string role;         // whose name and mail without a role are: "customer"; "" its own
  bool has_person = false;  // members that only people have
  bool has_mail = false;    // an address for mails
  bool has_place = false;   // members that only addresses have
};

// The part of an object's scene that its names decide.
struct SceneTraits {
  const Kind* thing = nullptr;
  bool is_role = false;  // it is somebody else than the whole: "manager"
  bool is_own = false;   // nothing of what the whole is called is true of it
  std::string role;
  bool has_person = false;
  bool has_mail = false;
  bool has_place = false;
};

// Where the object is.
struct SceneOrigin {
  std::uint64_t seed = 0;
  std::uint64_t index = 0;
  bool starts_record = false;  // is no part of another record
  bool is_element = false;     // of an array
  std::int64_t created = 0;    // of a record that starts here
  std::int64_t today = 0;
};

// The scene of an object in `outer`, which is empty for the whole.
Scene make_scene(const Scene& outer, const SceneOrigin& origin, const SceneTraits& traits);

// True if the member's name is that of the scene's person.
bool names_person(const Scene& scene, std::string_view name);

// The person at `index` of those of the scene: 0 is its own.
std::pair<std::string, std::string> person_of(const Scene& scene, std::uint64_t index);

// True if `value` is the scene's country or currency, and a member of that name says such a one.
bool says_as_much(const Scene& scene, std::string_view name, const nlohmann::json& value);

// Takes over what a member's value says: its country, its currency, its name.
void observe(Scene& scene, std::string_view name, const nlohmann::json& value);

}  // namespace spec::schema::generate
