// Requests made of the contract alone: at every bound and beyond it, with each single keyword
// broken, and whole random ones. What is valid must be accepted, what breaks one statement must be
// refused; the judge says which is which. A function of the seed.

#include "contract_tests/plan/drafting.hpp"
#include "contract_tests/plan/oracle.hpp"
#include "contract_tests/plan/sampled.hpp"
#include "spec/random.hpp"

#include <algorithm>
#include <utility>

namespace contract_tests::plan {

using nlohmann::json;
using spec::contract::StatementClass;

namespace {

constexpr std::size_t kMostBroken = 60;  // of an operation
constexpr std::size_t kMostValid = 30;
constexpr std::uint64_t kWholes = 8;  // random requests of an operation

bool holds_null(const json& value) {
  return value.is_null() ||
         (value.is_structured() &&
          std::ranges::any_of(value, [](const json& element) { return holds_null(element); }));
}

class Generated {
 public:
  explicit Generated(const Drafting& drafting) : drafting_(drafting) {}

  void draft() {
    const auto& contract = drafting_.contract;
    const auto& operation = drafting_.operation;
    auto options = drawing(spec::derive(drafting_.seed, std::uint64_t{0}), Optional::kBody);
    options.values.use_examples = true;
    for (const auto& each : boundary_requests(contract, *drafting_.generator, operation, options)) {
      add(with_boundary(drafting_.plain, each), sentence_of(each), each.change);
    }
    for (std::uint64_t number = 1; number <= kWholes; ++number) {
      const auto seed = spec::derive(drafting_.seed, number);
      const auto drawn =
          generate_request(contract, *drafting_.generator, operation, drawing(seed, Optional::kSome));
      if (drawn) {
        add(with_drawn(drafting_.plain, drawn->request), "whole request " + std::to_string(number),
            "a generated request");
      }
    }
  }

 private:
  static std::string sentence_of(const BoundaryRequest& boundary) {
    constexpr std::string_view kInBody = "body: ";
    return boundary.change.starts_with(kInBody)
               ? "a body with " + boundary.change.substr(kInBody.size())
               : boundary.change;
  }

  // A request as it is, and what it deserves by the judge.
  void add(RequestPlan request, const std::string& what, std::string changed) {
    const auto deserts = judge_request(drafting_.contract, drafting_.operation, request);
    if (deserts.open && !std::exchange(left_out_, true)) {
      auto item = drafting_.draft("generated: " + what, "generated/accepted");
      item.unavailable = kOpen;
      finish(std::move(item), std::move(request), std::move(changed));
      return;
    }
    if (!deserts.decided || is_planned(request)) {
      return;
    }
    if (deserts.breach) {
      add_broken(std::move(request), what, std::move(changed), *deserts.breach);
    } else {
      add_valid(std::move(request), what, std::move(changed));
    }
  }

  // The cases of an operation stand together, at the end.
  bool is_planned(const RequestPlan& request) const {
    const auto& cases = drafting_.cases;
    const auto other = std::find_if(cases.rbegin(), cases.rend(), [this](const Case& item) {
      return item.operation != drafting_.operation.id;
    });
    return std::any_of(cases.rbegin(), other, [&request](const Case& item) {
      return item.request == request && item.procedure != "same";
    });
  }

  void add_valid(RequestPlan request, const std::string& what, std::string changed) {
    if (valid_++ >= kMostValid) {
      return;
    }
    auto item = drafting_.draft("generated: " + what + " is accepted", "generated/accepted");
    item.why.source.statement_class = StatementClass::kAssumption;
    const bool lenient = (request.body && holds_null(*request.body)) || is_zero_page(request) ||
                         asks_for_a_later_page(request) || has_both_bounds(request) ||
                         asks_for_a_member(request);
    item.expect.want = lenient ? Want::kHandled : Want::kAccepted;
    item.procedure = "generated";
    if (!drafting_.rules.update.is_null()) {
      as_update(request, item);
    }
    finish(std::move(item), std::move(request), std::move(changed));
  }

