#include "mock_server/control/control_request.hpp"
#include "mock_server/control/endpoints.hpp"
#include "mock_server/journal/journal_query.hpp"
#include "mock_server/reply/json_response.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <memory>
#include <utility>

namespace mock_server::control {
namespace {

using journal::Count;
using journal::query_of_match;
using journal::query_of_parameters;
using journal::RequiredCount;
using journal::Tally;
using journal::Verdict;
using nlohmann::json;
using reply::json_response;
using spec::http::Response;
using SteadyClock = std::chrono::steady_clock;

constexpr std::int64_t kDefaultWaitMs = 5'000;

// A verification, which may be repeated while waiting.
struct Question {
  const state::Journal& journal;
  state::Store& store;
  JournalRequest wanted;
  RequiredCount required;
  Count count;
  SteadyClock::time_point deadline;
};

RequiredCount required_count_of(const json& body) {
  RequiredCount required;
  if (const auto exactly = body.find("exactly"); exactly != body.end()) {
    required.at_least = required.at_most = exactly->get<std::uint64_t>();
    required.is_exact = true;
    return required;
  }
  required.at_least = body.value("at_least", required.at_least);
  required.at_most = body.value("at_most", required.at_most);
  return required;
}

json counted(const Question& question, const Tally& tally) {
  json body{{"session", question.wanted.session},
            {"matched", tally.matched},
            {"undecided", tally.undecided},
            {"lost", tally.lost},
            {"window", window_of(question.journal, question.wanted.serial)},
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

// The response if the requests pass, or, `is_over`, whatever they do.
std::optional<Response> ask_journal(Question& question, bool is_over) {
  Tally tally = question.count.of(question.wanted.serial);
  const Verdict verdict = validate(tally, question.required);
  if (verdict != Verdict::kPass && !is_over) {
    return std::nullopt;
  }
  question.count.add_lists(tally);
  return response_of(question, tally, verdict);
}

Response deleted(const Question& question) {
  return reject(api::ErrorKind::kNotFound, "session \"" + question.wanted.session +
                                               "\" was deleted while this request was waiting");
}

// Checks only what came since, if the journal changed. A session that was deleted and created again
// is followed by its name.
reply::Later ask_later(const std::shared_ptr<Question>& shared) {
  auto seen = std::make_shared<std::uint64_t>(shared->journal.window(shared->wanted.serial).noted);
  return [shared, seen](bool last) -> std::optional<Response> {
    const bool is_over = last || SteadyClock::now() >= shared->deadline;
    const auto session = shared->store.find(shared->wanted.session);
    if (session == nullptr) {
      return is_over ? std::optional(deleted(*shared)) : std::nullopt;
    }
    const bool is_another = session->serial() != shared->wanted.serial;
    shared->wanted.serial = session->serial();
    const std::uint64_t noted = shared->journal.window(shared->wanted.serial).noted;
    if (noted == *seen && !is_another && !is_over) {
      return std::nullopt;
    }
    *seen = noted;
    return ask_journal(*shared, is_over);
  };
}

// The requests have `timeout_ms` to come.
reply::Reply now_or_later(const ControlRequest& request,
                          spec::Result<JournalRequest, Response> wanted,
                          const RequiredCount& required, std::size_t limit,
                          std::int64_t timeout_ms) {
  if (!wanted) {
    return {std::move(wanted.error()), {}};
  }
  Count count(request.context.journal, std::move(wanted->query), {limit, 5});
  const auto question = std::make_shared<Question>(
      Question{request.context.journal, request.context.store, std::move(*wanted), required,
               std::move(count), SteadyClock::now() + std::chrono::milliseconds(timeout_ms)});
  // An entry written between the two reads is seen by the next check: it starts from an older
  // count.
  reply::Later later = ask_later(question);
  auto response = ask_journal(*question, SteadyClock::now() >= question->deadline);
  return response ? reply::Reply{std::move(*response), {}} : reply::Reply{{}, {}, std::move(later)};
}

}  // namespace

reply::Reply verify_requests(const ControlRequest& request) {
  const json& body = *request.reading.body;
  RequiredCount required = required_count_of(body);
  if (required.at_least > required.at_most) {
    return {reject(api::ErrorKind::kInvalidBody, "body/at_most: must not be less than at_least"),
            {}};
  }
  JournalQuery query = query_of_match(body.value("match", json::object()));
  const JournalQuery range = query_of_parameters(body);
  query.after = range.after;
  query.since = range.since;
  return now_or_later(request, journal_request_of(request, body, std::move(query)), required,
                      body.value("limit", std::size_t{10}),
                      body.value("timeout_ms", std::int64_t{0}));
}

reply::Reply wait_for_requests(const ControlRequest& request) {
  const json& query = request.reading.query;
  RequiredCount required;
  required.at_least = query.value("count", std::uint64_t{1});
  return now_or_later(request, journal_request_of(request, query, query_of_parameters(query)),
                      required, query.value("limit", std::size_t{100}),
                      query.value("timeout_ms", kDefaultWaitMs));
}

}  // namespace mock_server::control
