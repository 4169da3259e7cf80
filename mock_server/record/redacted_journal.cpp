#include "mock_server/record/redacted_journal.hpp"

#include "mock_server/record/validated_call.hpp"
#include "spec/schema/patterns/pattern.hpp"

#include <algorithm>
#include <utility>

namespace mock_server::record {
namespace {

using spec::schema::patterns::SearchBudget;

constexpr std::size_t kMaxKnown = 20'000;  // secrets that are remembered; then it begins anew
constexpr std::size_t kMaxBodyBytes = 64 * 1024;  // longer ones would keep all others waiting
constexpr std::uint64_t kMaxSteps = 5'000'000;    // of patterns; more would, too

void redact_fields(const Redaction& redaction, spec::http::Headers& headers) {
  spec::http::Headers made;
  for (const auto& [name, value] : headers.lines()) {
    made.add(name, redaction.text(value));
  }
  headers = std::move(made);
}

}  // namespace

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

PassingRedaction::PassingRedaction(std::shared_ptr<const fixtures::LoadedApi> api)
    : key_(make_key_text()),
      api_(std::move(api)),
      redactor_(std::make_unique<Redactor>(api_->contract, key_, RedactionOptions{})) {}

void PassingRedaction::use(std::shared_ptr<const fixtures::LoadedApi> api) {
  const std::lock_guard lock(mutex_);
  redactor_ = std::make_unique<Redactor>(api->contract, *redactor_);
  api_.swap(api);
}

spec::har::Call PassingRedaction::shown(const spec::http::Request& request,
                                        const spec::http::Response& response) {
  const std::lock_guard lock(mutex_);
  if (redactor_->known() > kMaxKnown) {
    redactor_ = std::make_unique<Redactor>(api_->contract, key_, RedactionOptions{});
  }
  return shown_by(*redactor_, api_->contract, request, response, kMaxBodyBytes);
}

std::string PassingRedaction::text(std::string_view value) const {
  const std::lock_guard lock(mutex_);
  return redactor_->text(value);
}

void RedactedJournal::add(const state::Exchange& exchange) {
  const spec::har::Call shown = redaction_.shown(*exchange.request, *exchange.response);
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
  inner_.add(safe);
}

state::Entry RedactedJournal::shown(state::Entry entry) const {
  for (std::string* const text :
       {&entry.chosen_by, &entry.violations, &entry.broken, &entry.request.target,
        &entry.request.body, &entry.response.body}) {
    *text = redaction_.text(*text);
  }
  redact_fields(redaction_, entry.request.headers);
  redact_fields(redaction_, entry.response.headers);
  return entry;
}

std::optional<state::Entry> RedactedJournal::find(std::uint64_t session, std::uint64_t id) const {
  auto entry = inner_.find(session, id);
  return entry ? std::optional(shown(std::move(*entry))) : std::nullopt;
}

void RedactedJournal::each(std::uint64_t session,
                           const std::function<void(const state::Entry&)>& visit) const {
  inner_.each(session, [&](const state::Entry& entry) { visit(shown(entry)); });
}

std::uint64_t RedactedJournal::follow(std::optional<std::uint64_t> session,
                                      state::JournalMark& mark,
                                      const std::function<bool(const state::Entry&)>& visit) const {
  return inner_.follow(session, mark,
                       [&](const state::Entry& entry) { return visit(shown(entry)); });
}

}  // namespace mock_server::record
