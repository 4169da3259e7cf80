// Procedures about pages.

#include "contract_tests/checks/pages.hpp"
#include "contract_tests/run/procedures.hpp"
#include "contract_tests/run/walks.hpp"

#include <algorithm>

namespace contract_tests::run {

using checks::Items;
using plan::Want;

namespace {

constexpr std::size_t kUsualSize = 10;  // of pages by which a list is counted
constexpr const char* kTooShort = "the subject's list is too short to be paged";

// How many items the list has, counted by pages of a usual size, so that a server that cuts large
// pages does not hide it. At most `enough` of them are counted.
std::optional<std::size_t> count_items(Trial& trial, const Paging& paging, std::size_t enough) {
  std::size_t count = 0;
  const auto sized = with_query(trial.item().request, paging.size, std::to_string(kUsualSize));
  for (std::size_t page = 0; count < enough; ++page) {
    const auto number = std::to_string(paging.first + static_cast<int>(page));
    const auto& sent = send_page(trial, with_query(sized, paging.number, number), page);
    const auto items = items_of(sent, paging.items);
    if (is_past_the_end(sent, page)) {
      break;
    }
    if (!items) {
      return std::nullopt;
    }
    count += items->size();
    if (items->size() < kUsualSize) {
      break;
    }
  }
  return count;
}

// Whether the list has an item at all: where it has none, any size and number gives the same.
bool shows_items(Trial& trial, const Paging& paging) {
  auto plain = trial.item().request;
  std::erase_if(plain.query, [&paging](const auto& pair) {
    return pair.first == paging.size || pair.first == paging.number;
  });
  const auto items = items_of(trial.send(plain, {.want = Want::kAccepted}), paging.items);
  return items && !items->empty();
}

}  // namespace

void run_page_size(Trial& trial) {
  const auto& data = trial.item().data;
  const auto paging = paging_of_case(data);
  const auto expected = data.at("expected").get<std::size_t>();
  const auto& sent = trial.send();
  const auto items = items_of(sent, paging.items);
  if (!items) {
    return;
  }
  std::optional<std::size_t> total;
  if (items->size() < expected && !paging.size.empty()) {
    total = count_items(trial, paging, expected);
  }
  const bool exact = trial.item().expect.want == Want::kAccepted;
  trial.suspect(checks::check_page_size(items->size(), expected, exact ? total : std::nullopt,
                                        trial.item().why.rule),
                sent);
  const bool empty = expected == 0 && items->empty() && !shows_items(trial, paging);
  if (empty || (total && *total < expected)) {
    trial.not_run(kTooShort);
  }
}

void run_pages_partition(Trial& trial) {
  const auto paging = paging_of_case(trial.item().data);
  const auto& sizes = trial.item().data.at("sizes");
  const auto small = walk(trial, trial.item().request, paging, sizes.at(0).get<std::size_t>());
  const auto large = walk(trial, trial.item().request, paging, sizes.at(1).get<std::size_t>());
  if (!small || !large) {
    return;
  }
  auto complaints = checks::check_walk(small->walk);
  if (complaints.empty()) {
    complaints = checks::check_walk(large->walk);
  }
  if (complaints.empty()) {
    complaints = checks::compare_walks(small->walk, large->walk);
  }
  trial.suspect(std::move(complaints), *large->last);
  if (small->walk.pages.size() < 3) {
    trial.not_run(kTooShort);
  }
}

void run_pages_first(Trial& trial) {
  const auto paging = paging_of_case(trial.item().data);
  const auto& plain = trial.send();
  const auto request =
      with_query(trial.item().request, paging.number, std::to_string(paging.first));
  const auto& first = trial.send(request);
  const auto left = items_of(plain, paging.items);
  const auto right = items_of(first, paging.items);
  if (left && right && *left != *right) {
    trial.suspect({{"paging/first-page", "body",
                    "must be the page that comes without a number but differs from it"}},
                  first);
  } else if (left && left->empty()) {
    trial.not_run(kTooShort);
  }
}

void run_pages_unsized(Trial& trial) {
  const auto paging = paging_of_case(trial.item().data);
  const auto size = trial.item().data.at("default").dump();
  const auto& plain = trial.send();
  const auto& sized = trial.send(with_query(trial.item().request, paging.size, size));
  const auto left = items_of(plain, paging.items);
  const auto right = items_of(sized, paging.items);
  if (left && right && *left != *right) {
    trial.suspect({{trial.item().why.rule, "body",
                    "must be the page that comes with the default size but differs from it"}},
                  plain);
  } else if (left && left->empty()) {
    trial.not_run(kTooShort);
  }
}

void run_pages_past_end(Trial& trial) {
  const auto paging = paging_of_case(trial.item().data);
  const auto last = walk(trial, trial.item().request, paging, paging.maximum);
  if (!last) {
    return;
  }
  const auto complaints = checks::check_walk(last->walk);
  if (!complaints.empty()) {
    trial.suspect(complaints, *last->last);
    return;
  }
  for (const auto* number : {"100000", "2147483647"}) {
    auto request = with_query(trial.item().request, paging.size, std::to_string(paging.maximum));
    request = with_query(request, paging.number, number);
    const auto& sent = trial.send(request, {.want = Want::kHandled});
    const auto items = items_of(sent, paging.items);
    if (items && !items->empty()) {
      trial.suspect({{"paging/past-the-end", "body" + paging.items,
                      "must be empty past the end but holds " + std::to_string(items->size())}},
                    sent);
    }
  }
  if (last->walk.all().empty()) {
    trial.not_run(kTooShort);
  }
}

void run_pages_order(Trial& trial) {
  const auto paging = paging_of_case(trial.item().data);
  const auto request =
      with_query(trial.item().request, paging.size, std::to_string(paging.maximum));
  std::optional<Items> before;
  for (int reading = 0; reading < 3; ++reading) {
    const auto& sent = trial.send(request);
    const auto items = items_of(sent, paging.items);
    if (!items) {
      return;
    }
    if (before) {
      trial.suspect(checks::compare_order(*before, *items), sent);
    }
    before = items;
  }
  if (before && before->size() < 2) {
    trial.not_run(kTooShort);
  }
}

// Every answer is judged as it is sent; here it is only read to its last page.
void run_pages_every(Trial& trial) {
  const auto paging = paging_of_case(trial.item().data);
  const auto large = walk(trial, trial.item().request, paging, paging.maximum);
  walk(trial, trial.item().request, paging, kUsualSize);
  if (large && large->walk.all().empty()) {
    trial.not_run(kTooShort);
  }
}

void run_pages_time(Trial& trial) {
  using std::chrono::microseconds;
  const auto paging = paging_of_case(trial.item().data);
  const auto fastest = [&](std::size_t size) -> std::optional<microseconds> {
    std::optional<microseconds> best;
    for (int reading = 0; reading < 3; ++reading) {
      const auto& sent =
          trial.send(with_query(trial.item().request, paging.size, std::to_string(size)));
      if (!sent.accepted) {
        return std::nullopt;
      }
      best = std::min(best.value_or(microseconds::max()), sent.exchange.timing.total);
    }
    return best;
  };
  constexpr int kDisproportion = 50;
  constexpr microseconds kNoticeable{100'000};
  const auto small = fastest(kUsualSize);
  const auto large = fastest(paging.maximum);
  if (small && large && *large > kNoticeable && *large > kDisproportion * *small) {
    const auto& sent = trial.send();
    trial.suspect({{"paging/time", "wire",
                    "must take a time in proportion but takes " + std::to_string(large->count()) +
                        " us for " + std::to_string(paging.maximum) + " items and " +
                        std::to_string(small->count()) + " us for " + std::to_string(kUsualSize)}},
                  sent);
  } else if (small && large && !shows_items(trial, paging)) {
    trial.not_run(kTooShort);
  }
}

}  // namespace contract_tests::run
