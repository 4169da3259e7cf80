#include "mock_server/control/verify.hpp"

#include "mock_server/control/error_response.hpp"
#include "mock_server/control/journal_endpoints.hpp"
#include "mock_server/control/journal_tally.hpp"
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

// A verification, which may be repeated while waiting.
struct Question {
  const state::Journal& journal;
  state::Store& store;
  std::uint64_t session = 0;
  std::string session_name;
  JournalQuery query;
  RequiredCount required;
  TallyLimits limits;
  SteadyClock::time_point deadline;
};

RequiredCount required_count_of(const json& body) {
  RequiredCount required;
  if (const auto exactly = body.find("exactly"); exactly != body.end()) {
    required.at_least = required.at_most = exactly->get<std::uint64_t>();
    return required;
  }
  required.at_least = body.value("at_least", required.at_least);
  required.at_most = body.value("at_most", required.at_most);
  return required;
}

json counted(const Question& question, const Tally& tally) {
  json body{{"session", question.session_name},
            {"matched", tally.matched},
            {"undecided", tally.undecided},
            {"lost", tally.lost},
            {"window", window_of(question.journal, question.session)},
            {"demand", question.required.words()},
            {"requests", tally.requests}};
  body["window"]["complete"] = tally.lost == 0 && !tally.is_partial;
  return body;
}

std::string why_unsure(const Tally& tally) {
  std::string why;
  if (tally.is_partial) {
    why = "; older requests are no longer in the journal";
  } else if (tally.lost != 0) {
    why = "; " + std::to_string(tally.lost) +
          " older requests are no longer in the journal (raise " +
          "--journal-bytes, or count only those after an id)";
  }
  if (tally.undecided != 0) {
    why += "; " + std::to_string(tally.undecided) + " bodies are only partly in the journal";
  }
  return why;
}

// "; 1 preflight does not count (method OPTIONS counts it)" where too few requests match.
std::string preflights_left_out(const Question& question, const Tally& tally) {
  if (tally.preflights == 0 || tally.matched >= question.required.at_least) {
    return "";
  }
  return tally.preflights == 1 ? "; 1 preflight does not count (method OPTIONS counts it)"
                               : "; " + std::to_string(tally.preflights) +
                                     " preflights do not count (method OPTIONS counts them)";
}

Response response_of(const Question& question, const Tally& tally, Verdict verdict) {
  json body = counted(question, tally);
  body["verdict"] = to_text(verdict);
  if (verdict == Verdict::kPass) {
    return json_response(200, body);
  }
  const bool unsure = verdict == Verdict::kInconclusive;
  body["near_misses"] = tally.near_misses;
  return reply::error_response(
      409, unsure ? "VERIFICATION_INCONCLUSIVE" : "VERIFICATION_FAILED",
      "the number of matching requests must be " + question.required.words() + ", but " +
          (unsure ? "only " + std::to_string(tally.matched) + " can be counted" + why_unsure(tally)
                  : "is " + std::to_string(tally.matched)) +
          preflights_left_out(question, tally),
      std::move(body));
}

Response ask_journal(const Question& question) {
  const Tally tally = count(question.journal, question.session, question.query, question.limits);
  return response_of(question, tally, validate(tally, question.required));
}

// Whether later requests may make it pass.
bool may_still_pass(const Question& question, const Response& response) {
  return response.status != 200 && SteadyClock::now() < question.deadline;
}

Response deleted(const Question& question) {
  return reject(
      fixtures::ErrorKind::kNotFound,
      "session \"" + question.session_name + "\" was deleted while this request was waiting");
}

// Checks again only if the journal changed. A session that was deleted and created again is
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
  // An entry written between the two reads is seen by the next check: it starts from an older
  // count.
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

reply::Reply verify_requests(const ControlRequest& request) {
  const json& body = *request.reading.body;
  RequiredCount required = required_count_of(body);
  if (required.at_least > required.at_most) {
    return {
        reject(fixtures::ErrorKind::kInvalidBody, "body/at_most: must not be less than at_least"),
        {}};
  }
  const auto session = session_of(request, body.value("session", request.context.session.name()));
  if (!session) {
    return {session.error(), {}};
  }
  JournalQuery query = query_of_match(body.value("match", json::object()));
  const JournalQuery range = query_of_parameters(body);
  query.after = range.after;
  query.since = range.since;
  if (auto rejection = reject_query(request, query)) {
    return {std::move(*rejection), {}};
  }
  return now_or_later({request.context.journal,
                       request.context.store,
                       session->serial,
                       session->name,
                       std::move(query),
                       required,
                       {body.value("limit", std::size_t{10}), 5},
                       in(body.value("timeout_ms", std::int64_t{0}))});
}

reply::Reply wait_for_requests(const ControlRequest& request) {
  const json& query = request.reading.query;
  const auto session = session_of(request, query.value("session", request.context.session.name()));
  if (!session) {
    return {session.error(), {}};
  }
  JournalQuery asked = query_of_parameters(query);
  if (auto rejection = reject_query(request, asked)) {
    return {std::move(*rejection), {}};
  }
  RequiredCount required;
  required.at_least = query.value("count", std::uint64_t{1});
  return now_or_later({request.context.journal,
                       request.context.store,
                       session->serial,
                       session->name,
                       std::move(asked),
                       required,
                       {query.value("limit", std::size_t{100}), 5},
                       in(query.value("timeout_ms", kDefaultWaitMs))});
}

}  // namespace mock_server::control
