#include "mock_server/state/transfer/state_content.hpp"

#include "spec/text/quote.hpp"

#include <algorithm>
#include <utility>

namespace mock_server::state::transfer {
namespace {

SessionContent content_of(const Session& session, const Journal& journal) {
  SessionContent content{session.name(), session.cells(), {}, {}, false};
  for (const std::string& name : session.snapshots()) {
    if (auto cells = session.snapshot(name)) {
      content.snapshots.emplace(name, std::move(*cells));
    }
  }
  journal.each(session.serial(), [&](const Entry& entry) { content.entries.push_back(entry); });
  const JournalWindow window = journal.window(session.serial());
  content.is_partial = window.is_partial || window.lost() > 0;
  return content;
}

// Values that were hidden stay so.
void add_again(Journal& journal, std::uint64_t session, const Entry& entry) {
  std::vector<std::string> hidden;
  for (const HiddenField& field : entry.hidden) {
    hidden.push_back(field.name);
  }
  Exchange exchange;
  exchange.id = journal.next_id();
  exchange.session = session;
  exchange.time = entry.time;
  exchange.took = entry.took;
  exchange.peer = entry.peer;
  exchange.operation = entry.operation;
  exchange.chosen_by = entry.chosen_by;
  exchange.violations = entry.violations;
  exchange.response_violations = entry.response_violations;
  exchange.request = &entry.request;
  exchange.response = &entry.response;
  exchange.fault = entry.fault;
  exchange.hidden_fields = hidden;
  exchange.request_body_bytes = entry.request_body_bytes;
  exchange.response_body_bytes = entry.response_body_bytes;
  journal.add(exchange);
}

bool fill(Session& session, const SessionContent& content) {
  for (const std::string& name : session.snapshots()) {
    session.drop_snapshot(name);
  }
  for (const auto& [name, cells] : content.snapshots) {
    if (session.replace(cells) != Put::kDone || session.take_snapshot(name) != Put::kDone) {
      return false;
    }
  }
  return session.replace(content.cells) == Put::kDone;
}

constexpr const char* kNoRoom =
    "has no room for it; allow more with --session-bytes and --max-sessions";

}  // namespace

std::optional<StateContent> take_out(Store& store, const Journal& journal,
                                     const ContractMark& contract,
                                     const std::optional<std::string>& session) {
  StateContent content{contract, std::nullopt, {}};
  if (session) {
    const auto found = store.find(*session);
    if (found == nullptr) {
      return std::nullopt;
    }
    content.sessions.push_back(content_of(*found, journal));
    return content;
  }
  content.armed_for_all = store.armed_for_all();
  for (const SessionSummary& summary : store.list()) {
    if (const auto found = store.find(summary.name)) {
      content.sessions.push_back(content_of(*found, journal));
    }
  }
  return content;
}

std::string put_in(Store& store, Journal& journal, const StateContent& content) {
  std::size_t expected = store.size();
  for (const SessionContent& one : content.sessions) {
    expected += store.find(one.name) == nullptr ? 1 : 0;
    store.remove(one.name);
    const auto session = store.session(one.name);
    if (!fill(*session, one)) {
      return kNoRoom;
    }
    if (one.is_partial) {
      journal.clear_in_part(session->serial());
    } else {
      journal.clear(session->serial());
    }
    for (const Entry& entry : one.entries) {
      add_again(journal, session->serial(), entry);
    }
  }
  if (content.armed_for_all) {
    for (const std::string& scenario : store.armed_for_all()) {
      store.disarm_for_all(scenario);
    }
    for (const std::string& scenario : *content.armed_for_all) {
      store.arm_for_all(scenario);
    }
  }
  return store.size() == expected ? "" : kNoRoom;  // fewer: some had to go for others
}

}  // namespace mock_server::state::transfer
