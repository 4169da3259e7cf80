#pragma once

// Records as a session sees them: the fixtures', changed or removed by the session's cells.

#include "mock_server/api/record_access.hpp"
#include "mock_server/api/record_source.hpp"
#include "mock_server/service/request/request_context.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mock_server::service::responses {

using request::ChosenResponse;
using request::RequestContext;

struct FoundRecord {
  const nlohmann::json* value = nullptr;  // null if there is none, or the caller may not see it
  std::string key;
  const api::Record* fixture = nullptr;           // null for a record that only the session has
  std::size_t index = 0;                          // of `fixture` in the collection
  std::uint64_t version = 0;                      // of the session's cell; 0 when unchanged
  std::shared_ptr<const nlohmann::json> changed;  // holds the value when the session changed it
  bool exists = false;                            // also for a caller who may not see it
  const nlohmann::json* stored = nullptr;         // the value without the changes of scenarios
  std::shared_ptr<const nlohmann::json>
      scenario_changes;  // holds the value when scenarios changed it

  // True if the record differs from the fixture, for this call.
  bool is_changed() const { return version != 0 || scenario_changes != nullptr; }
};

// The record that the binding's key names.
FoundRecord find_record(const RequestContext& context);

// The record of that key.
FoundRecord find_record(const RequestContext& context, std::string key);

// The whole key of the record that is called `own` below the parents that the request names.
std::string record_key(const RequestContext& context, std::string own);
// The beginning of the whole keys of such records; "" unless the collection is scoped.
std::string key_prefix(const RequestContext& context);

// False while the operations of the collection send the contract's examples.
bool is_in_use(const RequestContext& context, const api::Collection& collection);

// The first parent of the binding that is not there; null if all are.
const api::Within* missing_parent(const RequestContext& context);

// The records of the collection, of the parents that the request names, that the caller may see:
// the fixtures' in their order, then the session's in the order in which they were created.
struct ListedRecord {
  std::string key;
  api::SharedValue value;
  std::uint64_t number = 0;  // in the order of creation; 0: no request created it
};

std::vector<ListedRecord> visible_records(const RequestContext& context);

// All of the collection: the fixtures' in their order, then those of the session: by key those that
// the control API put, then the created ones.
std::vector<ListedRecord> numbered_records(const RequestContext& context,
                                           const api::Collection& collection);

// True if it is sure that there is no such record: it was deleted, or the collection is in use and
// has more than a single one.
bool is_known_absent(const RequestContext& context, const FoundRecord& found);

// The keys of the collection's records that the caller may see, those of unchanged fixtures first.
std::vector<std::string> visible_keys(const RequestContext& context);

// `record` with the changes of scenarios in this call.
nlohmann::json with_scenario_changes(const RequestContext& context, nlohmann::json record);

// The rejection of a record that nests deeper than readers take; nothing for any other. A field of
// a form is one level more than it was as JSON.
std::optional<ChosenResponse> reject_too_deep(RequestContext& context, const nlohmann::json& value);

// Stores `value` as the record, unless another request changed it since `found`.
state::Put keep_record(const RequestContext& context, const FoundRecord& found,
                       const nlohmann::json& value);

// The response where a change was tried state::kMaxTries times.
ChosenResponse changed_too_often(RequestContext& context);

// The response where there is no room for a change (state::Put::kFull).
ChosenResponse sessions_are_full(RequestContext& context);

// The record for the journal: the place of its fixture, or that the session changed it.
std::string describe(const RequestContext& context, const FoundRecord& found);

using api::RecordSource;

// The record source of the binding's collection.
RecordSource record_source(const RequestContext& context);

api::RecordMaker record_maker(const RequestContext& context);

// The record that the contract's example stands for, with the keys of the request's path: what a
// read sends while nothing was changed. Null if there is none.
nlohmann::json example_record(const RequestContext& context, const RecordSource& source);

// A generated record, else example_record().
nlohmann::json some_record(const RequestContext& context, const RecordSource& source,
                           std::uint64_t seed);

// Adds what `schemas` require and `value` has not, from `example`, also in inner objects.
void add_required(const spec::contract::Contract& contract, const spec::schema::Schemas& schemas,
                  const nlohmann::json& example, nlohmann::json& value, int depth = 0);

// True if an object in `value` has none of the members that `schemas` document there: it is as it
// was sent, or as another response shows it. Those of `example`, if there is one, are added.
bool add_documented(const spec::contract::Contract& contract, const spec::schema::Schemas& schemas,
                    const nlohmann::json* example, nlohmann::json& value, int depth = 0);

// A number for the session's seed and a text: the same for the same two.
std::uint64_t seed_for(const RequestContext& context, std::string_view text);

}  // namespace mock_server::service::responses
