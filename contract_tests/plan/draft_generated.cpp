// Requests made of the contract alone: at every bound and beyond it, with each single keyword
// broken, and whole random ones. What is valid must be accepted, what breaks one statement must be
// refused; the judge says which is which. A function of the seed.

#include "contract_tests/plan/drafting.hpp"
#include "contract_tests/plan/oracle.hpp"
#include "spec/json/number.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/samples/corners.hpp"
#include "spec/schema/samples/random.hpp"

#include <algorithm>
#include <set>

namespace contract_tests::plan {

using nlohmann::json;
using spec::contract::Content;
using spec::contract::Location;
using spec::contract::Parameter;
using spec::contract::StatementClass;
using spec::schema::samples::Random;
using spec::schema::samples::SampleOptions;

namespace {

constexpr std::size_t kMostBroken = 60;  // of an operation
constexpr std::size_t kMostValid = 30;
constexpr std::uint64_t kWholes = 8;  // random requests of an operation

std::optional<std::string> as_text(const json& value) {
  if (value.is_string()) {
    return value.get<std::string>();
  }
  if (value.is_boolean()) {
    return value.get<bool>() ? "true" : "false";
  }
  if (spec::json::type_of(value) == spec::json::Type::kNumber) {
    return spec::json::number_text(value);
  }
  return std::nullopt;
}

bool holds_null(const json& value) {
  return value.is_null() ||
         (value.is_structured() &&
          std::ranges::any_of(value, [](const json& element) { return holds_null(element); }));
}

std::string cut(const std::string& text) {
  constexpr std::size_t kLongest = 60;
  return text.size() <= kLongest ? text : text.substr(0, kLongest) + "...";
}

class Generated {
 public:
  explicit Generated(const Drafting& drafting) : drafting_(drafting) {
    for (const auto& item : drafting.cases) {
      slugs_.insert(item.id);
    }
  }

  void draft() {
    for (const auto& parameter : drafting_.operation.parameters) {
      if (parameter.location != Location::kPath && parameter.schema) {
        corners_of(parameter);
      }
    }
    if (const auto* content = body(); content != nullptr) {
      corners_of(*content);
    }
    for (std::uint64_t number = 1; number <= kWholes; ++number) {
      whole(number);
    }
  }

 private:
  const Content* body() const {
    const auto& body = drafting_.operation.body;
    if (!body) {
      return nullptr;
    }
    const auto found = std::ranges::find_if(
        body->contents, [](const auto& content) { return content.media_type.is_json(); });
    return found == body->contents.end() || !found->schema ? nullptr : &*found;
  }

  SampleOptions options(std::uint64_t number) const {
    return {.seed = spec::schema::samples::derive(drafting_.seed, number),
            .direction = spec::schema::Direction::kRequest,
            .use_examples = number == 0};
  }

  auto corners(spec::schema::SchemaId schema) const {
    return spec::schema::samples::corners(drafting_.contract.schemas(), *drafting_.sampler, schema,
                                          options(0));
  }

  static void give(RequestPlan& request, const Parameter& parameter, const std::string& text) {
    if (parameter.location == Location::kQuery) {
      std::erase_if(request.query, [&](const auto& pair) { return pair.first == parameter.name; });
      request.query.emplace_back(parameter.name, text);
    } else if (parameter.location == Location::kHeader) {
      request.headers.emplace_back(parameter.name, text);
    } else {
      request.headers.emplace_back("Cookie", parameter.name + '=' + text);
    }
  }

  void corners_of(const Parameter& parameter) {
    for (const auto& corner : corners(*parameter.schema)) {
      const auto text = as_text(corner.instance);
      if (!text || text->empty()) {
        continue;  // an empty value counts as not given
      }
      auto request = drafting_.plain;
      give(request, parameter, *text);
      add(std::move(request), parameter.name + " " + cut(*text),
          std::string(to_text(static_cast<Location>(parameter.location))) + ' ' + parameter.name +
              '=' + cut(*text));
    }
  }

  static std::string_view to_text(Location location) {
    if (location == Location::kQuery) {
      return "query";
    }
    return location == Location::kHeader ? "header" : "cookie";
  }