  // A change that is accepted is put back: so only what the rules know how to put back is sent.
  void as_update(const RequestPlan& request, Case& item) const {
    const auto& fields = drafting_.rules.update.at("fields");
    item.procedure = "generated_update";
    const auto body = request.body.value_or(json::object());
    for (const auto& [name, value] : body.items()) {
      if (!fields.contains(name)) {
        item.unavailable = "the rules do not say how to put " + name + " back";
      } else if (fields.at(name).value("echo", "same") != "same") {
        item.data["field"] = name;
        item.needs.double_only = true;
      }
    }
  }

  void add_broken(RequestPlan request, const std::string& what, std::string changed,
                  const Breach& breach) {
    if (may_be_cut(breach) || broken_++ >= kMostBroken) {
      return;
    }
    const auto source = drafting_.source_of(breach);
    const bool in_body = breach.part == spec::contract::Part::kBody;
    auto item = drafting_.draft("generated: " + what + " is refused",
                                (in_body ? "body/" : "parameter/") + breach.rule, source);
    item.expect.want = Want::kRefused;
    item.expect.may_accept = source.statement_class == StatementClass::kAssumption;
    item.procedure = "generated";
    if (!drafting_.rules.update.is_null()) {
      item.procedure = "refused_unchanged";
      item.data = {{"read", to_json(drafting_.plain)}};
    }
    finish(std::move(item), std::move(request), std::move(changed));
  }

  void finish(Case item, RequestPlan request, std::string changed) {
    item.request = std::move(request);
    item.data["generated"] = true;
    item.changed = std::move(changed);
    drafting_.add(std::move(item));
  }

  std::string paging_parameter(const char* block) const {
    const auto& pages = drafting_.rules.pages;
    return pages.is_null() ? "" : pages.at(block).at("parameter").get<std::string>();
  }

  // A page size over the maximum may be cut instead: the page rules see to it.
  bool may_be_cut(const Breach& breach) const {
    const auto size = paging_parameter("size");
    return !size.empty() && breach.instance == '/' + size &&
           (breach.rule == "maximum" || breach.rule == "format");
  }

  bool is_zero_page(const RequestPlan& request) const {
    const auto size = paging_parameter("size");
    return std::ranges::any_of(
        request.query, [&](const auto& pair) { return pair.first == size && pair.second == "0"; });
  }

  // A window that ends before it starts may be refused.
  bool has_both_bounds(const RequestPlan& request) const {
    const auto& filters = drafting_.rules.filters;
    if (filters.is_null() || !filters.contains("range")) {
      return false;
    }
    const auto given = [&](const char* end) {
      const auto name = filters.at("range").at(end).get<std::string>();
      return std::ranges::any_of(request.query,
                                 [&name](const auto& pair) { return pair.first == name; });
    };
    return given("from") && given("to");
  }

  // A page past the end may be unknown (404) instead of empty.
  bool asks_for_a_later_page(const RequestPlan& request) const {
    const auto& pages = drafting_.rules.pages;
    if (pages.is_null()) {
      return false;
    }
    const auto& number = pages.at("number");
    const auto first = number.at("first").dump();
    return std::ranges::any_of(request.query, [&](const auto& pair) {
      return pair.first == number.at("parameter") && pair.second != first;
    });
  }

  // A member that nobody has may be unknown (404) instead of in no item: the filter rules see to
  // it.
  bool asks_for_a_member(const RequestPlan& request) const {
    const auto& filters = drafting_.rules.filters;
    return !filters.is_null() && filters.contains("member") &&
           std::ranges::any_of(request.query, [&filters](const auto& pair) {
             return pair.first == filters.at("member").at("parameter");
           });
  }

  const Drafting& drafting_;
  std::size_t valid_ = 0;
  std::size_t broken_ = 0;
  bool left_out_ = false;  // a request was that the judge cannot tell about: the first one says so
};

}  // namespace

void draft_generated(const Drafting& drafting) {
  Generated(drafting).draft();
}

}  // namespace contract_tests::plan
