#pragma once

// Small runs for tests of what is done with runs: made case by case, written by the program's own
// report::to_json.

#include "contract_tests/report/run_value.hpp"

#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace contract_tests::report::tests {

class Run {
 public:
  // Adds a case of `operation` ("GET /a"); each call takes the next index of the plan.
  Run& add(const std::string& operation, const std::string& sentence, run::Verdict verdict) {
    auto& item = plan_->cases.emplace_back();
    item.operation = run::slug(operation);
    item.operation_name = operation;
    item.sentence = sentence;
    item.id = run::name_of(operation, sentence);
    item.basis.rule = "schema/type";
    last_ = plan_->cases.size() - 1;
    auto& outcome = run_.outcomes[last_];
    outcome.verdict = verdict;
    if (verdict == run::Verdict::kSkipped || verdict == run::Verdict::kInconclusive) {
      outcome.reason = "a reason";
    }
    return *this;
  }

  // The plan has a case here that this run did not select.
  Run& leave_out(const std::string& operation, const std::string& sentence) {
    add(operation, sentence, run::Verdict::kSkipped);
    run_.outcomes.erase(last_);
    return *this;
  }

  // A finding of the last case.
  Run& find(const std::string& place, checks::Severity severity = checks::Severity::kError,
            const std::string& rule = "schema/type") {
    checks::Finding finding;
    finding.rule = rule;
    finding.place = place;
    finding.message = {"must be a string", "is 7"};
    finding.severity = severity;
    finding.operation = plan_->cases[last_].operation_name;
    finding.case_id = plan_->cases[last_].id;
    finding.fingerprint = checks::fingerprint(finding);
    finding.shown = std::make_shared<const client::Exchange>();
    run_.outcomes.at(last_).findings.push_back(std::move(finding));
    return *this;
  }

  // A step of the last case, and its response as a hash.
  Run& step(const std::string& response, std::chrono::microseconds time = {}) {
    auto& outcome = run_.outcomes.at(last_);
    outcome.steps.push_back(
        {.request = "GET /a", .status = 200, .time = time, .hash = checks::stable_hash(response)});
    outcome.time += time;
    return *this;
  }

  // A covered and a further point of an operation.
  Run& cover(const std::string& id, const std::vector<std::string>& seen,
             const std::vector<std::string>& unseen) {
    using spec::contract::PointKind;
    auto& operation = run_.coverage.operations.emplace_back();
    operation.id = id;
    operation.points.push_back({PointKind::kOperation, "", true, 0, {}});
    for (const auto& text : seen) {
      operation.points.push_back({PointKind::kField, text, true, 0, {}});
    }
    for (const auto& text : unseen) {
      operation.points.push_back({PointKind::kField, text, false, 0, {}});
    }
    return *this;
  }

  Run& shard(std::size_t index, std::size_t of) {
    run_.shard = Shard{index, of};
    return *this;
  }

  // For what the members of this class do not say.
  report::Run& run() { return run_; }

  run::Plan& plan() { return *plan_; }

  nlohmann::json value() const { return to_json(run_); }

 private:
  std::unique_ptr<run::Plan> plan_ = std::make_unique<run::Plan>();
  report::Run run_{.plan = *plan_,
                   .outcomes = {},
                   .base_url = "http://127.0.0.1:1",
                   .target = "service",
                   .contract = "Shop 1",
                   .started = "2024-01-01T00:00:00Z",
                   .requests = 0,
                   .version = "0.1.0",
                   .contract_hash = "00000000000000c0",
                   .plan_hash = "00000000000000a0",
                   .basis = "00000000000000b0"};
  std::size_t last_ = 0;
};

}  // namespace contract_tests::report::tests
