#include "contract_tests/demands/lists/walks.hpp"

#include "spec/json/pointer.hpp"

namespace contract_tests::demands::lists {

using checks::Items;

std::optional<Items> items_of(const Sent& sent, const std::string& pointer) {
  if (!sent.accepted || !sent.normal) {
    return std::nullopt;
  }
  const auto* found = spec::json::find(*sent.normal, pointer);
  if (found == nullptr || !found->is_array()) {
    return std::nullopt;
  }
  return Items(found->begin(), found->end());
}

const Sent& send_page(CaseRun& case_run, const RequestPlan& request, std::size_t page) {
  return case_run.send(request, {.want = page == 0 ? Want::kAccepted : Want::kHandled});
}

bool is_past_the_end(const Sent& sent, std::size_t page) {
  return page > 0 && sent.conclusive && sent.exchange.status() / 100 == 4;
}

std::optional<WalkReading> walk(CaseRun& case_run, const RequestPlan& base,
                                const plan::PageRules& pages, std::size_t size) {
  WalkReading reading;
  reading.walk.size = size;
  for (std::size_t page = 0; page < case_run.settings().walk_pages; ++page) {
    const auto& sent = send_page(case_run, pages.page(base, size, page), page);
    auto items = items_of(sent, pages.items);
    if (is_past_the_end(sent, page)) {
      reading.walk.ended = true;
      break;
    }
    if (!items) {
      return std::nullopt;
    }
    reading.last = &sent;
    reading.walk.ended = items->empty();
    const bool repeats = !reading.walk.pages.empty() && *items == reading.walk.pages.back();
    reading.walk.pages.push_back(std::move(*items));
    if (reading.walk.ended || repeats) {
      break;
    }
  }
  return reading;
}

}  // namespace contract_tests::demands::lists
