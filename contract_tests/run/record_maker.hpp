#pragma once

// Creates and removes records of the run's own by one operation, below one parent. A record is
// removed only where it is certainly new.

#include "contract_tests/plan/own_record.hpp"
#include "contract_tests/run/changes.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace contract_tests::run {

class RecordMaker {
 public:
  // `parents` has the path parameters of the collection.
  RecordMaker(CaseRun& case_run, const plan::OwnRecord& own, plan::RequestPlan parents);

  // Why the last step failed, and whether it may succeed later.
  const std::string& why() const { return why_; }

  bool may_pass() const { return undoing_.may_pass(); }

  // A new record, noted to be removed; its identifier. Where it is rejected, other texts than those
  // of the plain request are tried: a service may want them to be unique.
  std::optional<std::string> create();

  // Removes the record, and looks whether it is gone. Where it is not, it stays noted: the end of
  // the run tries again.
  bool remove(const std::string& identifier);

  // The response to a request of another operation; null when there is none.
  const CaseResponse* ask(const spec::contract::Operation& operation,
                          const plan::RequestPlan& request);

  plan::RequestPlan item(const std::string& identifier) const;

  std::string key(const std::string& identifier) const;

  // No more records are created by this operation; `shown` is the response that violates `rule`.
  void stop(const std::string& why, const std::string& rule = {},
            const CaseResponse* shown = nullptr);

  void leave(const std::string& what, const std::string& identifier);

  // The identifier that a response to the creating operation shows. Empty if the request was
  // rejected, and where something may have been created that cannot be found, which is listed then.
  std::optional<std::string> identified(const CaseResponse& sent);

  std::string path_of_collection() const;

  // An identifier that was looked for and not found; a number that is greater than those of all
  // records before; or what the response calls new.
  bool is_new(const CaseResponse& sent, const std::string& identifier) const;

  std::optional<nlohmann::json> shown_by(const CaseResponse& read) const;

  // The requests for it are reserved. With a marker, the record is removed only where it shows it.
  // False where the contract has no way to remove it.
  bool note(const std::string& identifier, const std::string& marker);

  void forget(const std::string& identifier);

  // The record of the run stays: no case removes it.
  void keep(const std::string& identifier) { state_.existing.erase(identifier); }

  Creation& state() { return state_; }

  const UndoClient& client() const { return undoing_; }

  // The text by which the record that was created last is marked; "" for none.
  const std::string& marker() const { return marker_; }

  const plan::RequestPlan& parents() const { return parents_; }

  // The reason why a step failed.
  void set_why(std::string why) { why_ = std::move(why); }

 private:
  struct Created {
    std::optional<std::string> identifier;
    bool is_noted = false;  // it is removed by requests that are reserved
  };

  enum class Ownership : std::uint8_t { kOwn, kUnknown, kOther };

  // The record that this request creates.
  std::optional<std::string> create_by(plan::RequestPlan request);

  Created create_with_reserve(plan::RequestPlan request);

  // With the values of this case run, but that of the identifier.
  void fill(plan::RequestPlan& request) const;

  // Puts an identifier into the path that is valid and that no record has.
  bool choose_identifier(plan::RequestPlan& request);

  // A record that is not gone after DELETE; `read` is the response to GET then, null if DELETE
  // was rejected. Where GET finds a record for an identifier that none has, it shows nothing.
  void still_there(const std::string& identifier, const CaseResponse* read);

  // True if the body says which identifier the record is to have: what a service makes of that, and
  // that it may be of no use in a path, says nothing about other records.
  bool names_itself(const spec::http::Request& request) const;

  // The path of the collection, and the operation that creates.
  std::string place() const;

  // Compares the record of this identifier with the one that was created: GET shows what was sent.
  // One that may be another is not removed. Unknown while GET gets no response: the end of the run
  // looks for the marker.
  Ownership ownership_of(const CaseResponse& created, const plan::RequestPlan& request,
                         const std::string& identifier);

  // `read` does not show the record that was created; `record` is what it shows, or null.
  void report_wrong_record(const CaseResponse& read, const nlohmann::json& record,
                           const std::string& identifier);

  // With the values of this case run: the end of the run does not know them.
  PendingUndo removal(const std::string& identifier, const std::string& marker) const;

  CaseRun& case_run_;
  UndoClient undoing_;
  const plan::OwnRecord& own_;
  const plan::RequestPlan parents_;  // the path parameters of the collection
  Creation& state_;
  std::string marker_;
  bool rejected_ = false;  // the last request that should create
  std::string why_;
};

}  // namespace contract_tests::run
