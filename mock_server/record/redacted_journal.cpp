#include "mock_server/record/redacted_journal.hpp"

#include <utility>

namespace mock_server::record {
namespace {

void redact_fields(const Live& live, spec::http::Headers& headers) {
  spec::http::Headers made;
  for (const auto& [name, value] : headers.lines()) {
    made.add(name, live.text(value));
  }
  headers = std::move(made);
}

}  // namespace

void RedactedJournal::add(const state::Exchange& exchange) {
  const spec::har::Call shown = live_.shown(*exchange.request, *exchange.response);
  const std::string violations = live_.text(exchange.violations);
  const std::string broken = live_.text(exchange.broken);
  const std::string chosen_by = live_.text(exchange.chosen_by);
  state::Exchange safe = exchange;
  safe.request = &shown.request;
  safe.response = &*shown.response;
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
    *text = live_.text(*text);
  }
  redact_fields(live_, entry.request.headers);
  redact_fields(live_, entry.response.headers);
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