  void corners_of(const Content& content) {
    for (const auto& corner : corners(*content.schema)) {
      auto request = drafting_.plain;
      request.body = corner.instance;
      add(std::move(request), "a body with " + corner.change, "body " + corner.change);
    }
  }

  // Every optional part given or not by the toss of a coin.
  void whole(std::uint64_t number) {
    auto request = drafting_.plain;
    Random random(spec::schema::samples::derive(drafting_.seed, number));
    bool differs = false;
    for (const auto& parameter : drafting_.operation.parameters) {
      const bool given = parameter.location != Location::kPath && parameter.schema &&
                         (parameter.required || random.next() % 2 == 0);
      const auto text = given ? sampled_text(*parameter.schema, number) : std::nullopt;
      if (text && !text->empty()) {
        give(request, parameter, *text);
        differs = true;
      }
    }
    if (const auto* content = body(); content != nullptr) {
      auto sample = drafting_.sampler->sample(*content->schema, options(number));
      if (sample) {
        request.body = sample.value();
        differs = true;
      }
    }
    if (differs) {
      add(std::move(request), "whole request " + std::to_string(number), "a generated request");
    }
  }

  std::optional<std::string> sampled_text(spec::schema::SchemaId schema,
                                          std::uint64_t number) const {
    const auto sample = drafting_.sampler->sample(schema, options(number));
    return sample ? as_text(sample.value()) : std::nullopt;
  }

  // A request as it is, and what it deserves by the judge.
  void add(RequestPlan request, const std::string& what, std::string changed) {
    const auto deserts = judge_request(drafting_.contract, drafting_.operation, request);
    if (!deserts.decided || is_planned(request)) {
      return;
    }
    if (deserts.breach) {
      add_broken(std::move(request), what, std::move(changed), *deserts.breach);
    } else {
      add_valid(std::move(request), what, std::move(changed));
    }
  }

  bool is_planned(const RequestPlan& request) const {
    return std::ranges::any_of(drafting_.cases, [&](const Case& item) {
      return item.operation == drafting_.operation.id && item.request == request &&
             item.procedure != "same";
    });
  }

  void add_valid(RequestPlan request, const std::string& what, std::string changed) {
    if (valid_++ >= kMostValid) {
      return;
    }
    auto item = drafting_.draft("generated: " + what + " is accepted", "generated/accepted");
    item.why.source.statement_class = StatementClass::kAssumption;
    const bool lenient = (request.body && holds_null(*request.body)) || is_zero_page(request) ||
                         has_both_bounds(request) || asks_for_a_member(request);
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
    const auto source = source_of(breach);
    const bool in_body = breach.part == spec::contract::Part::kBody;
    auto item = drafting_.draft("generated: " + what + " is refused",
                                (in_body ? "body/" : "parameter/") + breach.rule, source);
    // The size of a number type is no promise that a larger number is refused.
    const bool of_size =
        breach.rule == "format" && source.statement_class == StatementClass::kAssumption;
    item.expect.want = of_size ? Want::kHandled : Want::kRefused;
    item.procedure = "generated";
    if (!drafting_.rules.update.is_null()) {
      item.procedure = "refused_unchanged";
      item.data = {{"read", to_json(drafting_.plain)}};
    }
    finish(std::move(item), std::move(request), std::move(changed));
  }

  void finish(Case item, RequestPlan request, std::string changed) {
    const auto sentence = item.sentence;
    for (int twin = 2; !slugs_.insert(drafting_.operation.id + '.' + slug(item.sentence)).second;
         ++twin) {
      item.sentence = sentence + " (" + std::to_string(twin) + ")";
    }
    item.request = std::move(request);
    item.data["generated"] = true;
    item.changed = std::move(changed);
    drafting_.add(std::move(item));
  }

  checks::Source source_of(const Breach& breach) const {
    for (const auto& parameter : drafting_.operation.parameters) {
      if (breach.part != spec::contract::Part::kBody && breach.instance == '/' + parameter.name) {
        return drafting_.source_of(parameter, breach.statement);
      }
    }
    return drafting_.source_of(breach.statement);
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
  std::set<std::string> slugs_;
  std::size_t valid_ = 0;
  std::size_t broken_ = 0;
};

}  // namespace

void draft_generated(const Drafting& drafting) {
  Generated(drafting).draft();
}

}  // namespace contract_tests::plan
