#include "mock_server/control/control_request.hpp"
#include "mock_server/control/endpoints.hpp"
#include "mock_server/journal/event_stream.hpp"
#include "mock_server/journal/explanation.hpp"
#include "mock_server/journal/journal_json.hpp"
#include "mock_server/journal/journal_query.hpp"
#include "mock_server/reply/json_response.hpp"
#include "spec/json/number.hpp"
#include "spec/json/value.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mock_server::control {

namespace {

using api::ErrorKind;
using journal::as_line;
using journal::Comparison;
using journal::Count;
using journal::explain;
using journal::har;
using journal::har_entry;
using journal::newest;
using journal::query_of_parameters;
using journal::summarise;
using journal::Tally;
using nlohmann::json;
using reply::json_response;
using spec::http::Response;

constexpr std::string_view kEverySession = "*";

std::string lines(const std::deque<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) {
    all += text + '\n';
  }
  return all;
}

// By serial; those of sessions that were deleted have no name.
std::map<std::uint64_t, std::string> names_of_sessions(const ControlRequest& request) {
  std::map<std::uint64_t, std::string> names;
  for (const auto& summary : request.context.store.list()) {
    names.emplace(summary.serial, summary.name);
  }
  return names;
}

json window_of_all(const ControlRequest& request,
                   const std::map<std::uint64_t, std::string>& sessions) {
  json sum{{"noted", 0}, {"kept", 0}, {"lost", 0}, {"partial", false}};
  for (const auto& [serial, name] : sessions) {
    const json one = window_of(request.context.journal, serial);
    for (const char* const count : {"noted", "kept", "lost"}) {
      sum[count] = sum[count].get<std::uint64_t>() + one[count].get<std::uint64_t>();
    }
    sum["partial"] = sum["partial"].get<bool>() || one["partial"].get<bool>();
  }
  return sum;
}

Response list_requests_of_all(const ControlRequest& request, const JournalQuery& query,
                              std::size_t limit) {
  const auto sessions = names_of_sessions(request);
  std::deque<json> newest;
  std::uint64_t matched = 0;
  std::uint64_t undecided = 0;
  const state::Journal& journal = request.context.journal;
  const std::uint64_t end = journal.mark(std::nullopt, std::nullopt).place;
  state::JournalMark mark;
  mark.needed = journal::needed_to_show(query);
  journal.follow(std::nullopt, mark, [&](const state::Entry& entry) {
    const bool goes_on = mark.place < end;
    const auto session = sessions.find(entry.session);
    if (session == sessions.end() || !is_in_range(query, entry)) {
      return goes_on;
    }
    const Comparison comparison = compare(query, entry);
    undecided += comparison.is_undecided && comparison.differences.empty() ? 1 : 0;
    if (comparison.fits()) {
      ++matched;
      newest.push_back(summarise(entry));
      newest.back()["session"] = session->second;
    }
    if (newest.size() > limit) {
      newest.pop_front();
    }
    return goes_on;
  });
  return json_response(200, {{"session", kEverySession},
                             {"requests", newest},
                             {"matched", matched},
                             {"undecided", undecided},
                             {"window", window_of_all(request, sessions)}});
}

}  // namespace

json window_of(const state::Journal& journal, std::uint64_t session) {
  const auto window = journal.window(session);
  return {{"noted", window.noted},
          {"kept", window.kept},
          {"lost", window.lost()},
          {"partial", window.is_partial}};
}

std::optional<Response> reject_query(const ControlRequest& request, const JournalQuery& query) {
  const auto& contract = request.context.api.contract;
  if (!query.operation || query.operation->empty() ||
      contract.operation(*query.operation) != nullptr) {
    return std::nullopt;
  }
  std::vector<std::string> ids;
  for (const auto& operation : contract.operations()) {
    ids.push_back(operation.id);
  }
  return unknown("operation", *query.operation, ids);
}

spec::Result<JournalRequest, Response> journal_request_of(const ControlRequest& request,
                                                          const json& parameters,
                                                          JournalQuery query) {
  const state::Session& own = request.context.session;
  JournalRequest wanted{own.serial(), parameters.value("session", own.name()), std::move(query)};
  if (wanted.session != own.name()) {
    const auto found = request.context.store.find(wanted.session);
    if (found == nullptr) {
      return spec::Unexpected{unknown_session(request, wanted.session)};
    }
    wanted.serial = found->serial();
  }
  if (auto rejection = reject_query(request, wanted.query)) {
    return spec::Unexpected{std::move(*rejection)};
  }
  return wanted;
}

Response list_requests(const ControlRequest& request) {
  const json& parameters = request.reading.query;
  const JournalQuery query = query_of_parameters(parameters);
  const std::size_t limit = parameters.value("limit", std::size_t{100});
  if (parameters.value("session", "") == kEverySession) {
    auto rejection = reject_query(request, query);
    return rejection ? std::move(*rejection) : list_requests_of_all(request, query, limit);
  }
  const auto wanted = journal_request_of(request, parameters, query);
  if (!wanted) {
    return wanted.error();
  }
  const bool is_filtered = std::ranges::any_of(parameters.items(), [](const auto& parameter) {
    return parameter.key() != "limit" && parameter.key() != "session";
  });
  const state::Journal& journal = request.context.journal;
  Count filtered(journal, query, {limit, 0});
  Tally tally = is_filtered ? filtered.of(wanted->serial) : newest(journal, wanted->serial, limit);
  filtered.add_lists(tally);
  return json_response(200, {{"session", wanted->session},
                             {"requests", tally.requests},
                             {"matched", tally.matched},
                             {"undecided", tally.undecided},
                             {"window", window_of(request.context.journal, wanted->serial)}});
}

