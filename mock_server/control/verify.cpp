#include "mock_server/control/verify.hpp"

#include "mock_server/control/journal_endpoints.hpp"
#include "mock_server/control/journal_tally.hpp"
#include "mock_server/control/error_response.hpp"
#include "mock_server/reply/error_response.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <memory>
#include <utility>

namespace mock_server::control {
namespace {

using nlohmann::json;
using reply::json_response;
using spec::http::Response;
using SteadyClock = std::chrono::steady_clock;

constexpr std::int64_t kDefaultWaitMs = 5'000;

// A question to the journal that may be asked again.
struct Question {
  const state::Journal& journal;
  state::Store& store;
  std::uint64_t session = 0;
  std::string session_name;
  JournalQuery query;
  Demand demand;
  TallyLimits limits;
  SteadyClock::time_point deadline;
};

Demand demand_of(const json& body) {
  Demand demand;
  if (const auto exactly = body.find("exactly"); exactly != body.end()) {
    demand.at_least = demand.at_most = exactly->get<std::uint64_t>();
    return demand;
  }
  demand.at_least = body.value("at_least", demand.at_least);
  demand.at_most = body.value("at_most", demand.at_most);
  return demand;
}

json counted(const Question& question, const Tally& tally) {
  json body{{"session", question.session_name},
            {"matched", tally.matched},
            {"undecided", tally.undecided},
            {"lost", tally.lost},
            {"window", window_of(question.journal, question.session)},
            {"demand", question.demand.words()},
            {"requests", tally.requests}};
  body["window"]["complete"] = tally.lost == 0 && !tally.is_partial;
  return body;
}

std::string why_unsure(const Tally& tally) {
  std::string why;
  if (tally.is_partial) {
    why = "; the journal no longer knows how many there were";
  } else if (tally.lost != 0) {
    why = "; " + std::to_string(tally.lost) + " older requests went out of the journal (see " +
          "--journal-bytes, or count only those after an id)";
  }
  if (tally.undecided != 0) {
    why += "; " + std::to_string(tally.undecided) + " bodies were too long to be kept whole";
  }
  return why;
}

Response response_of(const Question& question, const Tally& tally, Verdict verdict) {
  json body = counted(question, tally);
  body["verdict"] = to_text(verdict);
  if (verdict == Verdict::kPass) {
    return json_response(200, body);
  }
  const bool unsure = verdict == Verdict::kInconclusive;
  body["near_misses"] = tally.near_misses;
  return reply::error_response(409, unsure ? "VERIFICATION_INCONCLUSIVE" : "VERIFICATION_FAILED",
                               "requests that match: must be " + question.demand.words() + ", but " +
                                   (unsure ? "it cannot be told: " : "are ") +
                                   std::to_string(tally.matched) +
                                   (unsure ? " are there" + why_unsure(tally) : std::string()),
                               std::move(body));
}

Response ask_journal(const Question& question) {
  const Tally tally = count(question.journal, question.session, question.query, question.limits);
  return response_of(question, tally, validate(tally, question.demand));
}

// True when requests that are still to come may make it a pass.
bool may_still_pass(const Question& question, const Response& response) {
  return response.status != 200 && SteadyClock::now() < question.deadline;
}

Response deleted(const Question& question) {
  return reject(fixtures::ErrorKind::kNotFound,
                "session \"" + question.session_name + "\" was deleted while this request waited");
}

// Looks again only when something was noted meanwhile. A session that was deleted and made anew is
// followed by its name.
reply::Later ask_later(Question question) {
  auto shared = std::make_shared<Question>(std::move(question));
  auto seen = std::make_shared<std::uint64_t>(shared->journal.window(shared->session).noted);
  return [shared, seen](bool last) -> std::optional<Response> {
    const bool is_over = last || SteadyClock::now() >= shared->deadline;
    const auto session = shared->store.find(shared->session_name);
    if (session == nullptr) {
      return is_over ? std::optional(deleted(*shared)) : std::nullopt;
    }
    const bool is_another = session->serial() != shared->session;
    shared->session = session->serial();
    const std::uint64_t noted = shared->journal.window(shared->session).noted;
    if (noted == *seen && !is_another && !is_over) {
      return std::nullopt;
    }
    *seen = noted;
    Response response = ask_journal(*shared);
    if (response.status == 200 || is_over) {
      return response;
    }
    return std::nullopt;
  };
}

reply::Reply now_or_later(const Question& question) {
  // What is noted between the two looks is seen by the second: it starts from an older count.
  reply::Later later = ask_later(question);
  Response response = ask_journal(question);
  if (!may_still_pass(question, response)) {
    return {std::move(response), {}};
  }
  return {std::move(response), {}, std::move(later)};
}

SteadyClock::time_point in(std::int64_t ms) {
  return SteadyClock::now() + std::chrono::milliseconds(ms);
}

}  // namespace

reply::Reply verify_requests(const ControlRequest& ask) {
  const json& body = *ask.reading.body;
  Demand demand = demand_of(body);
  if (demand.at_least > demand.at_most) {
    return {reject(fixtures::ErrorKind::kInvalidBody,
                   "body/at_most: must be at least at_least, but is less"),
            {}};
  }
  const auto session = session_of(ask, body.value("session", ask.context.session.name()));
  if (!session) {
    return {session.error(), {}};
  }
  JournalQuery query = query_of_match(body.value("match", json::object()));
  const JournalQuery range = query_of_parameters(body);
  query.after = range.after;
  query.since = range.since;
  if (auto rejection = reject_query(ask, query)) {
    return {std::move(*rejection), {}};
  }
  return now_or_later({ask.context.journal,
                       ask.context.store,
                       session->serial,
                       session->name,
                       std::move(query),
                       demand,
                       {body.value("limit", std::size_t{10}), 5},
                       in(body.value("timeout_ms", std::int64_t{0}))});
}

reply::Reply wait_for_requests(const ControlRequest& ask) {
  const json& query = ask.reading.query;
  const auto session = session_of(ask, query.value("session", ask.context.session.name()));
  if (!session) {
    return {session.error(), {}};
  }
  JournalQuery asked = query_of_parameters(query);
  if (auto rejection = reject_query(ask, asked)) {
    return {std::move(*rejection), {}};
  }
  Demand demand;
  demand.at_least = query.value("count", std::uint64_t{1});
  return now_or_later({ask.context.journal,
                       ask.context.store,
                       session->serial,
                       session->name,
                       std::move(asked),
                       demand,
                       {query.value("limit", std::size_t{100}), 5},
                       in(query.value("timeout_ms", kDefaultWaitMs))});
}

}  // namespace mock_server::control
