// Requests generated from the contract: at every bound and beyond it, with one violated keyword
// each, and random ones. The validator decides which of them must be accepted or rejected. A
// function of the seed. After all other demands, because it leaves out what they test already.

#include "contract_tests/demands/demands.hpp"
#include "contract_tests/demands/update_cases.hpp"
#include "contract_tests/plan/generated_plan.hpp"
#include "contract_tests/plan/request_verdict.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/random.hpp"

#include <algorithm>
#include <utility>

namespace contract_tests::demands {

using nlohmann::json;
using plan::RequestViolation;

namespace {

constexpr const char* kAccepted = "generated/accepted";
constexpr std::size_t kMaxRejected = 60;  // of an operation
constexpr std::size_t kMaxValid = 40;
constexpr std::uint64_t kWholes = 8;  // random requests of an operation

// Longer targets and headers a server need not take. Source: RFC 9110 §4.1, §5.4.
constexpr std::size_t kMaxTarget = 8'000;

std::size_t size_of(const plan::Pairs& pairs) {
  std::size_t size = 0;
  for (const auto& [name, value] : pairs) {
    size += name.size() + spec::text::percent_encode(value).size() + 2;
  }
  return size;
}

bool is_too_long(const Drafting& drafting, const RequestPlan& request) {
  const auto path = size_of({request.path.begin(), request.path.end()});
  const auto target = drafting.operation.path.size() + path + size_of(request.encoded_path) +
                      request.raw_query.size() + size_of(request.query);
  return target > kMaxTarget || size_of(request.headers) > kMaxTarget;
}

bool holds_null(const json& value) {
  return value.is_null() ||
         (value.is_structured() &&
          std::ranges::any_of(value, [](const json& element) { return holds_null(element); }));
}

class GeneratedCases {
 public:
  explicit GeneratedCases(const Drafting& drafting) : drafting_(drafting) {}

  void add() {
    const auto& contract = drafting_.contract;
    const auto& operation = drafting_.operation;
    const auto seed_of = [this](std::uint64_t number) {
      return spec::text::derive(drafting_.seed, number);
    };
    plan::each_boundary_request(
        contract, *drafting_.generator, operation,
        {.values = {.seed = seed_of(0)}, .optional = plan::OptionalParts::kBody},
        {.wants =
             [this](const plan::Boundary& boundary) {
               return is_wanted(boundary.valid ? kAccepted
                                               : rejected_rule(boundary.part, boundary.keyword));
             },
         .take =
             [this](const plan::BoundaryRequest& each) {
               add(with_boundary(drafting_.plain, each, drafting_.is_given), sentence_of(each),
                   changed_by(each));
             }});
    for (std::uint64_t number = 1; number <= kWholes && is_wanted(kAccepted); ++number) {
      const auto drawn =
          plan::generate_request(contract, *drafting_.generator, operation,
                                 {.values = {.seed = seed_of(number), .use_examples = false},
                                  .optional = plan::OptionalParts::kSome});
      if (drawn) {
        auto request = with_drawn(drafting_.plain, drawn->request);
        if (drafting_.is_given) {
          request.body = drafting_.plain.body;
          request.raw_body.reset();
          request.body_type = drafting_.plain.body_type;
        }
        add(std::move(request), "random request " + std::to_string(number), "a generated request");
      }
    }
  }

 private:
  static bool is_in_body(const plan::Boundary& boundary) {
    return boundary.part == spec::contract::Part::kBody && boundary.keyword != "missing";
  }

  static std::string sentence_of(const plan::Boundary& boundary) {
    return is_in_body(boundary)
               ? "a body with " + boundary.change
               : std::string(to_text(boundary.part)) + boundary.place + ' ' + boundary.change;
  }

  static checks::Change changed_by(const plan::Boundary& boundary) {
    std::string part(to_text(boundary.part));
    if (boundary.place.empty() && !is_in_body(boundary)) {
      return part + ' ' + boundary.change;
    }
    const auto name = is_in_body(boundary) ? "" : boundary.place.substr(1);
    return {std::move(part), name, std::nullopt, boundary.change};
  }

  static std::string rejected_rule(spec::contract::Part part, const std::string& keyword) {
    return (part == spec::contract::Part::kBody ? "body/" : "parameter/") + keyword;
  }

