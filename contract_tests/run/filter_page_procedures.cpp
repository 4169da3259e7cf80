// Procedures about pages of filtered lists: a filter takes nothing from what pages promise.

#include "contract_tests/checks/filters.hpp"
#include "contract_tests/run/procedures.hpp"
#include "contract_tests/run/range.hpp"

#include <algorithm>

namespace contract_tests::run {

using checks::Items;
using plan::Want;

namespace {

constexpr const char* kNothingLeft = "the filter leaves nothing of the subject's list";

// A list under one filter: by a bound of its items' times, or by a member of their inner lists.
class Filtered {
 public:
  explicit Filtered(Trial& trial)
      : trial_(trial), paging_(paging_of_rules(trial.item().data.at("pages"))) {
    const auto& data = trial.item().data;
    if (data.contains("parameter")) {
      member_ = member_rule(trial);
      request_ =
          with_query(trial.item().request, data.at("parameter").get<std::string>(), member_->value);
      return;
    }
    Range range(trial);
    const bool lower = range.is_lower();
    const auto bound = range.read_bound(lower ? 1 : 2);
    if (bound) {
      request_ = with_query(trial.item().request, range.parameter(lower), *bound);
    }
  }

  // Nothing when no filter could be made; the trial knows why.
  const std::optional<plan::RequestPlan>& request() const { return request_; }

  const Paging& paging() const { return paging_; }

  std::optional<WalkReading> read(std::size_t size) const {
    return walk(trial_, *request_, paging_, size);
  }

  // How many items a page of `size` would hold if it were cut first and filtered then.
  std::optional<std::size_t> filtered_late(std::size_t size, const Items& whole) const {
    const auto plain = with_query(trial_.item().request, paging_.size, std::to_string(size));
    const auto page = items_of(trial_.send(plain, {.want = Want::kAccepted}), paging_.items);
    if (!page) {
      return std::nullopt;
    }
    return member_ ? checks::count_members(*page, *member_) : checks::count_common(*page, whole);
  }

 private:
  Trial& trial_;
  Paging paging_;
  std::optional<checks::MemberRule> member_;
  std::optional<plan::RequestPlan> request_;
};

// One page of a filtered list: asked for by size, what is expected, and by which rule.
struct Probe {
  std::string size;  // "" asks without a size
  std::size_t expected = 0;
  std::string rule;
  bool may_be_refused = false;
};

std::vector<Probe> probes_of(const nlohmann::json& data) {
  const auto& size = data.at("pages").at("size");
  const auto maximum = size.at("maximum").get<std::size_t>();
  std::vector<Probe> probes{
      {"", size.at("default").get<std::size_t>(), "paging/default-size"},
      {"0", 0, "paging/zero", true},
      {std::to_string(maximum + 1), maximum, "paging/maximum", true},
  };
  for (const auto& wanted : data.at("sizes")) {
    probes.push_back({wanted.dump(), wanted.get<std::size_t>(), "paging/size"});
  }
  return probes;
}

void judge(Trial& trial, const Filtered& list, const Items& whole, const Probe& probe) {
  const auto request = probe.size.empty()
                           ? *list.request()
                           : with_query(*list.request(), list.paging().size, probe.size);
  const auto want = probe.may_be_refused ? Want::kHandled : Want::kAccepted;
  const auto& sent = trial.send(request, {.want = want});
  const auto items = items_of(sent, list.paging().items);
  if (!items) {
    return;
  }
  auto rule = probe.rule;
  std::optional<std::size_t> total;
  const bool is_short = items->size() < std::min(probe.expected, whole.size());
  if (!probe.may_be_refused && is_short) {
    total = whole.size();
    const bool late = list.filtered_late(probe.expected, whole) == items->size();
    rule = late ? "filter/paged" : rule;
  }
  trial.suspect(checks::check_page_size(items->size(), probe.expected, total, rule), sent);
}

}  // namespace

void run_filter_size(Trial& trial) {
  const Filtered list(trial);
  const auto reading = list.request() ? list.read(list.paging().maximum) : std::nullopt;
  if (!reading) {
    return;
  }
  const auto whole = reading->walk.all();
  if (whole.empty()) {
    trial.not_run(kNothingLeft);
    return;
  }
  for (const auto& probe : probes_of(trial.item().data)) {
    judge(trial, list, whole, probe);
  }
}

void run_filter_paged(Trial& trial) {
  constexpr std::size_t kSmallPage = 7;
  const Filtered list(trial);
  if (!list.request()) {
    return;
  }
  const auto large = list.read(list.paging().maximum);
  const auto small = list.read(kSmallPage);
  if (!large || !small) {
    return;
  }
  auto left = large->walk.all();
  if (left.empty()) {
    trial.not_run(kNothingLeft);
  }
  const auto right = small->walk.all();
  const auto most = kSmallPage * trial.settings().walk_pages;
  if (right.size() + kSmallPage > most && left.size() > right.size()) {
    left.resize(right.size());  // the budget of pages ended the reading
  }
  trial.suspect(checks::check_same_items(left, right, trial.item().why.rule,
                                         "large and small pages of a filtered list"),
                *small->last);
}

}  // namespace contract_tests::run
