#pragma once

// Responses as views of a resource's records: where they show one, and what they call otherwise.

#include "spec/contract/contract.hpp"
#include "spec/contract/resources/body_shapes.hpp"
#include "spec/contract/resources/record_plan.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace spec::contract::resources {

// The place in the operation's response of a record with its key.
std::optional<RecordPlace> shown_by(const Contract& contract, const Plan& plan,
                                    const Operation& operation);

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

}  // namespace spec::contract::resources
