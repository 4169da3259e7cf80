#include "contract_tests/report/replay.hpp"

#include "contract_tests/findings/finding_text.hpp"
#include "contract_tests/report/case_value.hpp"
#include "contract_tests/run/status.hpp"
#include "spec/text/quote.hpp"
#include "spec/text/utf8.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

namespace contract_tests::report {

using checks::Finding;
using findings::text_of;
using nlohmann::json;
using run::Case;
using run::Outcome;
using run::Verdict;

namespace {

constexpr std::array<std::string_view, 4> kStates{"fixed", "still failing", "failing otherwise",
                                                  "cannot tell"};
constexpr std::size_t kMaxReplayReason = 1'000;

// One finding to compare.
struct ReplayInput {
  const SelectedFinding& recorded;
  const Case& item;
  const Outcome& outcome;
  std::string difference;  // of the planned request; "" for none
};

const Finding* find_other_error(const Outcome& outcome) {
  const auto found =
      std::ranges::find(outcome.findings, checks::Severity::kError, &Finding::severity);
  return found == outcome.findings.end() ? nullptr : &*found;
}

// The number of requests of the recorded case up to the one that shows the finding; those that were
// sent again after a gateway's error count once. 0 if it is unknown.
std::size_t requests_until(const SelectedFinding& recorded) {
  const auto& [item, finding] = recorded;
  const auto curl = text_of(*finding, "curl");
  const bool more =
      item->contains("repeats") || item->value("planned", json::object()).contains("smallest");
  std::size_t count = 0;
  for (const auto& step : item->at("steps")) {
    count += run::is_transient(step.at("status").get<int>()) ? 0 : 1;
    if (!more && !curl.empty() && text_of(step, "curl") == curl) {
      return count;
    }
  }
  return 0;
}

std::size_t requests_of_outcome(const Outcome& outcome) {
  return static_cast<std::size_t>(std::ranges::count_if(
      outcome.steps, [](const run::Step& step) { return !run::is_transient(step.status); }));
}

// The subject of a request that gets 404 now, and did not when the run was recorded.
std::string gone_subject(const ReplayInput& replay) {
  if (replay.item.needs.subjects.empty()) {
    return {};
  }
  for (const auto& step : replay.recorded.item->at("steps")) {
    if (run::is_gone(step.at("status").get<int>())) {
      return {};
    }
  }
  const auto found = std::ranges::find_if(
      replay.outcome.steps, [](const run::Step& step) { return run::is_gone(step.status); });
  return found == replay.outcome.steps.end()
             ? ""
             : std::to_string(found->status) + " for " + found->request +
                   ": the subject may be gone; name one that exists with --subjects";
}

std::string with_difference(const std::string& text, const ReplayInput& replay) {
  return replay.difference.empty() ? text : text + "; the request differs: " + replay.difference;
}

ReplayedFinding replayed_of(const ReplayInput& replay) {
  auto made = cannot_tell(replay.recorded, "");
  const auto& outcome = replay.outcome;
  if (const auto* same = find(outcome, text_of(*replay.recorded.finding, "fingerprint"))) {
    made.state = ReplayState::kStillFailing;
    made.reason = with_difference(same->message.text(), replay);
    return made;
  }
  if (outcome.verdict == Verdict::kSkipped) {
    made.reason = outcome.reason.words;
    return made;
  }
  const auto* other = find_other_error(outcome);
  if (auto gone = other == nullptr ? "" : gone_subject(replay); !gone.empty()) {
    made.reason = std::move(gone);
  } else if (other != nullptr) {
    made.state = ReplayState::kFailingOtherwise;
    made.reason = with_difference(other->rule + ' ' + other->place + ": " + other->message.text() +
                                      " (id " + other->fingerprint + ')',
                                  replay);
  } else if (outcome.verdict == Verdict::kInconclusive) {
    made.reason = outcome.reason.words;
  } else if (!replay.difference.empty()) {
    made.reason = "the request differs: " + replay.difference;
  } else if (const auto needed = requests_until(replay.recorded);
             requests_of_outcome(outcome) < needed) {
    made.reason = "request " + std::to_string(needed) +
                  " of the case showed it, and the case now ends after " +
                  std::to_string(requests_of_outcome(outcome));
  } else {
    made.state = ReplayState::kFixed;
    made.reason = "the case ran (requests: " + std::to_string(outcome.steps.size()) +
                  ") and does not show it";
  }
  return made;
}

ReplayedFinding replayed_of(const SelectedFinding& recorded, const run::Plan& plan,
                            const run::Outcomes& outcomes, const client::Secrets& secrets) {
  const auto item = std::ranges::find(plan.cases, text_of(*recorded.item, "id"), &Case::id);
  if (item == plan.cases.end()) {
    return cannot_tell(recorded,
                       "the plan has no such case any more: contract, rules or seed are "
                       "not those of the run");
  }
  const auto outcome = outcomes.find(static_cast<std::size_t>(item - plan.cases.begin()));
  if (outcome == outcomes.end()) {
    return cannot_tell(recorded, "it was not selected");
  }
  if (item->sends_nothing) {
    auto made = cannot_tell(recorded, "it is about the responses of all cases; run all of them");
    made.needs_all_cases = true;
    return made;
  }
  const auto planned = recorded.item->find("planned");
  return replayed_of(
      {recorded, *item, outcome->second,
       planned == recorded.item->end() ? "" : planned_difference(*planned, *item, secrets)});
}

}  // namespace

std::string_view to_text(ReplayState state) {
  return kStates.at(static_cast<std::size_t>(state));
}

ReplayedFinding cannot_tell(const SelectedFinding& recorded, std::string reason) {
  return {.state = ReplayState::kCannotTell,
          .reason = std::move(reason),
          .operation = text_of(*recorded.item, "operation_name"),
          .place = text_of(*recorded.finding, "place"),
          .case_id = text_of(*recorded.item, "id"),
          .fingerprint = text_of(*recorded.finding, "fingerprint")};
}

std::vector<ReplayedFinding> compare_replay(const std::vector<SelectedFinding>& recorded,
                                            const run::Plan& plan, const run::Outcomes& outcomes,
                                            const client::Secrets& secrets) {
  std::vector<ReplayedFinding> all;
  all.reserve(recorded.size());
  for (const auto& selected : recorded) {
    all.push_back(replayed_of(selected, plan, outcomes, secrets));
  }
  return all;
}

std::string replay_text(const std::vector<ReplayedFinding>& replayed) {
  std::vector<std::pair<const ReplayedFinding*, std::size_t>>
      lines;  // the first of its kind, how many
  std::map<std::tuple<ReplayState, std::string_view, std::string_view>, std::size_t> known;
  for (const auto& one : replayed) {
    const bool decided = one.state != ReplayState::kCannotTell;
    const auto [at, is_new] = known.try_emplace(
        {one.state, one.fingerprint, decided ? std::string_view() : one.reason}, lines.size());
    if (is_new) {
      lines.emplace_back(&one, 0);
    }
    ++lines[at->second].second;
  }
  std::string text;
  std::array<std::size_t, kStates.size()> counts{};
  for (const auto& [one, cases] : lines) {
    ++counts.at(static_cast<std::size_t>(one->state));
    text += std::string(to_text(one->state)) + ": " + one->operation + ' ' + one->place + " in " +
            one->case_id + " (id " + one->fingerprint +
            "): " + spec::text::one_line(spec::text::as_utf8(one->reason), kMaxReplayReason) +
            (cases == 1 ? "" : " [" + std::to_string(cases) + " cases]") + '\n';
  }
  text += spec::text::counted(lines.size(), "finding", "findings");
  for (std::size_t state = 0; state < kStates.size(); ++state) {
    text += (state == 0 ? ": " : ", ") + std::to_string(counts.at(state)) + ' ' +
            std::string(kStates.at(state));
  }
  return text + '\n';
}

int exit_of(const std::vector<ReplayedFinding>& replayed) {
  const auto has = [&replayed](ReplayState state) {
    return std::ranges::find(replayed, state, &ReplayedFinding::state) != replayed.end();
  };
  if (has(ReplayState::kStillFailing) || has(ReplayState::kFailingOtherwise)) {
    return 1;
  }
  return has(ReplayState::kCannotTell) ? 3 : 0;
}

}  // namespace contract_tests::report
