// Cases about changes of a record of the run's own, as a whole: what PUT and PATCH send is stored,
// alone and once; what they reject changes nothing.

#include "contract_tests/demands/own_changes.hpp"
#include "contract_tests/plan/generated_plan.hpp"
#include "spec/json/value.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <utility>

namespace contract_tests::demands {

using nlohmann::json;

namespace {

class ChangeCases {
 public:
  explicit ChangeCases(const Drafting& drafting)
      : drafting_(drafting),
        own_(*drafting.own),
        seen_(drafting.summary({*spec::contract::json_schema(drafting.operation.body->contents)})),
        plain_(*drafting.plain.body) {}

  void add() const {
    const bool creates = own_.is_created_by(drafting_.operation.id);
    const auto wrong = wrong_body();
    if (creates && own_.list != nullptr && !wrong.is_null()) {
      add("a creation that is rejected leaves no record", "record/rejected",
          [wrong](CaseRun& case_run) { run_invalid_creation(case_run, wrong); });
    }
    if (creates) {
      add_created();
      return;
    }
    if (drafting_.operation.method == "PUT") {
      add("the same PUT again changes nothing", "record/again",
          [names = writable(), others = other_body()](CaseRun& case_run) {
            run_again(case_run, names, others);
          });
      add_left_out();
    }
    if (const auto values = other_values(); !values.empty()) {
      add_where_stored("each member that is sent is stored", "record/member",
                       [values](CaseRun& case_run) { run_each_member(case_run, values); });
    }
    if (const auto names = nullable(); !names.empty()) {
      add_where_stored("null removes a member", "record/null",
                       [names](CaseRun& case_run) { run_removing_null(case_run, names); });
    }
    if (!wrong.is_null()) {
      add("a change that is rejected changes nothing", "record/rejected",
          [wrong](CaseRun& case_run) { run_invalid_change(case_run, wrong); });
    }
  }

 private:
  template <typename Run>
  void add(const char* sentence, const char* rule, Run run) const {
    add_own(drafting_, sentence, rule, std::move(run));
  }

  // A case about what is stored of a change, for a service that stores changes.
  template <typename Run>
  void add_where_stored(const char* sentence, const char* rule, Run run) const {
    add(sentence, rule, [run, marks = may_mark(drafting_, drafting_.plain)](CaseRun& case_run) {
      if (!marks || stores_changes(case_run)) {
        run(case_run);
      }
    });
  }

  bool is_sound(const json& body) const {
    auto request = drafting_.plain;
    request.body = body;
    return drafting_.is_sound(request);
  }

  // The names of members that a request may write, but that of the identifier and of references.
  std::vector<std::string> writable() const {
    std::vector<std::string> names;
    for (const auto& [name, schemas] : seen_.properties) {
      const auto& summary = drafting_.summary(schemas);
      const bool is_named = plain_.contains(name) && !plan::names_in(plain_.at(name)).empty();
      if (!summary.read_only && !summary.write_only && !is_named &&
          std::ranges::find(own_.members, name) == own_.members.end()) {
        names.push_back(name);
      }
    }
    return names;
  }

  // Another valid value of each member that is a scalar, but of the one that marks the record.
  MemberValues other_values() const {
    const bool alone = drafting_.operation.method == "PATCH";
    MemberValues values;
    for (const auto& name : writable()) {
      for (auto& value : name == own_.marker
                             ? std::vector<json>()
                             : likely_values(drafting_.summary(*seen_.property(name)))) {
        auto body = alone ? json::object() : plain_;
        body[name] = value;
        const bool is_new = !plain_.contains(name) || plain_.at(name) != value;
        const auto created = own_.request.body ? own_.request.body->value(name, json()) : json();
        if (is_new && created != value && is_sound(body)) {
          values.emplace_back(name, std::move(value));
          break;
        }
      }
    }
    return values;
  }

