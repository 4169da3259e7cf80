#pragma once

// Responses as views of a resource's records: where they show one, and what they call otherwise.

#include "spec/contract/contract.hpp"
#include "spec/contract/resources/body_shapes.hpp"
#include "spec/contract/resources/infer.hpp"
#include "spec/contract/resources/record_plan.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace spec::contract::resources {

// The place in the operation's response of a record with its key.
std::optional<RecordPlace> shown_by(const Contract& contract, const Plan& plan,
                                    const Operation& operation);

// True if the response has the record itself, not in a list.
bool shows_one(const Contract& contract, const Plan& plan, const Operation& operation);

// True if a record is read in a list of one, so that a creation may show it in one, too.
bool reads_lists_of_one(const Contract& contract, const Plan& plan);

// True if objects of these schemas show records of the plan.
bool is_view(const Contract& contract, const Plan& plan, const schema::Schemas& schemas);

// Adds "names": members that the view calls otherwise.
void add_names(const Contract& contract, const Plan& plan, const schema::Schemas& shown,
               nlohmann::ordered_json& entry);

// Adds the place of the record in the response, and of its key where that is elsewhere; without the
// record, the contract's example is sent. True if the record is there, or the response has no body.
bool add_shown(const Contract& contract, const Plan& plan, const Operation& operation,
               nlohmann::ordered_json& entry);

// The only member of a list's elements, if the record is in there: [{"product": {...}}]; else "".
std::string member_with_view(const Contract& contract, const Plan& plan,
                             const schema::Schemas& element);

// An entry of operations.yaml for an operation of the plan's records, or of the one that its path
// names.
nlohmann::ordered_json entry_of(const Plan& plan, std::string_view behaviour);
nlohmann::ordered_json entry_of_one(const Plan& plan, const Operation& operation,
                                    std::string_view behaviour);

// Adds the place of the record in the request. False if that is unclear: the whole body is kept.
bool add_from(const Contract& contract, const Plan& plan, const Operation& operation,
              nlohmann::ordered_json& entry);

// The binding of such an entry, with the record's parents. Secrets that only requests have are
// hidden.
InferredBinding bound_to(const Contract& contract, const Plan& plan, const Operation& operation,
                         nlohmann::ordered_json entry, bool is_certain);

}  // namespace spec::contract::resources
