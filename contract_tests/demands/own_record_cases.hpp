#pragma once

// Records of the run's own: shared by the files that test single records (own_record_cases.cpp),
// what one response shows of them (own_member_cases.cpp), changes (own_change_cases.cpp), and lists
// (own_list_cases.cpp).

#include "contract_tests/demands/drafting.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace contract_tests::demands {

void add_own_record_cases(const Drafting& drafting);

// All of these need a case with a record of its own (Case::own).

// GET of the item.
// NOLINTNEXTLINE(bugprone-exception-escape): nlohmann's move constructor asserts, it never throws.
struct ItemReading {
  const CaseResponse* sent = nullptr;  // null if nothing could be sent
  nlohmann::json record;               // as it was received; null if there is none
};

// `item` has the identifier in its path.
ItemReading read_item(CaseRun& case_run, const RequestPlan& item);

// The documented part of the record that a response of `operation` shows, in normal form; null
// if it shows none.
nlohmann::json normal_record(const CaseRun& case_run, const spec::contract::Operation& operation,
                             const CaseResponse& sent);

// The identifier in the response to a request that creates; empty if it was not accepted, or
// only for later.
std::optional<std::string> created_identifier(const CaseRun& case_run, const CaseResponse& created);
// True if the change is made when the response comes.
bool is_made(const CaseResponse& sent);

// The case's request with a text that no other one has, where its body has the marker of records.
RequestPlan marked(const CaseRun& case_run);

// `request` with this identifier in its path.
RequestPlan item_of(const CaseRun& case_run, RequestPlan request, const std::string& identifier);
// The identifier of the record that the run created for this case.
std::string own_identifier(const CaseRun& case_run);

// Values that a scalar may have, for its type; some need not be valid.
std::vector<nlohmann::json> likely_values(const spec::schema::Summary& summary);

// True if the record has this value, or a text that the service has normalised.
bool has_value(const nlohmann::json& record, const std::string& name, const nlohmann::json& value);

// True if the contract has the member in what GET shows, of which `read` is a response.
bool may_show(const CaseRun& case_run, const CaseResponse& read, const std::string& name,
              const nlohmann::json& value);

std::string request_line_of(const CaseResponse& sent);

// A case of this sentence and rule about a record of the run's own.
void add_own(const Drafting& drafting, std::string sentence, std::string rule,
             std::function<void(CaseRun&)> run);
// True if the operation writes the member by which records are marked, beside those of `request`.
bool may_mark(const Drafting& drafting, RequestPlan request);

void add_member_cases(const Drafting& drafting);
void add_change_cases(const Drafting& drafting);
void add_download_cases(const Drafting& drafting);
void add_list_cases(const Drafting& drafting);

}  // namespace contract_tests::demands
