#include "mock_server/record/redacted_journal.hpp"

#include "mock_server/record/validated_call.hpp"
#include "spec/schema/patterns/pattern.hpp"

#include <algorithm>
#include <utility>

namespace mock_server::record {
namespace {

using spec::schema::patterns::SearchBudget;

constexpr std::uint64_t kMaxSteps = 5'000'000;  // of patterns; more would keep all others waiting

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

spec::har::Call shown_by(Redactor& redactor, const spec::contract::Contract& contract,
                         const spec::http::Request& request, const spec::http::Response& response,
                         std::size_t max_body_bytes) {
  spec::har::Call call;
  call.request = request;
  call.response = response;
  for (std::string* const body : {&call.request.body, &call.response->body}) {
    if (body->size() > max_body_bytes) {
      body->clear();
    }
  }
  const auto* const operation = operation_of(contract, request);
  const SearchBudget budget(kMaxSteps, [] { return false; });
  redactor.learn(call, operation);
  // With steps left: a branch that is undecided could say that something is secret.
  if (auto redacted = redactor.redact(call, operation); redacted && !SearchBudget::is_used_up()) {
    return std::move(*redacted);
  }
  call.request.body.clear();
  call.response->body.clear();
  if (auto redacted = redactor.redact(call, operation)) {
    return std::move(*redacted);
  }
  spec::har::Call bare;
  bare.request.method = request.method;
  bare.request.target = "/[hidden]";
  bare.response.emplace();
  bare.response->status = response.status;
  return bare;
}

}  // namespace

Redaction::Redaction(std::shared_ptr<const fixtures::LoadedApi> api, Key key,
                     RedactionOptions options, const RedactionLimits& limits)
    : options_(std::move(options)),
      limits_(limits),
      api_(std::move(api)),
      redactor_(std::make_unique<Redactor>(api_->contract, std::move(key), options_)) {}

void Redaction::use(std::shared_ptr<const fixtures::LoadedApi> api) {
  const std::lock_guard lock(mutex_);
  redactor_ = std::make_unique<Redactor>(api->contract, *redactor_);
  api_.swap(api);
}

Redaction::Use Redaction::use() {
  return {std::unique_lock(mutex_), *redactor_, *api_};
}

Redaction::Shown Redaction::shown(const spec::http::Request& request,
                                  const spec::http::Response& response) {
  const std::lock_guard lock(mutex_);
  if (redactor_->known() > limits_.known) {
    forgotten_ += redactor_->known() + 1;
    redactor_ = std::make_unique<Redactor>(api_->contract, redactor_->key(), options_);
  }
  auto call = shown_by(*redactor_, api_->contract, request, response, limits_.body_bytes);
  // What is secret by its schema alone is known after that, and may stand in what came before it.
  redact_texts(*redactor_, call.request, *call.response);
  return {std::move(call), generation()};
}

std::string Redaction::text(std::string_view value) const {
  const std::lock_guard lock(mutex_);
  return redactor_->text(value);
}

void Redaction::replace_late(state::Entry& entry) const {
  const std::lock_guard lock(mutex_);
  if (entry.redacted_at == generation()) {
    return;
  }
  for (std::string* const text : {&entry.chosen_by, &entry.violations, &entry.broken}) {
    *text = redactor_->text(*text);
  }
  redact_texts(*redactor_, entry.request, entry.response);
}

void RedactedJournal::add(const state::Exchange& exchange) {
  const auto [shown, generation] = redaction_.shown(*exchange.request, *exchange.response);
  const std::string violations = redaction_.text(exchange.violations);
  const std::string broken = redaction_.text(exchange.broken);
  const std::string chosen_by = redaction_.text(exchange.chosen_by);
  state::Exchange safe = exchange;
  safe.request = &shown.request;
  safe.response = &*shown.response;
  if (shown.request.body.empty()) {
    safe.request_body_bytes = std::max(safe.request_body_bytes, exchange.request->body.size());
  }
  if (shown.response->body.empty()) {
    safe.response_body_bytes = std::max(safe.response_body_bytes, exchange.response->body.size());
  }
  safe.violations = violations;
  safe.broken = broken;
  safe.chosen_by = chosen_by;
  safe.target = {};
  safe.redacted_at = generation;
  inner_.add(safe);
}

std::optional<state::Entry> RedactedJournal::find(std::uint64_t session, std::uint64_t id) const {
  auto entry = inner_.find(session, id);
  if (entry) {
    redaction_.replace_late(*entry);
  }
  return entry;
}

std::uint64_t RedactedJournal::follow(std::optional<std::uint64_t> session,
                                      state::JournalMark& mark,
                                      const std::function<bool(state::Entry&)>& visit) const {
  return inner_.follow(session, mark, [&](state::Entry& entry) {
    redaction_.replace_late(entry);
    return visit(entry);
  });
}

}  // namespace mock_server::record
