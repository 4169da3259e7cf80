#pragma once

// By rules: updates. A changed field is shown and stored, and nothing else changes (updates.cpp);
// single values are stored or rejected (field_values.cpp); rejected requests change nothing
// (rejected_changes.cpp). Every case undoes what it did.

#include "contract_tests/demands/drafting.hpp"
#include "contract_tests/demands/updates/record.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace contract_tests::demands::updates {

void add_update_cases(const Drafting& drafting);

// All of these need rules on updates.

// Makes `item`, whose request must be rejected, check that its record does not change; with
// keep_records, also the other record that the rules name.
void keep_record(const Drafting& drafting, Case& item);
void keep_records(const Drafting& drafting, Case& item);
// Makes `item` undo what its request changed.
void take_back(Case& item);
// Makes `item` send `extra`, of members that the body does not have, beside a change of one field.
void change_beside(const Drafting& drafting, Case& item, const nlohmann::json& extra);

// For the three files alone.
Case update_case(const Drafting& drafting, std::string sentence, std::string rule,
                 StatementClass kind = StatementClass::kDocument);
Case unauthorized_change(const Drafting& drafting, std::string sentence, nlohmann::json body);
void add_value_cases(const Drafting& drafting, const std::string& name,
                     const plan::FieldRules& field);
void add_rejected_changes(const Drafting& drafting);

// The place of the field that the case is about.
const std::string& place_of(const CaseRun& case_run, const Record& record);

// The response, if there is one, must show every field of `body`.
void check_shown(CaseRun& case_run, const Record& record, const Sent* seen,
                 const nlohmann::json& body);

}  // namespace contract_tests::demands::updates
