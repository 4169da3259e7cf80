// Bodies of items from any bytes: the items lie one after another, what is whole is the same with
// more after it, and an item that is written is read again as it was.

#include "spec/http/items.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

using spec::http::Item;
using spec::http::ItemForm;

namespace {

void demand(bool holds) {
  if (!holds) {
    std::abort();
  }
}

// As a client reads it: each line end of an event's data is the same to it.
std::string as_read(std::string_view text) {
  std::string read;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_pair = text.substr(i).starts_with("\r\n");
    read += text[i] == '\r' ? '\n' : text[i];
    i += is_pair ? 1 : 0;
  }
  return read;
}

void demand_round_trip(ItemForm form, const Item& item) {
  if (!item.data || !item.must.empty()) {
    return;
  }
  const bool is_event = form == ItemForm::kEvents;
  if (form == ItemForm::kLines && item.data->find('\n') != std::string::npos) {
    return;
  }
  const std::string written = write_item(form, item);
  const Item again = read_item(form, written);
  demand(item_size(form, written) == written.size());
  demand(again.data == (is_event ? as_read(*item.data) : *item.data) && again.must.empty());
  demand(again.event == item.event && again.id == item.id && again.retry == item.retry);
}

}  // namespace

// Input: a byte that chooses the form, then the body.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const auto form = static_cast<ItemForm>(data[0] % 3);
  const std::string_view body(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::size_t at = 0;
  while (const auto bytes = item_size(form, body.substr(at))) {
    demand(*bytes > 0 && *bytes <= body.size() - at);
    demand_round_trip(form, read_item(form, body.substr(at, *bytes)));
    at += *bytes;
  }
  demand(whole_items(form, body) == at);
  read_item(form, body.substr(at));
  return 0;
}
