#pragma once

// What explains the failures of other cases, so that one cause is reported once: a plain request
// that fails, responses that change by themselves, a record that a case removed. Shared by the
// workers; safe from any thread.

#include "contract_tests/client/exchange.hpp"
#include "contract_tests/run/case.hpp"
#include "contract_tests/run/outcome.hpp"

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>

namespace contract_tests::run {

// How the plain request of an operation failed.
struct PlainFailure {
  std::string case_id;
  std::string what;             // "404 Not Found"
  int status = 0;               // 0: no response
  std::set<std::string> kinds;  // of the findings of that case
};

class Causes {
 public:
  // The latest result of the plain request of `operation` (its id); nothing when it succeeded.
  void note_plain(const std::string& operation, std::optional<PlainFailure> failure);
  std::optional<PlainFailure> failure_of(const std::string& operation) const;

  // Two equal requests of `operation` got different responses, as the case with this id shows.
  void note_changing(const std::string& operation, const std::string& case_id);
  // Id of that case; "" when nothing is known.
  std::string changing(const std::string& operation) const;

  // Every exchange of the case with this id, in order.
  void note(const client::Exchange& exchange, const std::string& case_id);
  // Id of another case because of which there is nothing (404, 410) where something was: it deleted
  // the record, or sent a request there that may change something, and nobody has seen the record
  // since. "" where the response has no such cause.
  std::string removed_by(const client::Exchange& exchange, const std::string& case_id) const;

 private:
  // What is at a path, as far as responses showed it.
  struct Place {
    bool deleted = false;
    std::string changed_by;  // id of the last case that may have changed it since it was seen
  };

  mutable std::mutex mutex_;
  std::map<std::string, PlainFailure> failures_;
  std::map<std::string, std::string> changing_;
  std::map<std::string, Place, std::less<>> places_;
};

// `outcome` of `item`, a case of the operation whose plain request failed: without the findings
// that follow from that; inconclusive, unless what is left is an error or it passed for a reason of
// its own.
Outcome lean(Outcome outcome, const Case& item, const PlainFailure& failure);

}  // namespace contract_tests::run
