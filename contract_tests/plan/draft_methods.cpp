// HEAD like GET, and methods that the contract does not have.

#include "contract_tests/plan/drafting.hpp"

#include <algorithm>
#include <array>

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

void add_method(const Drafting& drafting, const std::string& method,
                const std::vector<std::string>& declared) {
  const std::string rule = method == "TRACE" ? "http/trace" : "http/method";
  auto item = drafting.draft(method + " is not a method of this path", rule);
  item.why.source = {};
  item.procedure = "method";
  item.request.method = method;
  item.request.body.reset();
  item.request.raw_body.reset();
  item.expect.want = Want::kAnything;
  item.data = {{"declared", declared}};
  item.changed = "method " + method;
  item.needs.probes = true;
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
    if (std::ranges::find(declared, tried) == declared.end()) {
      add_method(drafting, std::string(tried), declared);
    }
  }
  auto options = drafting.draft("OPTIONS is answered or refused in order", "http/options");
  options.why.source = {};
  options.procedure = "method";
  options.request.method = "OPTIONS";
  options.request.body.reset();
  options.request.authorization = "";
  options.expect.want = Want::kAnything;
  options.data = {{"declared", declared}};
  options.changed = "method OPTIONS";
  options.needs.probes = true;
  drafting.add(std::move(options));
}

}  // namespace contract_tests::plan
