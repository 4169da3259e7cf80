#include "mock_server/record/redacted_journal.hpp"

#include "mock_server/journal/journal_query.hpp"
#include "mock_server/state/journal.hpp"
#include "spec/schema/patterns/pattern.hpp"

#include <algorithm>
#include <utility>

namespace mock_server::record {
namespace {

using spec::schema::patterns::SearchBudget;

constexpr std::uint64_t kMaxSteps = 5'000'000;  // of patterns; more would keep all others waiting

// In Entry::redacted_at of one that is kept as it came, with the generation then.
constexpr std::uint64_t kAsItCame = std::uint64_t{1} << 63U;

void redact_fields(const Redactor& redactor, spec::http::Headers& headers) {
  spec::http::Headers made;
  for (const auto& [name, value] : headers.lines()) {
    made.add(name, redactor.text(value));
  }
  headers = std::move(made);
}

void redact_texts(const Redactor& redactor, spec::http::Request& request,
                  spec::http::Response& response) {
  for (std::string* const text : {&request.target, &request.body, &response.body}) {
    *text = redactor.text(*text);
  }
  redact_fields(redactor, request.headers);
  redact_fields(redactor, response.headers);
}

void replace_in(const Redactor& redactor, state::Entry& entry) {
  for (std::string* const text :
       {&entry.chosen_by, &entry.violations, &entry.response_violations}) {
    *text = redactor.text(*text);
  }
  redact_texts(redactor, entry.request, entry.response);
}

spec::har::Call bare_call(const std::string& method, int status) {
  spec::har::Call bare;
  bare.request.method = method;
  bare.request.target = "/[hidden]";
  bare.response.emplace();
  bare.response->status = status;
  return bare;
}

// The call without secrets, and without bodies that cannot be redacted.
spec::har::Call redacted_by(Redactor& redactor, spec::har::Call call,
                            const spec::contract::Operation* operation) {
  // With steps left: a branch that is undecided could say that something is secret.
  if (auto redacted = redactor.redact(call, operation); redacted && !SearchBudget::is_exhausted()) {
    return std::move(*redacted);
  }
  call.request.body.clear();
  call.response->body.clear();
  auto redacted = redactor.redact(call, operation);
  return redacted ? std::move(*redacted) : bare_call(call.request.method, call.response->status);
}

// The values that were not kept stay as they are.
void keep_hidden(const state::Entry& before, spec::http::Headers& headers) {
  if (before.hidden.empty()) {
    return;
  }
  spec::http::Headers made;
  for (std::size_t at = 0; at < headers.lines().size(); ++at) {
    const auto& [name, value] = headers.lines()[at];
    const bool is_hidden =
        std::ranges::find(before.hidden, name, &state::HiddenField::name) != before.hidden.end();
    made.add(name, is_hidden ? before.request.headers.lines()[at].second : value);
  }
  headers = std::move(made);
}

// Keeps only the parts that need no redaction.
void keep_counted(state::Entry& entry) {
  entry.request = {entry.request.method, "", {}, ""};
  entry.response = spec::http::Response{entry.response.status, "", {}, ""};
  entry.hidden.clear();
  entry.violations = entry.response_violations = "";
  if (entry.chosen_by != state::kPreflight) {
    entry.chosen_by = "";
  }
}

// The exchange's, by its id; of a rejected request, which has none, the one that it is for: secrets
// in its path are found by that.
const spec::contract::Operation* operation_of_exchange(const api::LoadedApi& api,
                                                       std::string_view id,
                                                       const spec::http::Request& request) {
  if (!id.empty()) {
    return api.contract.operation(id);
  }
  return api.contract.route(request.method, journal::path_of_entry(request.target)).operation;
}

}  // namespace

Redaction::Redaction(std::shared_ptr<const api::LoadedApi> api, Key key, RedactionOptions options,
                     const RedactionLimits& limits)
    : options_(std::move(options)),
      limits_(limits),
      api_(std::move(api)),
      redactor_(std::make_unique<Redactor>(api_->contract, std::move(key), options_)) {}

void Redaction::use(std::shared_ptr<const api::LoadedApi> api) {
  const std::scoped_lock lock(readers_[0].mutex, readers_[1].mutex, mutex_);
  for (Reader& reader : readers_) {
    reader.api.reset();
    reader.redactor.reset();
    reader.before.reset();
    reader.generation = 0;
  }
  redactor_ = std::make_unique<Redactor>(api->contract, *redactor_);
  before_ = before_ ? std::make_unique<Redactor>(api->contract, *before_) : nullptr;
  api_.swap(api);
}

Redaction::Use Redaction::use() {
  return {std::unique_lock(mutex_), *redactor_, *api_};
}

// Precondition: the mutex is held.
void Redaction::begin_anew_if_full() {
  if (redactor_->remembered() <= limits_.known) {
    return;
  }
  before_began_ = std::exchange(began_, generation() + 1);
  before_ = std::exchange(redactor_,
                          std::make_unique<Redactor>(api_->contract, redactor_->key(), options_));
}

std::uint64_t Redaction::learn(const state::Exchange& exchange) {
  const std::lock_guard lock(mutex_);
  begin_anew_if_full();
  const SearchBudget budget(kMaxSteps, [] { return false; });
  redactor_->learn(*exchange.request, exchange.response,
                   operation_of_exchange(*api_, exchange.operation, *exchange.request));
  return generation();
}

Redaction::RedactedCall Redaction::redacted(const state::Exchange& exchange) {
  spec::har::Call call;
  call.request = *exchange.request;
  call.response = *exchange.response;
  for (std::string* const body : {&call.request.body, &call.response->body}) {
    if (body->size() > limits_.body_bytes) {
      body->clear();
    }
  }
  const std::lock_guard lock(mutex_);
  begin_anew_if_full();
  const SearchBudget budget(kMaxSteps, [] { return false; });
  const auto* const operation = operation_of_exchange(*api_, exchange.operation, call.request);
  redactor_->learn(call.request, &*call.response, operation);
  call = redacted_by(*redactor_, std::move(call), operation);
  // A secret may also stand where redact() replaces nothing: as a number.
  redact_texts(*redactor_, call.request, *call.response);
  return {std::move(call), generation()};
}

std::string Redaction::text(std::string_view value) const {
  const std::lock_guard lock(mutex_);
  return redactor_->text(value);
}

// With all that is known, and not much more that it remembers of what it redacted. Precondition:
// the reader's mutex is held.
void Redaction::renew(Reader& reader) {
  std::unique_ptr<Redactor> old;  // destroyed when nobody waits
  const std::lock_guard lock(mutex_);
  const bool is_full =
      reader.redactor != nullptr && reader.redactor->remembered() / 2 > limits_.known;
  if (is_full || reader.generation != generation()) {
    old = std::exchange(reader.redactor, std::make_unique<Redactor>(api_->contract, *redactor_));
    if (before_ && (!reader.before || reader.before_began != before_began_)) {
      reader.before = std::make_unique<Redactor>(api_->contract, *before_);
    }
    reader.api = api_;
    reader.generation = generation();
    reader.began = began_;
    reader.before_began = before_began_;
  }
}

void Redaction::catch_up(bool needs_bodies) {
  Reader& reader = reader_for(needs_bodies);
  const std::lock_guard lock(reader.mutex);
  renew(reader);
}

// An entry as it came. Of one from before what was last known as a secret, nothing can be shown.
void Redaction::Reader::redact(state::Entry& entry) const {
  const std::uint64_t kept_at = entry.redacted_at & ~kAsItCame;
  spec::har::Call call;
  if (kept_at < before_began) {
    call = bare_call(entry.request.method, entry.response.status);
    entry.chosen_by = entry.violations = entry.response_violations = "";
    entry.hidden.clear();
  } else {
    call.request = entry.request;
    call.response = entry.response;
    const SearchBudget budget(kMaxSteps, [] { return false; });
    call = redacted_by(*redactor, std::move(call),
                       operation_of_exchange(*api, entry.operation, entry.request));
    keep_hidden(entry, call.request.headers);
  }
  entry.request = std::move(call.request);
  entry.response = std::move(*call.response);
  if (kept_at < began && before) {
    replace_in(*before, entry);
  }
}

void Redaction::replace_late(state::Entry& entry, bool needs_bodies) {
  Reader& reader = reader_for(needs_bodies);
  const std::lock_guard lock(reader.mutex);
  if ((entry.redacted_at & ~kAsItCame) > reader.generation || reader.redactor == nullptr) {
    renew(reader);
  }
  if (entry.redacted_at == reader.generation) {
    return;
  }
  if ((entry.redacted_at & kAsItCame) != 0) {
    reader.redact(entry);
  }
  replace_in(*reader.redactor, entry);
}

// Keeps it as it came: whole, and not beyond this process.
bool RedactedJournal::may_keep(const state::Exchange& exchange) const {
  const std::size_t most =
      std::min(redaction_.max_body_bytes(), state::max_body_bytes(inner_.limit_bytes()));
  return when_ == RedactedWhen::kRead && exchange.request->body.size() <= most &&
         exchange.response->body.size() <= most;
}

void RedactedJournal::add(const state::Exchange& exchange) {
  pass(exchange, &state::Journal::add);
}

void RedactedJournal::amend(const state::Exchange& exchange) {
  pass(exchange, &state::Journal::amend);
}

void RedactedJournal::pass(const state::Exchange& exchange,
                           void (state::Journal::*to)(const state::Exchange&)) {
  state::Exchange safe = exchange;
  safe.target = {};
  if (may_keep(exchange)) {
    safe.redacted_at = redaction_.learn(exchange) | kAsItCame;
    (inner_.*to)(safe);
    return;
  }
  const auto [shown, generation] = redaction_.redacted(exchange);
  const std::string violations = redaction_.text(exchange.violations);
  const std::string response_violations = redaction_.text(exchange.response_violations);
  const std::string chosen_by = redaction_.text(exchange.chosen_by);
  safe.request = &shown.request;
  safe.response = &*shown.response;
  if (shown.request.body.empty()) {
    safe.request_body_bytes = std::max(safe.request_body_bytes, exchange.request->body.size());
  }
  if (shown.response->body.empty()) {
    safe.response_body_bytes = std::max(safe.response_body_bytes, exchange.response->body.size());
  }
  safe.violations = violations;
  safe.response_violations = response_violations;
  safe.chosen_by = chosen_by;
  safe.redacted_at = generation;
  (inner_.*to)(safe);
}

std::optional<state::Entry> RedactedJournal::find(std::uint64_t session, std::uint64_t id) const {
  constexpr std::size_t kLongBytes = 4'096;
  auto entry = inner_.find(session, id);
  if (entry) {
    if (entry->request.body.size() + entry->response.body.size() > kLongBytes) {
      SearchBudget::throw_if_exhausted();
    }
    redaction_.catch_up(true);
    redaction_.replace_late(*entry, true);
  }
  return entry;
}

std::uint64_t RedactedJournal::follow(std::optional<std::uint64_t> session,
                                      state::JournalMark& mark,
                                      const std::function<bool(state::Entry&)>& visit) const {
  const bool is_shown = mark.needed != state::NeededParts::kCounted;
  const bool needs_bodies = mark.needed == state::NeededParts::kAll;
  if (is_shown) {
    if (mark.place < inner_.mark(std::nullopt, std::nullopt).place) {
      SearchBudget::throw_if_exhausted();
    }
    redaction_.catch_up(needs_bodies);
  }
  return inner_.follow(session, mark, [&](state::Entry& entry) {
    if (!needs_bodies) {
      entry.request.body.clear();
      entry.response.body.clear();
    }
    if (is_shown) {
      redaction_.replace_late(entry, needs_bodies);
    } else {
      keep_counted(entry);
    }
    return visit(entry);
  });
}

}  // namespace mock_server::record