  // Members that may be null, of a merge patch.
  std::vector<std::string> nullable() const {
    std::vector<std::string> names;
    const auto type = drafting_.plain.body_type.value_or("");
    for (const auto& name : type.starts_with("application/merge-patch+json") ? writable() : names) {
      const bool is_created = own_.request.body && own_.request.body->contains(name);
      if (name != own_.marker && is_created && is_sound({{name, nullptr}})) {
        names.push_back(name);
      }
    }
    return names;
  }

  // A body of new values of which the last member has a wrong type; null if none is invalid.
  json wrong_body() const {
    if (!may_mark(drafting_, drafting_.plain)) {
      return {};
    }
    for (auto at = seen_.properties.rbegin(); at != seen_.properties.rend(); ++at) {
      for (const auto& value : {json::array({json::object()}), json(7), json("x")}) {
        auto request = drafting_.plain;
        request.body = other_body();
        (*request.body)[own_.marker] = plan::marker_text("Rejected");
        (*request.body)[at->first] = value;
        if (at->first != own_.marker && drafting_.is_rejected(request)) {
          return *request.body;
        }
      }
    }
    return {};
  }

  // All other values at once, as far as they are valid together.
  json other_body() const {
    auto body = drafting_.operation.method == "PATCH" ? json::object() : plain_;
    for (const auto& [name, value] : other_values()) {
      auto with = body;
      with[name] = value;
      body = is_sound(with) ? std::move(with) : std::move(body);
    }
    return body;
  }

  void add_created() const {
    const auto body = other_body();
    auto defaults = json::object();
    for (const auto& [name, value] : body.items()) {
      if (!plain_.contains(name) || plain_.at(name) != value) {
        defaults[name] = default_of(name);
      }
    }
    if (!defaults.empty()) {
      add("each member that is sent is stored", "record/member",
          [body, defaults](CaseRun& case_run) { run_created_members(case_run, body, defaults); });
    }
  }

  bool is_optional(const std::string& name) const {
    return name != own_.marker && std::ranges::find(seen_.required, name) == seen_.required.end();
  }

  void add_left_out() const {
    LeftOut bodies{.all = plain_, .least = plain_, .defaults = json::object()};
    for (const auto& name : writable()) {
      if (is_optional(name)) {
        bodies.least.erase(name);
        bodies.defaults[name] = default_of(name);
      }
    }
    for (const auto& [name, value] : other_values()) {
      auto with = bodies.all;
      with[name] = value;
      bodies.all = is_optional(name) && is_sound(with) ? std::move(with) : std::move(bodies.all);
    }
    const auto words = spec::text::to_lower(words_of_operation());
    const auto says = [&words](std::string_view word) {
      return words.find(word) != std::string::npos;
    };
    const bool is_kept = says("unchanged") || says("partial") || says("keeps") || says("kept");
    bodies.is_said = says("left out") || says("omitted") || says("not sent") || says("whole");
    if (bodies.least.size() < bodies.all.size() && !is_kept && is_sound(bodies.least)) {
      add_where_stored("what PUT leaves out is gone or has its default", "record/left-out",
                       [bodies](CaseRun& case_run) { run_left_out(case_run, bodies); });
    }
  }

  std::string words_of_operation() const {
    std::string words;
    for (const char* name : {"summary", "description"}) {
      const auto text = drafting_.operation.node.find(name);
      words += text.is_string() ? std::string(text.string()) + ' ' : "";
    }
    return words;
  }

  json default_of(const std::string& name) const {
    const auto node = drafting_.contract.schemas().source(seen_.property(name)->front());
    const auto value = node.find("default");
    return value ? value.value() : json();
  }

  const Drafting& drafting_;
  const plan::OwnRecord& own_;
  const spec::schema::Summary& seen_;
  const json& plain_;
};

}  // namespace

void add_change_cases(const Drafting& drafting) {
  const auto& operation = drafting.operation;
  const bool changes = operation.method == "PUT" || operation.method == "PATCH" ||
                       drafting.own->is_created_by(operation.id);
  const auto schema =
      operation.body ? spec::contract::json_schema(operation.body->contents) : std::nullopt;
  if (changes && schema && drafting.plain.body && drafting.plain.body->is_object()) {
    ChangeCases(drafting).add();
  }
}

}  // namespace contract_tests::demands
