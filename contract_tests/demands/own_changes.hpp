#pragma once

// Changes of a record of the run's own: what cases about them send and compare.
// own_change_cases.cpp drafts these cases; each function runs one.

#include "contract_tests/demands/own_record_cases.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace contract_tests::demands {

using MemberValues = std::vector<std::pair<std::string, nlohmann::json>>;

// False if GET shows no change of the marker, which another case is about; the case is skipped
// then.
bool stores_changes(CaseRun& case_run);

// Of two equal PUTs the second changes nothing: of `members` as GET shows them, then of `others`.
// Source: RFC 9110 §9.2.2.
void run_again(CaseRun& case_run, const std::vector<std::string>& members,
               const nlohmann::json& others);

// Sends each value, alone or beside the rest of the record, and looks for it.
void run_each_member(CaseRun& case_run, const MemberValues& values);

// PUT of `least` after one of `all`.
// NOLINTNEXTLINE(bugprone-exception-escape): nlohmann's moves assert, they never throw.
struct LeftOut {
  nlohmann::json all;       // the members, the optional ones with values of the case's own
  nlohmann::json least;     // those that a PUT must have
  nlohmann::json defaults;  // of the others, where the contract has them
  bool is_said = false;     // the contract says what happens to the others
};

void run_left_out(CaseRun& case_run, const LeftOut& bodies);

// Null in a merge patch for each of these members, in turn.
void run_removing_null(CaseRun& case_run, const std::vector<std::string>& names);

// A body of which one member is wrong and others are new.
void run_invalid_change(CaseRun& case_run, const nlohmann::json& body);
void run_invalid_creation(CaseRun& case_run, nlohmann::json body);

// A member that is missing, or that has its default, was not stored. Another value may be the
// service's choice.
void run_created_members(CaseRun& case_run, const nlohmann::json& body,
                         const nlohmann::json& defaults);

}  // namespace contract_tests::demands
