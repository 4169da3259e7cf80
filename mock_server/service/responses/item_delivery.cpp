#include "mock_server/service/responses/item_delivery.hpp"

#include "mock_server/state/open_streams.hpp"
#include "spec/contract/checking/message_body.hpp"
#include "spec/http/items.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace mock_server::service::responses {
namespace {

using api::StreamPlan;
using reply::Fault;
using reply::Growth;
using request::RequestContext;
using spec::http::ItemForm;
using state::OpenStream;

constexpr std::chrono::milliseconds kLate(2'000);
constexpr std::size_t kMaxBytes = 32UL * 1024;              // that are sent at once
constexpr std::int64_t kMaxNumber = 1'000'000'000'000'000;  // of an event

struct RoundItem {
  std::string bytes;
  std::int64_t number = 0;        // among those of the response, from 1
  std::optional<std::string> id;  // its own
  bool takes_id = false;          // that of its number
};

// The items of a response in the order in which they are sent.
struct Round {
  std::vector<RoundItem> items;
  std::int64_t count = 0;           // of those of the response
  std::optional<std::size_t> late;  // the place of one that comes late
  bool is_cut = false;              // the connection ends after the last of these
};

std::optional<ItemForm> form_of(const spec::http::Response& response) {
  const auto type = spec::http::parse_media_type(
      response.headers.find("Content-Type").value_or(std::string_view()));
  return type ? spec::http::item_form(*type) : std::nullopt;
}

// True if an id beside the data says nothing about the events that the contract describes, and a
// client can ask for what is behind it.
bool takes_ids(const RequestContext& context, const spec::http::Response& response) {
  const auto* const declared =
      context.operation != nullptr ? context.operation->response(response.status) : nullptr;
  const auto* const content = declared != nullptr ? spec::contract::checking::select_content(
                                                        declared->contents, response.headers)
                                                  : nullptr;
  return content != nullptr && !content->item_is_event &&
         spec::http::is_safe_method(context.request.method);
}

// What is no item itself, such as a comment, is sent with the item behind it.
Round split(ItemForm form, std::string_view body, bool takes_id) {
  Round round;
  std::string bytes;
  while (!body.empty()) {
    const std::size_t size = spec::http::item_size(form, body).value_or(body.size());
    const spec::http::Item item = spec::http::read_item(form, body.substr(0, size));
    bytes += body.substr(0, size);
    body.remove_prefix(size);
    if (item.data || body.empty()) {
      round.items.push_back({std::exchange(bytes, {}), ++round.count, item.id,
                             takes_id && form == ItemForm::kEvents && item.data && !item.id});
    }
  }
  return round;
}

// The place of the second item, or of the only one.
std::size_t spoiled_place(const Round& round) {
  return std::min<std::size_t>(1, round.items.size() - 1);
}

RoundItem& spoiled_item(Round& round) {
  return round.items[spoiled_place(round)];
}

void cut(Round& round, ItemForm /*form*/) {
  RoundItem& item = spoiled_item(round);
  item.bytes.resize(item.bytes.size() / 2);
  round.items.resize(spoiled_place(round) + 1);
  round.is_cut = true;
}

void delay(Round& round, ItemForm /*form*/) {
  round.late = spoiled_place(round);
}

void repeat(Round& round, ItemForm /*form*/) {
  RoundItem twice = spoiled_item(round);
  round.items.push_back(std::move(twice));
  std::rotate(round.items.begin() + static_cast<std::ptrdiff_t>(spoiled_place(round)),
              round.items.end() - 1, round.items.end());
}

void swap(Round& round, ItemForm /*form*/) {
  std::swap(round.items.front(), spoiled_item(round));
}

void make_malformed(Round& round, ItemForm form) {
  RoundItem& spoiled = spoiled_item(round);
  spec::http::Item item = spec::http::read_item(form, spoiled.bytes);
  item.data = '{' + item.data.value_or("");
  spoiled.bytes = spec::http::write_item(form, item);
}

struct Spoiler {
  Fault fault;
  void (*spoil)(Round& round, ItemForm form);
};

constexpr std::array kSpoilers = std::to_array<Spoiler>({{Fault::kCutItem, cut},
                                                         {Fault::kLateItem, delay},
                                                         {Fault::kRepeatedItem, repeat},
                                                         {Fault::kSwappedItems, swap},
                                                         {Fault::kMalformedItem, make_malformed}});

void spoil(Round& round, Fault fault, ItemForm form) {
  const auto* const found = std::ranges::find(kSpoilers, fault, &Spoiler::fault);
  if (found != kSpoilers.end() && !round.items.empty()) {
    found->spoil(round, form);
  }
}

class ItemStream {
 public:
  ItemStream(Round round, const StreamPlan& plan, state::TimeSource now, state::Store& store,
             state::StreamDescription description)
      : round_(std::move(round)),
        plan_(plan),
        now_(std::move(now)),
        open_(store.streams(), std::move(description)) {}

  // Goes on behind the event that the client names: by its own id, or by its number.
  void resume(std::string_view last) {
    const auto& items = round_.items;
    auto at = std::ranges::find(items, std::string(last), &RoundItem::id);
    const auto number = spec::text::parse_number<std::int64_t>(last);
    const bool is_numbered = std::ranges::any_of(items, &RoundItem::takes_id);
    const bool is_number = number && *number > 0 && *number < kMaxNumber;
    if (at == items.end() && is_numbered && is_number) {
      rounds_ = (*number - 1) / round_.count;
      at = std::ranges::find(items, (*number - 1) % round_.count + 1, &RoundItem::number);
    }
    if (at != items.end()) {
      at_ = static_cast<std::size_t>(at - items.begin());
      step();
    }
  }

  // What is left of the round.
  std::string rest() const {
    std::string bytes;
    for (std::size_t at = at_; has_next() && at < round_.items.size(); ++at) {
      append(round_.items[at], bytes);
    }
    return bytes;
  }

  Growth ask(std::string& bytes) {
    const state::TimePoint now = now_();
    due_ = due_ ? bounded(*due_, now) : now + lateness();
    while (has_next() && *due_ <= now && bytes.size() < kMaxBytes) {
      append(round_.items[at_], bytes);
      step();
      due_ = *due_ + plan_.pace + lateness();
    }
    if (round_.is_cut && rounds_ > 0) {
      return Growth::kCut;
    }
    return state_at(open_.take(bytes, kMaxBytes), now);
  }

 private:
  bool has_next() const { return rounds_ < plan_.rounds && at_ < round_.items.size(); }

  std::chrono::milliseconds lateness() const {
    return has_next() && at_ == round_.late ? kLate : std::chrono::milliseconds(0);
  }

  // However far the clock was moved: a round at once at most, or the usual time to wait.
  state::TimePoint bounded(state::TimePoint due, state::TimePoint now) const {
    const auto items = static_cast<std::int64_t>(round_.items.size());
    return std::clamp(due, now - plan_.pace * items, now + plan_.pace + kLate);
  }

  void step() {
    if (++at_ == round_.items.size()) {
      at_ = 0;
      ++rounds_;
    }
  }

  void append(const RoundItem& item, std::string& bytes) const {
    if (item.takes_id) {
      bytes += "id: " + std::to_string(rounds_ * round_.count + item.number) + '\n';
    }
    bytes += item.bytes;
  }

  Growth state_at(OpenStream::State pushed, state::TimePoint now) const {
    constexpr std::chrono::milliseconds kSoon(100);
    const bool is_over = !has_next() && !plan_.stays_open;
    if (pushed == OpenStream::State::kEnded || (is_over && pushed == OpenStream::State::kEmpty)) {
      return Growth::kEnded;
    }
    const bool is_soon = has_next() && *due_ - now < kSoon;
    return is_soon || pushed == OpenStream::State::kHasMore ? Growth::kHasMore : Growth::kWaits;
  }

  Round round_;
  StreamPlan plan_;
  state::TimeSource now_;
  OpenStream open_;
  std::optional<state::TimePoint> due_;  // of the next item; none before the first was asked for
  std::int64_t rounds_ = 0;              // that are over
  std::size_t at_ = 0;                   // the next item
};

// None if nothing says that the items are to be sent one by one.
std::optional<StreamPlan> plan_of(const RequestContext& context, bool is_wanted) {
  std::optional<StreamPlan> plan = context.stream;
  if (!plan && context.binding != nullptr) {
    plan = context.binding->stream;
  }
  const request::Preferences& preferences = context.preferences;
  if (!plan && (is_wanted || preferences.pace || preferences.stays_open)) {
    plan.emplace();
  }
  if (plan) {
    plan->pace = preferences.pace.value_or(plan->pace);
    plan->stays_open = preferences.stays_open.value_or(plan->stays_open);
  }
  return plan;
}

// By the session's clock; that is not asked where it is kept elsewhere.
state::TimeSource clock_of(const std::shared_ptr<state::Session>& session, bool is_shared) {
  return [session, is_shared] { return is_shared ? session->machine_now() : session->now(); };
}

void take_fault_back(RequestContext& context, reply::Delivery& delivery) {
  if (reply::is_of_items(delivery.fault)) {
    const std::string name(reply::row_of(delivery.fault).name);
    context.warnings.push_back("fault " + name + ": only in a stream of items");
    // The last preference of those that were applied.
    std::string& applied = context.preferences.applied_delivery;
    applied.resize(std::min({applied.size(), applied.find(", fault="), applied.find("fault=")}));
    delivery.fault = Fault::kNone;
  }
}

}  // namespace

void set_delivery(RequestContext& context, state::Store& store, reply::Reply& reply) {
  reply.delivery = context.preferences.delivery;
  const auto form = form_of(reply.response);
  const auto last = form == ItemForm::kEvents ? context.request.headers.find("Last-Event-ID")
                                              : std::optional<std::string_view>();
  const Fault fault = reply.delivery.fault;
  const auto plan = plan_of(context, last.has_value() || reply::is_of_items(fault));
  if (!form || !plan || context.operation == nullptr) {
    take_fault_back(context, reply.delivery);
    return;
  }
  if (fault != Fault::kNone && !reply::is_of_items(fault)) {
    return;  // it is one of the whole body
  }
  Round round = split(*form, reply.response.body, takes_ids(context, reply.response));
  spoil(round, fault, *form);
  auto now = clock_of(context.session, store.is_shared());
  state::StreamDescription description{context.session->name(), context.operation->id,
                                       std::string(*reply.response.headers.find("Content-Type")),
                                       reply.response.status, now()};
  const auto stream = std::make_shared<ItemStream>(std::move(round), *plan, std::move(now), store,
                                                   std::move(description));
  if (last) {
    stream->resume(*last);
  }
  reply.stream_bytes = reply.response.body.size();
  reply.response.body = stream->rest();
  reply.stream = [stream](std::string& bytes) { return stream->ask(bytes); };
}

}  // namespace mock_server::service::responses
