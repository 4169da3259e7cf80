#pragma once

// The list in which a record of the run's own is looked for: GET of its collection. Where rules
// describe pages, all of them; else the first and, where its number can be known, the last. Most
// lists show a part of their collection (a page, what is published), so an absence says something
// only where the list is known to be whole.

#include "contract_tests/plan/own_record.hpp"
#include "contract_tests/run/case_run.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace contract_tests::run {

struct OwnList {
  std::vector<nlohmann::json> records;  // as the service shows them
  bool whole = false;                   // nothing is left out by pages
  std::optional<long long> total = {};  // of all records, if a response states it
  const CaseResponse* last = nullptr;   // the last response that shows some of them

  // The number of records, if it is known.
  std::optional<long long> count() const {
    return whole ? static_cast<long long>(records.size()) : total;
  }
};

// `parents` has the path parameters of the collection. Empty if the contract has no such list,
// or no response shows one.
std::optional<OwnList> read_list(CaseRun& case_run, const plan::OwnRecord& own,
                                 const plan::RequestPlan& parents);

// The record with this identifier; null if the list lacks it.
const nlohmann::json* find_record(const plan::OwnRecord& own, const OwnList& list,
                                  const std::string& identifier);

// Identifiers of the records in `before` that `after` lacks.
std::vector<std::string> identifiers_lacked(const plan::OwnRecord& own, const OwnList& before,
                                            const OwnList& after);

// Identifiers of the records whose marker is this text.
std::vector<std::string> marked_records(const plan::OwnRecord& own, const OwnList& list,
                                        const std::string& marker);

// A member by which the list may leave `record` out (drafts, say): the records that it shows have
// few values there, and this one has another, or none. "" if they show no reason. Precondition:
// the list has records.
std::string may_be_filtered_by(const plan::OwnRecord& own, const OwnList& list,
                               const nlohmann::json& record);

// The records in a response: those of the list at `pointer`, or, with "", of the one array of
// objects that the body is or has as a member; null if there is none.
const nlohmann::json* records_in(const nlohmann::json& body, const std::string& pointer);

// The total that a response states: a header field or a member beside the records or in an object
// there ("total", "totalCount", "meta": {"total_items": 3}); a "count" only if it is greater than
// `count`, the number of records in the response.
std::optional<long long> total_in(const client::Exchange& exchange, const nlohmann::json& body,
                                  std::size_t count);

// True if one response shows every record. Either it counts them ("total": 3), or nothing in it or
// in the contract suggests pages: no parameter of the query, no link to a next page, and fewer
// records than any page would have.
bool is_whole(const spec::contract::Operation& list, const client::Exchange& exchange,
              const nlohmann::json& body, std::size_t count);

}  // namespace contract_tests::run
