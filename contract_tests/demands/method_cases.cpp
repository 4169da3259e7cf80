// HEAD like GET, and methods that the contract does not have: with unknown identifiers, because a
// service may implement them nevertheless.

#include "contract_tests/checks/response_validation.hpp"
#include "contract_tests/demands/demands.hpp"
#include "contract_tests/demands/request_variants.hpp"
#include "spec/http/header_field.hpp"
#include "spec/http/message.hpp"
#include "spec/json/read.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace contract_tests::demands {

namespace {

// Every method that the contract declares on the operation's path, in document order.
std::vector<std::string> methods_of(const Drafting& drafting) {
  std::vector<std::string> methods;
  for (const auto& other : drafting.contract.operations()) {
    if (other.path == drafting.operation.path) {
      methods.push_back(other.method);
    }
  }
  return methods;
}

std::string_view without_last_slash(std::string_view path) {
  return path.ends_with('/') ? path.substr(0, path.size() - 1) : path;
}

// True if one concrete path may fit both templates, for a router that ignores letter case or a
// slash at the end: "/users/{id}" and "/Users/me/".
bool may_meet(std::string_view left, std::string_view right) {
  return std::ranges::equal(spec::http::segments_of(without_last_slash(left)),
                            spec::http::segments_of(without_last_slash(right)),
                            [](std::string_view one, std::string_view other) {
                              return one.find('{') != std::string_view::npos ||
                                     other.find('{') != std::string_view::npos ||
                                     spec::text::equals_ignoring_case(one, other);
                            });
}

// True if any operation that may be meant by the same concrete path has the method.
bool has_method(const Drafting& drafting, std::string_view method) {
  return std::ranges::any_of(drafting.contract.operations(), [&](const auto& other) {
    return other.method == method && may_meet(other.path, drafting.operation.path);
  });
}

// The request with unknown identifiers only.
RequestPlan request_of_unknown(const Drafting& drafting) {
  RequestPlan request;
  for (const auto& parameter : drafting.operation.parameters) {
    if (parameter.location == spec::contract::Location::kPath) {
      request.path[parameter.name] = "counterpart-nobody-has-this";
    }
  }
  return request;
}

// True if the response's Allow lists the method.
bool allows(const CaseResponse& sent, std::string_view method) {
  bool found = false;
  const auto allow = spec::http::list_field(sent.exchange.response.headers, "Allow");
  spec::http::for_each_element(
      allow.value_or(""), [&](std::string_view element) { found = found || element == method; });
  return found;
}

void check_allow(CaseRun& case_run, const CaseResponse& sent,
                 const std::vector<std::string>& declared) {
  if (!sent.exchange.response.headers.has("Allow")) {
    return;
  }
  const auto& tried = sent.exchange.sent.method;
  if (sent.exchange.status() == 405 && allows(sent, tried)) {
    case_run.report({{"http/allow-rejected", "header/Allow",
                      "must not list " + tried + " because it is rejected", "lists it"}},
                    sent);
  }
  for (const auto& name : declared) {
    if (!allows(sent, name)) {
      case_run.report({{"http/allow-incomplete", "header/Allow",
                        "must list " + name + " because the path has it", "does not list it"}},
                      sent);
    }
  }
}

// The length of HEAD is compared with that of GET. Where two responses to GET differ (a time, a
// number of the request), only a length far from both is another.
void validate_head_length(CaseRun& case_run, const CaseResponse& get, const CaseResponse& head) {
  const auto length = head.exchange.record.declared_length;
  const auto gotten = get.exchange.record.declared_length;
  const bool coded = get.exchange.response.headers.has("Content-Encoding");
  if (!length || !gotten || *length == *gotten || coded) {
    return;
  }
  constexpr int kMoreReads = 2;  // of values that alternate, one is like the response to HEAD
  bool moves = false;
  for (int read = 0; read < kMoreReads; ++read) {
    const auto& again = case_run.send().exchange;
    moves = moves || again.response.body != get.exchange.response.body;
    if (again.record.declared_length == length) {
      return;
    }
  }
  if (moves && *length > *gotten / 2 && *length / 2 < *gotten) {
    return;
  }
  case_run.suspect(
      {{"http/head", "header/Content-Length", "must be " + std::to_string(*gotten) + " as for GET",
        "is " + std::to_string(*length)}},
      head);
}

void run_head(CaseRun& case_run) {
  const auto& get = case_run.send();
  if (!get.accepted) {
    return;
  }
  auto request = case_run.item().request;
  request.method = "HEAD";
  const auto& head = case_run.send(request, {.want = Want::kAnything});
  if (!head.conclusive) {
    return;
  }
  if (head.exchange.status() != get.exchange.status()) {
    case_run.suspect(
        {{"http/head", "status", "must be " + std::to_string(get.exchange.status()) + " as for GET",
          "is " + std::to_string(head.exchange.status())}},
        head);
    return;
  }
  if (media_type(head) != media_type(get) && !media_type(head).empty()) {
    case_run.suspect({{"http/head", "header/Content-Type",
                       "must be " + media_type(get) + " as for GET", "is " + media_type(head)}},
                     head);
  }
  validate_head_length(case_run, get, head);
}

// The plain request where `request`, of a method that the contract does not have, is about the same
// identifiers; empty if it is about others, or where the operation reads nothing.
std::optional<RequestPlan> plain_twin(const CaseRun& case_run, const RequestPlan& request) {
  const auto& rules = case_run.settings().rules.of_operation(case_run.operation().id);
  if (!rules.request || (case_run.operation().method != "GET" && !rules.update) ||
      rules.request->path != request.path) {
    return std::nullopt;
  }
  return rules.request;
}

// The record must be the same before and after.
void check_effect(CaseRun& case_run, const RequestPlan& plain, const CaseResponse& before) {
  const auto& after = case_run.send(plain, {.want = Want::kAnything});
  if (!after.conclusive) {
    return;
  }
  if (after.exchange.status() != before.exchange.status()) {
    case_run.report(
        {{"http/method-effect", "status",
          "GET must return " + std::to_string(before.exchange.status()) + " after it as before it",
          "returns " + std::to_string(after.exchange.status())}},
        after);
    return;
  }
  const auto& rules = case_run.settings().rules.of_operation(case_run.operation().id);
  if (!rules.volatile_fields && !rules.update) {
    case_run.report(compare(before, after, "http/method-effect"), after);
  }
}

// An undeclared method that returns the data of GET without credentials.
void check_open_method(CaseRun& case_run) {
  if (!case_run.operation().is_secured()) {
    return;
  }
  auto request = case_run.item().request;
  request.authorization = "";
  const auto& open = case_run.send(request, {.want = Want::kAnything});
  if (!open.conclusive || open.exchange.status() / 100 != 2) {
    return;
  }
  const auto body = spec::json::read(open.exchange.response.body);
  if (body &&
      !checks::check_rejection(case_run.settings().contract, case_run.operation(), body.value())
           .empty()) {
    case_run.report({{"auth/missing", "status", "must be rejected without credentials",
                      "is " + std::to_string(open.exchange.status()) + " with the data"}},
                    open);
  }
}

// On a service: whether the method may be tried for the unknown identifiers. Not where something
// is there all the same, or where the service says that it has the method, which may create or
// remove something then.
bool may_try(CaseRun& case_run) {
  auto request = case_run.item().request;
  const auto method = std::exchange(request.method, "OPTIONS");
  if (case_run.settings().consent.lasting || spec::http::is_safe_method(method)) {
    return true;
  }
  const auto* options = case_run.fetch(case_run.operation(), request);
  if (options != nullptr && allows(*options, method)) {
    case_run.skip("the service says that it has the method, which may change something");
    return false;
  }
  request.method = "HEAD";
  const auto* head = case_run.fetch(case_run.operation(), request);
  if (head == nullptr || head->exchange.status() / 100 == 2) {
    case_run.skip("HEAD finds something at the unknown identifier, which the method may change");
    return false;
  }
  return true;
}

void run_method(CaseRun& case_run, const std::vector<std::string>& declared) {
  if (!may_try(case_run)) {
    return;
  }
  const auto plain = plain_twin(case_run, case_run.item().request);
  const auto* before = plain ? &case_run.send(*plain, {.want = Want::kAnything}) : nullptr;
  const auto& sent = case_run.send();
  if (!sent.conclusive) {
    return;
  }
  const int status = sent.exchange.status();
  const bool options = sent.exchange.sent.method == "OPTIONS";
  check_allow(case_run, sent, declared);
  if (status / 100 == 5 && status != 501) {
    case_run.report({{options ? case_run.item().basis.rule : "http/method-error", "status",
                      "must be a rejection (405, 404 or 501)", "is " + std::to_string(status)}},
                    sent);
  } else if (status / 100 == 2 && !options) {
    case_run.report({{"http/method", "status",
                      "must be a rejection because the contract does not have the method",
                      "is " + std::to_string(status)}},
                    sent);
    check_open_method(case_run);
  }
  if (before != nullptr && before->accepted) {
    check_effect(case_run, *plain, *before);
  }
}

Case method_case(const Drafting& drafting, std::string sentence, const std::string& method,
                 const std::vector<std::string>& declared) {
  const std::string rule = method == "TRACE"     ? "http/trace"
                           : method == "OPTIONS" ? "http/options"
                                                 : "http/method";
  auto item = drafting.draft_by_book(std::move(sentence), rule);
  item.run = [declared = declared](CaseRun& case_run) { run_method(case_run, declared); };
  item.undeclared_method = true;
  item.request.method = method;
  item.request.body.reset();
  item.request.raw_body.reset();
  item.expect.want = Want::kAnything;
  item.changed = "method " + method;
  item.needs.probes = true;
  return item;
}

// With an unknown identifier; and, on the mock, with an existing one.
void add_method(const Drafting& drafting, const std::string& method,
                const std::vector<std::string>& declared) {
  const auto sentence = method + " is rejected as a method of this path";
  auto unknown = request_of_unknown(drafting);
  if (!unknown.path.empty()) {
    auto item = method_case(drafting, sentence + ", for an unknown identifier", method, declared);
    unknown.method = method;
    item.request = std::move(unknown);
    item.changed.words += ", an unknown identifier";
    drafting.add(std::move(item));
  }
  auto item = method_case(drafting, sentence, method, declared);
  item.needs.lasting =
      "a method outside the contract may do anything to a record, so it is sent to the mock only";
  drafting.add(std::move(item));
}

void add_options(const Drafting& drafting, const std::vector<std::string>& declared) {
  auto item = method_case(drafting, "OPTIONS succeeds or is rejected", "OPTIONS", declared);
  item.request = request_of_unknown(drafting);
  item.request.method = "OPTIONS";
  item.request.authorization = "";
  drafting.add(std::move(item));
}

}  // namespace

void add_method_cases(const Drafting& drafting) {
  const auto declared = methods_of(drafting);
  if (drafting.operation.method == "GET") {
    auto head = drafting.draft_by_book("HEAD responds like GET without a body", "http/head");
    head.run = &run_head;
    drafting.add(std::move(head));
  }
  if (declared.front() != drafting.operation.method) {
    return;  // one operation of a path tries what the path has not
  }
  add_options(drafting, declared);
  static constexpr std::array<std::string_view, 6> kTried{"GET",    "POST",  "PUT",
                                                          "DELETE", "TRACE", "COUNTERPART"};
  for (const auto tried : kTried) {
    if (!has_method(drafting, tried)) {
      add_method(drafting, std::string(tried), declared);
    }
  }
}

}  // namespace contract_tests::demands
