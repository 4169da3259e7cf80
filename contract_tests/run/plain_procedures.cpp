// Procedures for any operation.

#include "contract_tests/checks/answer.hpp"
#include "contract_tests/checks/documented.hpp"
#include "contract_tests/checks/normal_form.hpp"
#include "contract_tests/checks/places.hpp"
#include "contract_tests/run/procedures.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"

#include <algorithm>
#include <set>
#include <vector>

namespace contract_tests::run {

using plan::Expectation;
using plan::Want;

namespace {

// HTTP lets a server decline a way of asking that is not the plain one. To accept nothing in
// particular is to accept anything. Source: RFC 9110 §12.5.1.
bool declines_the_form(const std::string& rule, int status) {
  return (status == 406 && rule != "same/accept") || status == 411 || status == 412 ||
         status == 417;
}

std::string media_type(const Sent& sent) {
  const auto field = sent.exchange.response.headers.find("Content-Type").value_or("");
  return std::string(field.substr(0, field.find(';')));
}

// Where two JSON values first differ, in words.
std::string difference(const nlohmann::json& left, const nlohmann::json& right) {
  const auto patch = nlohmann::json::diff(left, right);
  const auto place = patch.empty() ? "" : patch.front().value("path", "");
  return place.empty() ? "the whole" : place;
}

// Nothing promises the order of a list from one reading to another: where pages do, the rules on
// pages see to it.
checks::Complaints compare(const Sent& plain, const Sent& other, const std::string& rule) {
  if (plain.normal && other.normal) {
    if (spec::json::equal(*plain.normal, *other.normal) ||
        spec::json::equal(checks::without_order(*plain.normal),
                          checks::without_order(*other.normal))) {
      return {};
    }
    const auto place = difference(*plain.normal, *other.normal);
    return {{rule, "body", "must be the same answer but differs at " + place}};
  }
  // Files may differ from reading to reading (dates, identifiers): their kind may not.
  if (media_type(plain) != media_type(other)) {
    return {
        {rule, "header/Content-Type",
         "must be " + media_type(plain) + " as for the plain request but is " + media_type(other)}};
  }
  return {};
}

// Words of a list field, upper case as methods are.
bool lists(const std::vector<std::string_view>& values, std::string_view word) {
  return std::ranges::any_of(values, [word](std::string_view value) {
    while (!value.empty()) {
      const auto comma = std::min(value.find(','), value.size());
      auto token = value.substr(0, comma);
      const auto first = std::min(token.find_first_not_of(" \t"), token.size());
      token = token.substr(first, token.find_last_not_of(" \t") + 1 - first);
      if (token == word) {
        return true;
      }
      value.remove_prefix(std::min(comma + 1, value.size()));
    }
    return false;
  });
}

void check_allow(Trial& trial, const Sent& sent) {
  const auto allow = sent.exchange.response.headers.all("Allow");
  if (allow.empty()) {
    return;
  }
  const auto& tried = sent.exchange.sent.method;
  if (sent.exchange.status() == 405 && lists(allow, tried)) {
    trial.complain({{"http/allow-refused", "header/Allow",
                     "must not list " + tried + ", which is refused, but does"}},
                   sent);
  }
  for (const auto& method : trial.item().data.at("declared")) {
    const auto& name = method.get_ref<const std::string&>();
    if (!lists(allow, name)) {
      trial.complain({{"http/allow-incomplete", "header/Allow",
                       "must list " + name + ", which the path has, but does not"}},
                     sent);
    }
  }
}

// A length of HEAD is held against that of GET. Where two readings by GET differ (a time, a number
// of the request), only a length far from both is another.
void judge_head_length(Trial& trial, const Sent& get, const Sent& head) {
  const auto length = head.exchange.record.declared_length;
  const auto gotten = get.exchange.record.declared_length;
  const bool coded = get.exchange.response.headers.has("Content-Encoding");
  if (!length || !gotten || *length == *gotten || coded) {
    return;
  }
  const auto& again = trial.send();
  const bool moves = again.exchange.response.body != get.exchange.response.body;
  if (moves && *length > *gotten / 2 && *length / 2 < *gotten) {
    return;
  }
  trial.suspect(
      {{"http/head", "header/Content-Length",
        "must be " + std::to_string(*gotten) + " as for GET but is " + std::to_string(*length)}},
      head);
}

std::string strong_tag(const Sent& sent) {
  const auto tag = sent.exchange.response.headers.find("ETag").value_or("");
  return tag.starts_with('"') ? std::string(tag) : std::string{};
}

// An entity tag without the mark of a weak one.
std::string_view opaque(std::string_view tag) {
  return tag.starts_with("W/") ? tag.substr(2) : tag;
}

// Texts of an answer that say whose it is: long enough to stand nowhere by chance, and not what the
// request itself says.
std::set<std::string> telling_texts(const nlohmann::json& value, std::string_view target) {
  constexpr std::size_t kTelling = 10;
  std::vector<std::string> texts;
  checks::gather_texts(value, texts);
  std::erase_if(texts, [target](const std::string& text) {
    return text.size() < kTelling || target.find(text) != std::string_view::npos;
  });
  return {texts.begin(), texts.end()};
}

bool is_secured(const spec::contract::Operation& operation) {
  return !operation.security.empty() &&
         std::ranges::none_of(operation.security,
                              [](const auto& way) { return way.schemes.empty(); });
}

// The plain request where `request`, of a method that the contract does not have, is about the same
// identifiers; nothing where it is about others, or where the operation reads nothing.
std::optional<plan::RequestPlan> plain_twin(const Trial& trial, const plan::RequestPlan& request) {
  const auto& rules = trial.settings().rules.of(trial.operation().id);
  if (!rules.request || (trial.operation().method != "GET" && rules.update.is_null()) ||
      rules.request->path != request.path) {
    return std::nullopt;
  }
  return rules.request;
}

// What was there before must be there after.
void check_effect(Trial& trial, const plan::RequestPlan& plain, const Sent& before) {
  const auto& after = trial.send(plain, {.want = Want::kAnything});
  if (!after.conclusive) {
    return;
  }
  if (after.exchange.status() != before.exchange.status()) {
    trial.complain(
        {{"http/method-effect", "status",
          "must answer " + std::to_string(before.exchange.status()) +
              " after it as before it but answers " + std::to_string(after.exchange.status())}},
        after);
    return;
  }
  const auto& rules = trial.settings().rules.of(trial.operation().id);
  if (rules.moves.is_null() && rules.update.is_null()) {
    trial.complain(compare(before, after, "http/method-effect"), after);
  }
}

// A method of nobody's that gives what the path's own gives, without asking who it is.
void check_open_method(Trial& trial) {
  if (!is_secured(trial.operation())) {
    return;
  }
  auto request = trial.item().request;
  request.authorization = "";
  const auto& open = trial.send(request, {.want = Want::kAnything});
  if (!open.conclusive || open.exchange.status() / 100 != 2) {
    return;
  }
  const auto body = spec::json::read(open.exchange.response.body);
  if (body &&
      !checks::check_refusal(trial.settings().contract, trial.operation(), body.value()).empty()) {
    trial.complain({{"auth/missing", "status",
                     "must be refused without credentials but is " +
                         std::to_string(open.exchange.status()) + " and holds the data"}},
                   open);
  }
}

}  // namespace

void run_exchange(Trial& trial) {
  trial.send();
}

// Whatever a server makes of such an identifier, nobody has it.
void run_hostile(Trial& trial) {
  const auto& sent = trial.send();
  if (sent.accepted && trial.item().data.value("nobodys", false)) {
    trial.complain({{"status/unknown", "status",
                     "must be a refusal (4xx), for nobody has such an identifier, but is " +
                         std::to_string(sent.exchange.status())}},
                   sent);
  }
}

void run_generated(Trial& trial) {
  trial.send();
}

void run_same(Trial& trial) {
  const auto& plain = trial.send();
  if (!plain.accepted) {
    return;
  }
  const auto variant = plan::request_from(trial.item().data.at("variant"));
  Expectation expect = trial.item().expect;
  expect.want = Want::kAnything;
  const auto& other = trial.send(variant, expect);
  if (other.exchange.waited_in_vain) {
    // Met again or not at all: a server may be busy once.
    trial.suspect({{"http/expect", "wire",
                    "must answer an expectation of 100 before the body comes but keeps silent"}},
                  other);
  }
  if (!other.conclusive || declines_the_form(trial.item().why.rule, other.exchange.status())) {
    return;
  }
  if (other.exchange.status() != plain.exchange.status()) {
    trial.suspect(
        {{trial.item().why.rule, "status",
          "must be " + std::to_string(plain.exchange.status()) +
              " as for the plain request but is " + std::to_string(other.exchange.status())}},
        other);
    return;
  }
  trial.suspect(compare(plain, other, trial.item().why.rule), other);
}

void run_head(Trial& trial) {
  const auto& get = trial.send();
  if (!get.accepted) {
    return;
  }
  auto request = trial.item().request;
  request.method = "HEAD";
  const auto& head = trial.send(request, {.want = Want::kAnything});
  if (!head.conclusive) {
    return;
  }
  if (head.exchange.status() != get.exchange.status()) {
    trial.suspect({{"http/head", "status",
                    "must be " + std::to_string(get.exchange.status()) + " as for GET but is " +
                        std::to_string(head.exchange.status())}},
                  head);
    return;
  }
  if (media_type(head) != media_type(get) && !media_type(head).empty()) {
    trial.suspect({{"http/head", "header/Content-Type",
                    "must be " + media_type(get) + " as for GET but is " + media_type(head)}},
                  head);
  }
  judge_head_length(trial, get, head);
}

void run_silent_refusal(Trial& trial) {
  const auto& plain = trial.send();
  if (!plain.accepted || !plain.body) {
    return;
  }
  auto request = trial.item().request;
  request.authorization = "";
  const auto& refused = trial.send(request, {.want = Want::kUnauthorized});
  if (!refused.conclusive || refused.exchange.status() / 100 != 4) {
    return;
  }
  const auto data = telling_texts(*plain.body, plain.exchange.sent.target);
  const auto judge = [&](std::string_view text, const std::string& place) {
    const auto shown = std::ranges::find_if(
        data, [text](const auto& word) { return text.find(word) != std::string_view::npos; });
    if (shown != data.end()) {
      trial.complain({{trial.item().why.rule, place,
                       "must not hold what a success holds but holds " + checks::shown(*shown)}},
                     refused);
    }
  };
  for (const auto& [name, value] : refused.exchange.response.headers.lines()) {
    judge(value, "header/" + name);
  }
  judge(refused.exchange.response.body, "body");
}

void run_method(Trial& trial) {
  const auto plain = plain_twin(trial, trial.item().request);
  const auto* before = plain ? &trial.send(*plain, {.want = Want::kAnything}) : nullptr;
  const auto& sent = trial.send();
  if (!sent.conclusive) {
    return;
  }
  const int status = sent.exchange.status();
  const bool options = sent.exchange.sent.method == "OPTIONS";
  check_allow(trial, sent);
  if (status / 100 == 5 && status != 501) {
    trial.complain(
        {{options ? trial.item().why.rule : "http/method-error", "status",
          "must be refused in order (405, 404 or 501) but is " + std::to_string(status)}},
        sent);
  } else if (status / 100 == 2 && !options) {
    trial.complain(
        {{"http/method", "status",
          "is a success for a method that the contract does not have: " + std::to_string(status)}},
        sent);
    check_open_method(trial);
  }
  if (before != nullptr && before->accepted) {
    check_effect(trial, *plain, *before);
  }
}

void run_later(Trial& trial) {
  trial.wait_until_later();
  trial.send();
}

namespace {

bool is_alike(const Sent& left, const Sent& right) {
  return left.exchange.status() == right.exchange.status() &&
         (!left.accepted || !right.accepted || compare(left, right, "").empty());
}

}  // namespace

void run_together(Trial& trial) {
  constexpr std::size_t kPairs = 4;
  const auto other = plan::request_from(trial.item().data.at("other"));
  const auto& first = trial.send();
  const auto& second = trial.send(other, {.want = Want::kAnything});
  if (!first.accepted || !second.conclusive) {
    return;
  }
  if (is_alike(first, second)) {
    trial.not_run("the two questions have the same answer");
    return;
  }
  std::vector<plan::RequestPlan> requests;
  for (std::size_t pair = 0; pair < kPairs; ++pair) {
    requests.push_back(trial.item().request);
    requests.push_back(other);
  }
  const auto answers = trial.send_together(requests, {.want = Want::kAnything});
  for (std::size_t at = 0; at < answers.size(); ++at) {
    const auto& own = at % 2 == 0 ? first : second;
    const auto& others = at % 2 == 0 ? second : first;
    // What is neither may have changed by itself meanwhile.
    if (answers[at]->conclusive && !is_alike(*answers[at], own) && is_alike(*answers[at], others)) {
      trial.complain({{trial.item().why.rule, "body",
                       "must be the answer to its own request but is that of one asked at the same "
                       "time"}},
                     *answers[at]);
    }
  }
}

void run_validator(Trial& trial) {
  const auto& first = trial.send();
  if (!first.accepted) {
    return;
  }
  const auto& second = trial.send();
  if (!second.accepted) {
    return;
  }
  const auto tag = strong_tag(first);
  if (!tag.empty() && tag == strong_tag(second) &&
      first.exchange.response.body != second.exchange.response.body) {
    trial.complain({{"http/etag-reused", "header/ETag",
                     "must tell two bodies apart but " + tag + " stands on both"}},
                   second);
  }
  const auto given = first.exchange.response.headers.find("ETag");
  if (!given) {
    return;
  }
  auto request = trial.item().request;
  request.headers.emplace_back("If-None-Match", std::string(*given));
  const auto& third = trial.send(request, {.want = Want::kAnything});
  if (third.conclusive && third.exchange.status() / 100 > 3) {
    trial.complain(
        {{"http/not-modified", "status",
          "must be 304 or the whole answer but is " + std::to_string(third.exchange.status())}},
        third);
  }
  const auto kept = third.exchange.response.headers.find("ETag").value_or(*given);
  if (third.conclusive && third.exchange.status() == 304 && opaque(kept) != opaque(*given)) {
    trial.complain({{"http/not-modified-tag", "header/ETag",
                     "must be the tag that was given, " + std::string(*given) + ", but is " +
                         std::string(kept)}},
                   third);
  }
}

void run_reuse(Trial& trial) {
  const auto other = plan::request_from(trial.item().data.at("other"));
  const auto& first =
      trial.send(trial.item().request, trial.item().expect, {.fresh_connection = true});
  if (!first.accepted) {
    return;
  }
  const auto& second = trial.send(other, {.want = Want::kAnything});
  const auto& third = trial.send();
  if (!third.exchange.reused_connection) {
    return;  // nothing to poison
  }
  if (third.conclusive && !third.accepted) {
    trial.complain({{"http/poisoned", "status",
                     "must belong to its own request but is that of another: " +
                         std::to_string(third.exchange.status())}},
                   third);
  } else if (third.accepted && second.conclusive) {
    trial.suspect(compare(first, third, "http/poisoned"), third);
  }
}

}  // namespace contract_tests::run
