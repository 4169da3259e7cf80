#include "mock_server/service/passed_items.hpp"

#include "spec/contract/checking/validate_message.hpp"
#include "spec/json/read.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace mock_server::service {

namespace {

using spec::http::ItemForm;

constexpr std::size_t kEndBytes = 3;  // of what ends an item, but for the last byte

}  // namespace

PassedItems::PassedItems(ItemForm form, Rules rules, const spec::http::Response& head, Room room)
    : form_(form),
      rules_(rules),
      head_{head.status, head.reason, head.headers, ""},
      room_(room.bytes) {
  if (room.budget != nullptr) {
    charge_.emplace(*room.budget);
  }
}

// A line feed ends a record, or is white space in it: then what follows is not here yet.
std::optional<std::size_t> PassedItems::whole_size(std::string_view open) const {
  const auto size = spec::http::item_size(form_, open);
  if (form_ != ItemForm::kRecords || size != open.size()) {
    return size;
  }
  const auto item = spec::http::read_item(form_, open);
  return item.data && spec::json::read(*item.data) ? size : std::nullopt;
}

PassedItems::Violations PassedItems::take(std::string_view bytes) {
  Violations found;
  bytes_ += bytes.size();
  open_ += bytes;
  std::string_view open = open_;
  for (auto size = whole_size(open); size; size = whole_size(open)) {
    take_item(open.substr(0, *size), found);
    open.remove_prefix(*size);
  }
  if (open.size() > kMaxItemBytes || is_skipping_) {  // all but what may begin its end
    open_ = 'x' + std::string(open.substr(open.size() - std::min(open.size(), kEndBytes)));
    is_skipping_ = true;
    room_ = 0;
  } else {
    open_.erase(0, open_.size() - open.size());
  }
  return found;
}

void PassedItems::take_item(std::string_view item, Violations& found) {
  ++count_;
  if (std::exchange(is_skipping_, false) || item.size() > kMaxItemBytes) {
    ++unvalidated_;
    ++index_;
    room_ = 0;
    return;
  }
  keep(item);
  if (rules_.operation != nullptr) {
    auto more = spec::contract::validate_response_items(rules_.contract, *rules_.operation, head_,
                                                        item, index_);
    std::ranges::move(more, std::back_inserter(found));
  }
}

void PassedItems::keep(std::string_view item) {
  if (item.size() > room_ || (charge_ && !charge_->try_add_to_half(item.size()))) {
    room_ = 0;  // no later one without this
    return;
  }
  room_ -= item.size();
  kept_ += item;
  times_.push_back(std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - began_));
}

PassedItems::Violations PassedItems::end() {
  Violations found;
  if (!open_.empty()) {
    take_item(std::exchange(open_, {}), found);
  }
  return found;
}

}  // namespace mock_server::service