  // In a large plan most of these cases would not stay: such a case is counted, and not made. It
  // will be of `rule`, unless the changed value cannot even be read.
  bool is_wanted(const std::string& rule) {
    if (drafting_.share->has_room(rule)) {
      return true;
    }
    if (not_made_++ < kMaxRejected + kMaxValid) {
      drafting_.share->leave_out();
    }
    return false;
  }

  // A request, and the verdict of the validator on it.
  void add(RequestPlan request, const std::string& what, checks::Change changed) {
    const auto request_verdict = validate_request(drafting_.contract, drafting_.operation, request);
    if (request_verdict.is_open() && !std::exchange(left_out_, true)) {
      auto item = drafting_.draft("generated: " + what, kAccepted);
      item.obstacle = {kOpen, run::Reason::Kind::kNotAllowed};
      finish(std::move(item), std::move(request), std::move(changed));
      return;
    }
    if (!request_verdict.is_decided() || is_planned(request) || is_too_long(drafting_, request)) {
      return;
    }
    if (request_verdict.violated.empty()) {
      add_valid(std::move(request), what, std::move(changed));
    } else {
      add_rejected(std::move(request), what, std::move(changed), request_verdict.violated.front());
    }
  }

  // The cases of one operation follow each other, at the end.
  bool is_planned(const RequestPlan& request) const {
    const auto& cases = drafting_.cases;
    const auto other = std::find_if(cases.rbegin(), cases.rend(), [this](const Case& item) {
      return item.operation != drafting_.operation.id;
    });
    return std::any_of(cases.rbegin(), other, [&request](const Case& item) {
      return item.request == request && !item.variant;
    });
  }

  void add_valid(RequestPlan request, const std::string& what, checks::Change changed) {
    if (valid_++ >= kMaxValid) {
      return;
    }
    auto item = drafting_.draft("generated: " + what + " is accepted", kAccepted);
    item.basis.source.statement_class = StatementClass::kAssumption;
    const bool lenient = (request.body && holds_null(*request.body)) || is_zero_page(request) ||
                         asks_for_a_later_page(request) || has_both_bounds(request) ||
                         asks_for_a_member(request) || has_an_empty_value(request) ||
                         names_another_record(request);
    item.expect.want = lenient ? Want::kHandled : Want::kAccepted;
    // Nothing need have another identifier.
    item.made_up = request.path != drafting_.plain.path ||
                   request.encoded_path != drafting_.plain.encoded_path;
    item.refers = !drafting_.rules.request && refers(request);
    if (drafting_.rules.update) {
      as_update(request, item);
    }
    finish(std::move(item), std::move(request), std::move(changed));
  }

  // An accepted change is undone, so only changes that the rules can undo are sent.
  void as_update(const RequestPlan& request, Case& item) const {
    const auto& fields = drafting_.rules.update->fields;
    take_back(item);
    const auto body = request.body.value_or(json::object());
    for (const auto& [name, value] : body.items()) {
      if (!fields.contains(name)) {
        item.obstacle = {"the rules do not say how to restore " + name,
                         run::Reason::Kind::kNotAllowed};
      } else if (fields.at(name).derived) {
        item.field = name;
        item.needs.mock_only = true;
      }
    }
  }

  void add_rejected(RequestPlan request, const std::string& what, checks::Change changed,
                    const RequestViolation& violated) {
    if (may_be_cut(violated) || rejected_count_++ >= kMaxRejected) {
      return;
    }
    const auto source = drafting_.source_of(violated);
    auto item = drafting_.draft("generated: " + what + " is rejected",
                                rejected_rule(violated.part, violated.rule), source);
    item.expect.want = Want::kRejected;
    item.expect.may_accept = source.statement_class == StatementClass::kAssumption;
    if (drafting_.rules.update) {
      keep_record(drafting_, item);
    }
    finish(std::move(item), std::move(request), std::move(changed));
  }

  void finish(Case item, RequestPlan request, checks::Change changed) {
    item.request = std::move(request);
    item.generated = true;
    item.changed = std::move(changed);
    drafting_.add(std::move(item));
  }

