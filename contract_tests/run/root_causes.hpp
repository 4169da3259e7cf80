#pragma once

// Explains failures of cases by those of others, so that one cause is reported once: a plain
// request that fails, a request without credentials that is not rejected, responses that change by
// themselves, a record that a case removed, a request after which nothing responds. Shared by the
// workers; safe from any thread.

#include "contract_tests/client/http_exchange.hpp"
#include "contract_tests/run/case.hpp"
#include "contract_tests/run/outcome.hpp"

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>

namespace contract_tests::run {

// The failure of a case that explains others.
struct Failure {
  std::string case_id;
  std::string what;                // "404 Not Found"
  int status = 0;                  // 0: no response
  std::set<std::string> findings;  // of that case: their keys, Same::kViolation
  // The operation has rules, by which its cases know what they may require of the service: they
  // are caused by it only if they meet the same failure.
  bool ruled = false;
};

// The latest result of one request of each operation, by its id; empty if it was as it must be.
class Failures {
 public:
  void note(const std::string& operation, std::optional<Failure> failure);
  std::optional<Failure> find(const std::string& operation) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Failure> failures_;
};

class RootCauses {
 public:
  Failures plain;            // of plain requests, which must succeed
  Failures unauthenticated;  // of requests without credentials, which must be rejected

  // Two equal requests of `operation` got different values at these places
  // (checks/json_places.hpp).
  void note_changing(const std::string& operation, const std::set<std::string>& places);
  std::set<std::string> changing(const std::string& operation) const;

  // Every exchange of the case with this id, in order.
  void note(const client::Exchange& exchange, const std::string& case_id);
  // The record at `target` is gone since the case with this id deleted another record.
  void note_removed(const std::string& target, const std::string& case_id);
  // Id of another case because of which there is nothing (404, 410) where something was: it deleted
  // the record, or sent a request there that may change something, and no response has shown the
  // record since. "" if the response has no such cause. Of an operation with rules (`ruled`), by
  // which its cases know what there is, only a record that went with another one is known to be
  // gone.
  std::string removed_by(const client::Exchange& exchange, const std::string& case_id,
                         bool ruled = false) const;
  // Id of the case that sent the first of the requests without a response, where no later one has
  // had any; else "". Those beside it may have lost theirs by it.
  std::string silent_since() const;

 private:
  // The state of a path, as far as responses showed it.
  struct Place {
    bool deleted = false;
    bool with_another = false;  // deleted, as note_removed() says
    std::string changed_by;     // id of the last case that may have changed it since it was seen
  };

  // A request without a response.
  struct Silence {
    std::string case_id;
    std::chrono::steady_clock::time_point sent;
    std::chrono::steady_clock::time_point given_up;
  };

  void note_silence(const client::Exchange& exchange, const std::string& case_id);

  mutable std::mutex mutex_;
  std::map<std::string, std::set<std::string>> changing_;
  std::map<std::string, Place, std::less<>> places_;
  std::optional<Silence> silence_;
};

// `outcome` of `item`, a case of the operation whose plain request failed: without the findings
// that follow from that; inconclusive, unless what is left is an error or it passed for a reason of
// its own.
Outcome explain_by_plain(Outcome outcome, const Case& item, const Failure& failure);

// The same where the operation's request without credentials is not rejected: other credentials in
// its cases show nothing where they get the same.
Outcome explain_by_unauthenticated(Outcome outcome, const Case& item, const Failure& failure);

}  // namespace contract_tests::run
