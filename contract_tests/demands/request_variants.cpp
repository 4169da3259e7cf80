#include "contract_tests/demands/request_variants.hpp"

#include "contract_tests/checks/normal_form.hpp"
#include "spec/json/value.hpp"

#include <algorithm>
#include <vector>

namespace contract_tests::demands {

namespace {

// Statuses by which HTTP lets a server decline a variant of a request. No Accept means any. Source:
// RFC 9110 §12.5.1. And those that the case itself allows.
bool declines_the_form(const Case& item, int status) {
  return (status == 406 && item.basis.rule != "same/accept") || status == 411 || status == 412 ||
         status == 417 ||
         std::ranges::find(item.expect.statuses, status) != item.expect.statuses.end();
}

// The place where two JSON values first differ.
std::string difference(const nlohmann::json& left, const nlohmann::json& right) {
  const auto patch = nlohmann::json::diff(left, right);
  const auto place = patch.empty() ? "" : patch.front().value("path", "");
  return place.empty() ? "its root" : place;
}

void run_same(CaseRun& case_run) {
  const auto& item = case_run.item();
  const auto& plain = case_run.send();
  if (!plain.accepted) {
    return;
  }
  auto expect = item.expect;
  expect.want = Want::kAnything;
  const auto& other = case_run.send(*item.variant, expect);
  if (other.exchange.waited_in_vain) {
    // Reported only when it is reproduced: a server may be busy once.
    case_run.suspect(
        {{"http/expect", "wire", "must send 100 Continue (or a final status) before the body",
          "sends nothing"}},
        other);
  }
  if (!other.conclusive || declines_the_form(item, other.exchange.status())) {
    return;
  }
  if (other.exchange.status() != plain.exchange.status()) {
    case_run.suspect(
        {{item.basis.rule, "status",
          "must be " + std::to_string(plain.exchange.status()) + " as for the plain request",
          "is " + std::to_string(other.exchange.status())}},
        other);
    return;
  }
  auto differences = compare(plain, other, item.basis.rule);
  // Without rules it is not known what may change by itself.
  if (run::repeats_its_request(item) &&
      !case_run.settings().rules.of_operation(item.operation).request) {
    for (auto& difference : differences) {
      difference.severity = checks::Severity::kNote;
    }
  }
  case_run.suspect(differences, other);
}

}  // namespace

void compare_with(Case& item, RequestPlan variant) {
  item.variant = std::move(variant);
  item.run = &run_same;
}

void add_same(const Drafting& drafting, std::string sentence, std::string rule, RequestPlan variant,
              checks::Change changed) {
  if (drafting.is_rejected(variant)) {
    return;  // the contract says what this header may be
  }
  auto item = drafting.draft_by_book(std::move(sentence), std::move(rule));
  compare_with(item, std::move(variant));
  item.changed = std::move(changed);
  drafting.add(std::move(item));
}

checks::RuleViolations compare(const CaseResponse& plain, const CaseResponse& other,
                               const std::string& rule) {
  if (plain.normal && other.normal) {
    if (spec::json::equal(*plain.normal, *other.normal) ||
        spec::json::equal(checks::without_order(*plain.normal),
                          checks::without_order(*other.normal))) {
      return {};
    }
    const auto place = difference(*plain.normal, *other.normal);
    return {{rule, "body", "must be the same response", "differs at " + place}};
  }
  // Files may differ from response to response (dates, identifiers): their kind may not.
  if (media_type(plain) != media_type(other)) {
    return {{rule, "header/Content-Type",
             "must be " + media_type(plain) + " as for the plain request",
             "is " + media_type(other)}};
  }
  return {};
}

std::string media_type(const CaseResponse& sent) {
  const auto field = sent.exchange.response.headers.find("Content-Type").value_or("");
  return std::string(field.substr(0, field.find(';')));
}

namespace {

bool is_alike(const CaseResponse& left, const CaseResponse& right) {
  return left.exchange.status() == right.exchange.status() &&
         (!left.accepted || !right.accepted || compare(left, right, "").empty());
}

}  // namespace

void run_together(CaseRun& case_run, const RequestPlan& other) {
  constexpr std::size_t kPairs = 4;
  const auto& first = case_run.send();
  const auto& second = case_run.send(other, {.want = Want::kAnything});
  if (!first.accepted || !second.conclusive) {
    return;
  }
  if (is_alike(first, second)) {
    case_run.skip("both requests have the same response");
    return;
  }
  std::vector<RequestPlan> requests;
  for (std::size_t pair = 0; pair < kPairs; ++pair) {
    requests.push_back(case_run.item().request);
    requests.push_back(other);
  }
  const auto responses = case_run.send_together(requests, {.want = Want::kAnything});
  for (std::size_t at = 0; at < responses.size(); ++at) {
    const auto& own = at % 2 == 0 ? first : second;
    const auto& others = at % 2 == 0 ? second : first;
    // A response that equals neither may have changed by itself.
    if (responses[at]->conclusive && !is_alike(*responses[at], own) &&
        is_alike(*responses[at], others)) {
      case_run.report(
          {{case_run.item().basis.rule, "body", "must be the response to its own request",
            "is that of another request sent "
            "at the same time"}},
          *responses[at]);
    }
  }
}

namespace {

void run_in_turn(CaseRun& case_run, const RequestPlan& other) {
  const auto& first =
      case_run.send(case_run.item().request, case_run.item().expect, {.fresh_connection = true});
  if (!first.accepted) {
    return;
  }
  const auto& second = case_run.send(other, {.want = Want::kAnything});
  const auto& third = case_run.send();
  if (!third.exchange.reused_connection) {
    return;  // nothing to poison
  }
  if (third.conclusive && !third.accepted) {
    case_run.report({{"http/poisoned", "status", "must be the response to its own request",
                      "is that of another: " + std::to_string(third.exchange.status())}},
                    third);
  } else if (third.accepted && second.conclusive) {
    case_run.suspect(compare(first, third, "http/poisoned"), third);
  }
}

}  // namespace

bool may_be_repeated(const Drafting& drafting) {
  return !drafting.writes || drafting.rules.update.has_value();
}

void ask_together(Case& item, RequestPlan other) {
  item.others = {other};
  item.run = [other = std::move(other)](CaseRun& case_run) { run_together(case_run, other); };
}

void ask_in_turn(Case& item, RequestPlan other) {
  item.others = {other};
  item.run = [other = std::move(other)](CaseRun& case_run) { run_in_turn(case_run, other); };
}

}  // namespace contract_tests::demands