  // A page size over the maximum may be cut instead: the rules on pages test that.
  bool may_be_cut(const RequestViolation& violated) const {
    const auto& pages = drafting_.rules.pages;
    return pages && violated.instance == '/' + pages->size &&
           (violated.rule == "maximum" || violated.rule == "format");
  }

  // True if a value is another one than that of a record that the run knows.
  bool names_another_record(const RequestPlan& request) const {
    const auto& plain = drafting_.plain;
    if (drafting_.rules.request) {
      return false;
    }
    const bool is_object = plain.body && plain.body->is_object() && request.body;
    return request.path != plain.path || request.encoded_path != plain.encoded_path ||
           (is_object && std::ranges::any_of(plain.body->items(), [&](const auto& member) {
              return !plan::names_in(member.value()).empty() &&
                     request.body->value(member.key(), json()) != member.value();
            }));
  }

  bool is_zero_page(const RequestPlan& request) const {
    const auto* size = drafting_.rules.pages
                           ? plan::find_pair(request.query, drafting_.rules.pages->size)
                           : nullptr;
    return size != nullptr && *size == "0";
  }

  // "tags=" is a list of one empty text, or nothing: only for a parameter that is a text is it
  // plain what an empty value means.
  bool has_an_empty_value(const RequestPlan& request) const {
    const auto is_text = [this](const std::string& name) {
      const auto* parameter = drafting_.operation.parameter(spec::contract::Location::kQuery, name);
      return parameter != nullptr && parameter->schema &&
             drafting_.summary({*parameter->schema}).is_string();
    };
    const auto& raw = request.raw_query;
    return raw.ends_with('=') || raw.ends_with(',') || raw.find("=&") != std::string::npos ||
           raw.find(",&") != std::string::npos || raw.find(",,") != std::string::npos ||
           std::ranges::any_of(request.query, [&is_text](const auto& pair) {
             return pair.second.empty() && !is_text(pair.first);
           });
  }

  // True if a value of the query that the plain request lacks may name something (an author, a
  // cursor), which does not exist then: a text of any kind, or a number without an end.
  bool refers(const RequestPlan& request) const {
    return std::ranges::any_of(request.query, [this](const auto& pair) {
      const auto* parameter =
          drafting_.operation.parameter(spec::contract::Location::kQuery, pair.first);
      const auto& plain = drafting_.plain.query;
      return std::ranges::find(plain, pair) == plain.end() && parameter != nullptr &&
             parameter->schema && may_name(drafting_.summary({*parameter->schema}));
    });
  }

  bool may_name(const spec::schema::Summary& seen) const {
    if (!seen.elements.empty()) {
      return may_name(drafting_.summary(seen.elements));
    }
    const bool is_open = seen.is_string() ? seen.format.empty() || seen.format == "uuid"
                                          : seen.is_number() && !seen.maximum;
    return seen.listed.empty() && is_open;
  }

  // A window that ends before it starts may be rejected.
  bool has_both_bounds(const RequestPlan& request) const {
    const auto& filters = drafting_.rules.filters;
    return filters && filters->range &&
           plan::find_pair(request.query, filters->range->from) != nullptr &&
           plan::find_pair(request.query, filters->range->to) != nullptr;
  }

  // A page past the end may be unknown (404) instead of empty.
  bool asks_for_a_later_page(const RequestPlan& request) const {
    const auto& pages = drafting_.rules.pages;
    const auto* number = pages ? plan::find_pair(request.query, pages->number) : nullptr;
    return number != nullptr && *number != std::to_string(pages->first);
  }

  // An unknown member may give 404 instead of no items: the rules on filters test that.
  bool asks_for_a_member(const RequestPlan& request) const {
    const auto& filters = drafting_.rules.filters;
    return filters && filters->member &&
           plan::find_pair(request.query, filters->member->parameter) != nullptr;
  }

  const Drafting& drafting_;
  std::size_t valid_ = 0;
  std::size_t rejected_count_ = 0;
  std::size_t not_made_ = 0;
  bool left_out_ =
      false;  // the validator could not decide about a request, which the first one reports
};

}  // namespace

void add_generated_cases(const Drafting& drafting) {
  GeneratedCases(drafting).add();
}

}  // namespace contract_tests::demands