void clear_journal(const ControlRequest& request) {
  const state::Session& session = request.context.session;
  request.context.coverage.catch_up(request.context.api, request.context.journal);
  request.context.journal.clear(session.serial());
  request.context.store.changes().note(session.name(), state::Change::kJournal);
}

Response clear_requests(const ControlRequest& request) {
  clear_journal(request);
  return json_response(200, {{"session", request.context.session.name()}, {"cleared", true}});
}

Response show_request(const ControlRequest& request) {
  const auto id = spec::json::to_int64(request.reading.path["id"]);
  const auto entry = id ? request.context.journal.find(request.context.session.serial(),
                                                       static_cast<std::uint64_t>(*id))
                        : std::nullopt;
  if (!entry) {
    const auto window = request.context.journal.window(request.context.session.serial());
    return reject(ErrorKind::kNotFound, "this session's journal has no request " +
                                            spec::text::shortened(request.argument) + "; it has " +
                                            std::to_string(window.kept) + " of " +
                                            std::to_string(window.noted));
  }
  return json_response(200, explain(request.context.api, *entry, request.context.session.name()));
}

Response export_requests(const ControlRequest& request) {
  const json& parameters = request.reading.query;
  const auto wanted = journal_request_of(request, parameters, query_of_parameters(parameters));
  if (!wanted) {
    return wanted.error();
  }
  const bool is_har = parameters.value("format", "har") == "har";
  const std::size_t limit = parameters.value("limit", std::size_t{10'000});
  std::deque<std::string> texts;
  request.context.journal.each(wanted->serial, [&](const state::Entry& entry) {
    if (!is_in_range(wanted->query, entry) || !compare(wanted->query, entry).fits()) {
      return;
    }
    texts.push_back(spec::json::write(is_har ? har_entry(entry, request.context.settings.scheme)
                                             : as_line(entry, wanted->session)));
    if (texts.size() > limit) {
      texts.pop_front();
    }
  });
  Response response;
  response.headers.add("Content-Type", is_har ? "application/json" : "application/x-ndjson");
  response.body = is_har ? har(texts, request.context.settings.version) : lines(texts);
  return response;
}

reply::Reply show_coverage(const ControlRequest& request) {
  // Kept: it may be replaced before the last turn.
  const auto api = request.context.api.shared_from_this();
  // Not what comes after the question: a busy mock would never end.
  const std::uint64_t goal = request.context.journal.mark(std::nullopt, std::nullopt).place;
  auto take_turn = [api, goal, &count = request.context.coverage,
                    &journal = request.context.journal](bool last) {
    std::optional<spec::http::Response> response;
    if ((count.catch_up(*api, journal) >= goal && count.measure(*api)) || last) {
      response = reply::json_response(200, count.describe(*api));
    }
    return response;
  };
  auto response = take_turn(false);
  return response ? reply::Reply{std::move(*response), {}}
                  : reply::Reply{{}, {}, std::move(take_turn)};
}

namespace {

using journal::EventFilter;
using journal::EventStream;
using journal::query_of_parameters;
using nlohmann::json;

constexpr int kMaxReaders = 1'000;

spec::Result<EventFilter, spec::http::Response> filter_of(const ControlRequest& request) {
  const json& query = request.reading.query;
  EventFilter filter;
  filter.query = query_of_parameters(query);
  if (query.value("session", "") != "*") {
    auto wanted = journal_request_of(request, query, filter.query);
    if (!wanted) {
      return spec::Unexpected{std::move(wanted.error())};
    }
    filter.session = wanted->session;
  } else if (auto rejection = reject_query(request, filter.query)) {
    return spec::Unexpected{std::move(*rejection)};
  }
  // A browser that connects again repeats the query and adds the header.
  const json& header = request.reading.header;
  if (const auto last = header.find("Last-Event-ID"); last != header.end()) {
    filter.after = last->get<std::uint64_t>();
  } else if (query.contains("after")) {
    filter.after = filter.query.after;
  }
  return filter;
}

}  // namespace

reply::Reply stream_events(const ControlRequest& request) {
  auto filter = filter_of(request);
  if (!filter) {
    return {std::move(filter.error()), {}};
  }
  if (request.context.store.changes().watchers() >= kMaxReaders) {
    return {reply::error_response(503, "SERVICE_UNAVAILABLE",
                                  "1,000 streams of events are open; close some"),
            {}};
  }
  reply::Reply reply;
  reply.response.headers = {{"Content-Type", "text/event-stream"},
                            {"Cache-Control", "no-store"},
                            {"X-Accel-Buffering", "no"}};
  const auto stream = std::make_shared<EventStream>(request.context.journal, request.context.store,
                                                    std::move(*filter));
  reply.stream = [stream](std::string& bytes) { return stream->ask(bytes); };
  return reply;
}

}  // namespace mock_server::control
