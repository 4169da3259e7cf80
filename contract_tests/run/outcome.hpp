#pragma once

// The result of a case. Plain values, made by the runner, read by registered tests and reports.

#include "contract_tests/checks/finding.hpp"
#include "contract_tests/run/case.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::run {

struct Settings;

// kKnown: failed by findings alone that the baseline of the run has.
enum class Verdict : std::uint8_t { kPassed, kFailed, kKnown, kInconclusive, kSkipped };

inline constexpr std::size_t kVerdicts = 5;

// "passed", "failed", "known", "inconclusive", "skipped"
std::string_view to_text(Verdict verdict);
std::optional<Verdict> verdict_from(std::string_view text);

// One request of a case and its response, as far as reports show it.
struct Step {
  std::string request;  // "GET /customers/cus_1"
  std::string curl;
  int status = 0;
  std::string response;  // "200 application/json, 412 bytes"
  std::chrono::microseconds time{0};
  std::string hash = {};  // of the status and the body of the response
};

// The verdicts of a case that ran several times; the rest were inconclusive.
struct Repeats {
  unsigned of = 0;  // 0 when it ran once
  unsigned passed = 0;
  unsigned failed = 0;
};

// NOLINTNEXTLINE(bugprone-exception-escape): moves of what it holds never throw.
struct Outcome {
  Verdict verdict = Verdict::kSkipped;
  Reason reason;  // why kInconclusive or kSkipped
  std::vector<checks::Finding> findings;
  std::vector<Step> steps;
  std::chrono::microseconds time{0};
  Repeats repeats;
  std::map<std::string, unsigned> met;  // fingerprint -> how many of the repeats
  // For a generated case that was reduced: the request that still failed.
  std::optional<plan::RequestPlan> smallest = std::nullopt;
};

using Outcomes = std::map<std::size_t, Outcome>;  // by index into the plan

// The finding of `outcome` with this fingerprint; null if it has none.
const checks::Finding* find(const Outcome& outcome, std::string_view fingerprint);

// kFailed when a finding of at least this severity is not known; else kKnown when there is one;
// else kInconclusive when there is a reason; else kPassed.
Verdict verdict_of(const Outcome& outcome, checks::Severity fail_on = checks::Severity::kError);

// The outcome of a case that ran several times: failed when every conclusive time failed; passed
// when each of those passed. Mixed results are inconclusive, with the rate as the reason. Each
// finding is in the result once, with the number of times that it was found; the requests are those
// of all times. Precondition: not empty.
Outcome merge_repeats(std::vector<Outcome> times);

// Sets the verdict of `outcome` by Settings::fail_on, and where the run has a baseline the state of
// each finding of at least that severity; a case that failed by known ones alone is kKnown. Leaks
// are new whatever the baseline says. A flaky case stays inconclusive.
void note_states(const Settings& settings, Outcome& outcome);

// Limits the memory for the outcomes of a run: texts and exchanges of the first megabytes. Later
// ones lose what a report could not show anyway. Verdicts, statuses, places and messages stay. Not
// thread-safe: the runner holds its mutex.

struct OutcomeLimits {
  std::size_t texts = 6'000'000;      // bytes of requests, responses, excerpts and curl lines
  std::size_t exchanges = 3'000'000;  // bytes of exchanges that findings point at
};

class OutcomeTrimmer {
 public:
  explicit OutcomeTrimmer(OutcomeLimits limits = {}) : limits_(limits) {}

  // Takes out of `outcome` what is beyond the limits, and counts the rest.
  void trim(Outcome& outcome);

 private:
  void trim_exchanges(Outcome& outcome);

  OutcomeLimits limits_;
  std::size_t texts_ = 0;
  std::size_t exchanges_ = 0;
};

}  // namespace contract_tests::run
