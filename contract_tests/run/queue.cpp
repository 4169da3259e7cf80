#include "contract_tests/run/queue.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace contract_tests::run {

namespace {

bool is_for_the_end(std::string_view lane) {
  return lane == "last" || lane == "burst";
}

// The same cases: the first of every operation, then the second of every operation, and so on.
std::vector<std::size_t> in_turns(const Plan& plan, const std::vector<std::size_t>& selected) {
  std::map<std::string_view, std::size_t> turns;
  std::vector<std::pair<std::size_t, std::size_t>> order;  // turn, case
  order.reserve(selected.size());
  for (const auto index : selected) {
    order.emplace_back(turns[plan.cases[index].operation]++, index);
  }
  std::ranges::sort(order);
  std::vector<std::size_t> cases;
  cases.reserve(order.size());
  for (const auto& [turn, index] : order) {
    cases.push_back(index);
  }
  return cases;
}

// True if `item` may be the cause of others' outcomes in its operation. By rules, responses to two
// equal requests are compared without volatile fields.
bool explains_others(const Case& item, const plan::Rules& rules) {
  const bool ruled = rules.of_operation(item.operation).request.has_value();
  return item.is_plain || item.is_unauthenticated || (repeats_its_request(item) && !ruled);
}

bool deletes(const Case& item) {
  return !item.lane.empty() && item.operation_name.starts_with("DELETE ");
}

void put_deletions_last(const Plan& plan, std::vector<std::size_t>& cases) {
  std::stable_partition(cases.begin(), cases.end(),
                        [&plan](std::size_t index) { return !deletes(plan.cases[index]); });
}

// The first cases of an operation run one after another.
std::string lane_of(const Case& item, bool first) {
  return first ? '#' + item.operation : item.lane;
}

}  // namespace

Queue::Phase Queue::phase_of(const Case& item, const plan::Rules& rules) {
  if (is_for_the_end(item.lane)) {
    return kLast;
  }
  if (deletes(item)) {
    return kDeletions;
  }
  if (item.lane.empty()) {
    return explains_others(item, rules) ? kFirst : kMain;
  }
  // A case that changes something runs in the plan's order. Without rules, compared responses may
  // show any change, so it waits until all of them are read; not in turns, where each operation has
  // its share of a run that ends early.
  return rules.of_operation(item.operation).request ? kMain : kChanges;
}

Queue::Queue(const Plan& plan, const plan::Rules& rules, const std::vector<std::size_t>& selected,
             bool in_turns) {
  std::map<std::pair<Phase, std::string>, std::size_t> lanes;  // where the job of a lane is
  std::array<std::vector<std::size_t>, 2> turns;               // kFirst, kMain
  for (const auto index : selected) {
    const auto& item = plan.cases[index];
    const Phase phase = phase_of(item, rules);
    if (in_turns && phase != kLast) {
      turns.at(std::min(phase, kMain)).push_back(index);
      continue;
    }
    const auto lane = lane_of(item, phase == kFirst);
    auto& jobs = jobs_.at(phase);
    const auto known = lane.empty() ? lanes.end() : lanes.find({phase, lane});
    if (known != lanes.end()) {
      jobs[known->second].cases.push_back(index);
      continue;
    }
    if (!lane.empty()) {
      lanes[{phase, lane}] = jobs.size();
    }
    jobs.push_back({lane, {index}});
  }
  for (const auto phase : {kFirst, kMain}) {
    add_in_turns(plan, turns.at(phase), phase);
  }
}

// A lane keeps its places among the turns and its order.
void Queue::add_in_turns(const Plan& plan, const std::vector<std::size_t>& selected, Phase phase) {
  std::map<std::string, std::vector<std::size_t>> lanes;
  for (const auto index : selected) {
    lanes[lane_of(plan.cases[index], phase == kFirst)].push_back(index);
  }
  for (auto& [lane, cases] : lanes) {
    put_deletions_last(plan, cases);
    std::ranges::reverse(cases);  // taken from the back
  }
  for (const auto index : in_turns(plan, selected)) {
    const auto lane = lane_of(plan.cases[index], phase == kFirst);
    auto& next = lanes.at(lane);
    jobs_.at(phase).push_back({lane, {lane.empty() ? index : next.back()}});
    next.pop_back();
  }
}

bool Queue::is_empty() const {
  return std::ranges::all_of(jobs_, [](const auto& jobs) { return jobs.empty(); });
}

std::optional<Queue::Job> Queue::take() {
  while (phase_ != kLast && jobs_.at(phase_).empty() && running_ == 0) {
    phase_ = static_cast<Phase>(phase_ + 1);
  }
  auto& jobs = jobs_.at(phase_);
  const auto found = std::ranges::find_if(
      jobs, [this](const Job& job) { return job.lane.empty() || !busy_.contains(job.lane); });
  if (found == jobs.end() || (phase_ == kLast && running_ != 0)) {
    return std::nullopt;
  }
  auto job = std::move(*found);
  jobs.erase(found);
  ++running_;
  busy_.insert(job.lane);
  return job;
}

void Queue::done(const Job& job) {
  --running_;
  busy_.erase(job.lane);
}

std::vector<std::size_t> with_explaining_cases(const Plan& plan, const plan::Rules& rules,
                                               const std::vector<std::size_t>& selected) {
  std::set<std::string_view> operations;
  for (const auto index : selected) {
    operations.insert(plan.cases.at(index).operation);
  }
  std::set<std::size_t> all(selected.begin(), selected.end());
  for (std::size_t index = 0; index < plan.cases.size(); ++index) {
    const auto& item = plan.cases[index];
    if (operations.contains(item.operation) && explains_others(item, rules)) {
      all.insert(index);
    }
  }
  return {all.begin(), all.end()};
}

}  // namespace contract_tests::run
