#pragma once

// The order in which a run takes its cases. Those that may explain others come first: the
// plain request of each operation, the one without credentials, the same request twice. Cases of
// one lane run one after another, in the plan's order. What deletes runs when all of those are
// done, so that they find what they are about; the lanes "last" and "burst" come at the end, each
// case alone. In turns, the first case of every operation comes before any second one, so that a
// run that may end early reaches every operation; what deletes is then at the end of its lane. Not
// thread-safe: the runner holds its mutex.

#include "contract_tests/plan/rule_book.hpp"
#include "contract_tests/run/case.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace contract_tests::run {

class Queue {
 public:
  // Cases for one worker, in this order.
  struct Job {
    std::string lane;  // "" beside any
    std::vector<std::size_t> cases;
  };

  Queue() = default;
  // `selected` are indices into `plan`, in its order.
  Queue(const Plan& plan, const plan::Rules& rules, const std::vector<std::size_t>& selected,
        bool in_turns);

  // A job that may run now; empty if it must wait for another one, or when all are taken.
  std::optional<Job> take();
  // Every job that was taken must be given back here.
  void done(const Job& job);

  // Every job was taken.
  bool is_empty() const;

 private:
  // A phase begins when every job of the one before is done.
  enum Phase : std::uint8_t { kFirst, kMain, kChanges, kDeletions, kLast };

  static Phase phase_of(const Case& item, const plan::Rules& rules);
  void add_in_turns(const Plan& plan, const std::vector<std::size_t>& selected, Phase phase);

  std::array<std::deque<Job>, 5> jobs_;  // by phase
  Phase phase_ = kFirst;
  std::set<std::string> busy_;  // lanes with a job that runs
  std::size_t running_ = 0;
};

// `selected`, and the cases that may explain others of the same operations: the plain
// request, the one without credentials, the same request twice. In the plan's order.
std::vector<std::size_t> with_explaining_cases(const Plan& plan, const plan::Rules& rules,
                                               const std::vector<std::size_t>& selected);

}  // namespace contract_tests::run
