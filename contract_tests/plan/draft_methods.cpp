// HEAD like GET, and methods that the contract does not have: of what nobody has, since a service
// may have them all the same.

#include "contract_tests/plan/drafting.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace contract_tests::plan {

using nlohmann::json;

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

std::string_view take_segment(std::string_view& path) {
  const auto segment = path.substr(0, path.find('/'));
  path.remove_prefix(std::min(segment.size() + 1, path.size()));
  return segment;
}

bool is_same_text(std::string_view left, std::string_view right) {
  return std::ranges::equal(left, right, [](unsigned char one, unsigned char other) {
    return std::tolower(one) == std::tolower(other);
  });
}

// Whether one concrete path may fit both templates, to a router that does not mind letter case or a
// slash at the end: "/users/{id}" and "/Users/me/".
bool may_meet(std::string_view left, std::string_view right) {
  left = without_last_slash(left);
  right = without_last_slash(right);
  while (!left.empty() && !right.empty()) {
    const auto one = take_segment(left);
    const auto other = take_segment(right);
    const bool open =
        one.find('{') != std::string_view::npos || other.find('{') != std::string_view::npos;
    if (!open && !is_same_text(one, other)) {
      return false;
    }
  }
  return left.empty() && right.empty();
}

// Whether any operation that may be meant by the same concrete path has the method.
bool has_method(const Drafting& drafting, std::string_view method) {
  return std::ranges::any_of(drafting.contract.operations(), [&](const auto& other) {
    return other.method == method && may_meet(other.path, drafting.operation.path);
  });
}

// The request about identifiers that nobody has, and nothing else.
RequestPlan of_nobody(const Drafting& drafting) {
  RequestPlan request;
  for (const auto& parameter : drafting.operation.parameters) {
    if (parameter.location == spec::contract::Location::kPath) {
      request.path[parameter.name] = "counterpart-nobody-has-this";
    }
  }
  return request;
}

Case method_case(const Drafting& drafting, std::string sentence, const std::string& method,
                 const std::vector<std::string>& declared) {
  const std::string rule = method == "TRACE"     ? "http/trace"
                           : method == "OPTIONS" ? "http/options"
                                                 : "http/method";
  auto item = drafting.draft(std::move(sentence), rule);
  item.why.source = {};
  item.procedure = "method";
  item.request.method = method;
  item.request.body.reset();
  item.request.raw_body.reset();
  item.expect.want = Want::kAnything;
  item.data = {{"declared", declared}};
  item.changed = "method " + method;
  item.needs.probes = true;
  return item;
}

// To what nobody has; and, where that does no harm, to what there is.
void add_method(const Drafting& drafting, const std::string& method,
                const std::vector<std::string>& declared) {
  const auto sentence = method + " is not a method of this path";
  auto nobodys = of_nobody(drafting);
  if (!nobodys.path.empty()) {
    auto item = method_case(drafting, sentence + ", of what nobody has", method, declared);
    nobodys.method = method;
    item.request = std::move(nobodys);
    item.changed += ", an identifier that nobody has";
    drafting.add(std::move(item));
  }
  auto item = method_case(drafting, sentence, method, declared);
  item.needs.lasting =
      "it is never sent to a service: what a method outside the contract does to a record is not "
      "known";
  drafting.add(std::move(item));
}

void add_options(const Drafting& drafting, const std::vector<std::string>& declared) {
  auto item = method_case(drafting, "OPTIONS is answered or refused in order", "OPTIONS", declared);
  item.request = of_nobody(drafting);
  item.request.method = "OPTIONS";
  item.request.authorization = "";
  drafting.add(std::move(item));
}

}  // namespace

void draft_methods(const Drafting& drafting) {
  const auto declared = methods_of(drafting);
  if (drafting.operation.method == "GET") {
    auto head = drafting.draft("HEAD answers like GET without a body", "http/head");
    head.why.source = {};
    head.procedure = "head";
    drafting.add(std::move(head));
  }
  if (declared.front() != drafting.operation.method) {
    return;  // one operation of a path tries what the path has not
  }
  static constexpr std::array<std::string_view, 6> kTried{"GET",    "POST",  "PUT",
                                                          "DELETE", "TRACE", "COUNTERPART"};
  for (const auto tried : kTried) {
    if (!has_method(drafting, tried)) {
      add_method(drafting, std::string(tried), declared);
    }
  }
  add_options(drafting, declared);
}

}  // namespace contract_tests::plan
