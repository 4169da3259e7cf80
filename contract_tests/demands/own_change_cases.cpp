// Changes of a record of the run's own, as a whole: what PUT and PATCH send is stored, alone and
// once; what they reject changes nothing.

#include "contract_tests/checks/json_places.hpp"
#include "contract_tests/demands/own_record_cases.hpp"
#include "contract_tests/plan/generated_plan.hpp"
#include "contract_tests/run/changes.hpp"
#include "contract_tests/run/record_list.hpp"
#include "spec/contract/resources/usual_names.hpp"
#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/names.hpp"

#include <algorithm>
#include <utility>

namespace contract_tests::demands {

using nlohmann::json;

namespace {

// A reading may be behind the change for a while.
constexpr int kReadings = 3;

using Values = std::vector<std::pair<std::string, json>>;

constexpr auto kNote = checks::Severity::kNote;
constexpr auto kWarning = checks::Severity::kWarning;

json member_or_null(const json& record, const std::string& name) {
  return record.is_object() && record.contains(name) ? record.at(name) : json();
}

bool is_stored(const json& record, const std::string& name, const json& value) {
  return record.is_object() && record.contains(name) && has_value(record, name, value);
}

// What GET shows of the record, in normal form; null if it shows none.
json read_normal(CaseRun& case_run) {
  const auto shown = read_item(case_run, case_run.item().request);
  return shown.record.is_null() ? json()
                                : normal_record(case_run, *case_run.item().own->read, *shown.sent);
}

// The same when `fits` holds of it, or at last.
template <typename Fits>
json read_until(CaseRun& case_run, const Fits& fits) {
  auto record = read_normal(case_run);
  for (int reading = 1; reading < kReadings && !record.is_null() && !fits(record); ++reading) {
    if (!case_run.pause(reading - 1)) {
      return {};
    }
    record = read_normal(case_run);
  }
  return record;
}

// The change, which the service may reject.
const CaseResponse& send_change(CaseRun& case_run, json body) {
  auto request = case_run.item().request;
  request.body = std::move(body);
  return case_run.send(request, {.want = Want::kAnything});
}

void report_member(CaseRun& case_run, const std::string& name, std::string must, const json& is,
                   std::optional<checks::Severity> severity = {}) {
  case_run.report({{case_run.item().basis.rule,
                    "body" + spec::json::pointer_of({name}),
                    std::move(must),
                    is.is_null() ? "is missing" : "is " + checks::shown(is),
                    {},
                    {},
                    severity}},
                  case_run.sent().back());
}

// A number that a service counts up by itself, or a time that it sets.
bool may_change_by_itself(const std::string& name, const json& was, const json& is) {
  const auto before = spec::json::to_int64(was);
  const auto after = spec::json::to_int64(is);
  return spec::contract::resources::is_time_of_record(spec::text::plain_name(name)) ||
         (before && after && *after == *before + 1) ||
         (checks::instant_at(was, "") && checks::instant_at(is, ""));
}

// True if a second writing shows in what GET says: a number twice as large, a longer list or text.
bool is_added(const json& was, const json& is) {
  const auto before = spec::json::to_int64(was);
  const auto after = spec::json::to_int64(is);
  const bool doubled = before && after && *before != 0 && *after == 2 * *before;
  const bool longer = was.is_array() && is.is_array() && was.size() < is.size();
  const bool extended =
      was.is_string() && is.is_string() &&
      is.get_ref<const std::string&>().size() > was.get_ref<const std::string&>().size() &&
      is.get_ref<const std::string&>().starts_with(was.get_ref<const std::string&>());
  return doubled || longer || extended;
}

// Members of `sent` that `first` and `second` show otherwise, and that no service changes so by
// itself.
std::vector<std::string> changed_again(const json& sent, const json& first, const json& second) {
  std::vector<std::string> names;
  for (const auto& member : sent.items()) {
    const auto& name = member.key();
    const auto was = member_or_null(first, name);
    const auto is = member_or_null(second, name);
    if (!spec::json::equal(was, is) && !may_change_by_itself(name, was, is)) {
      names.push_back(name);
    }
  }
  return names;
}

// What GET shows, as a body of PUT: the members that the plain request may have.
json body_of(const CaseRun& case_run, const json& record, const std::vector<std::string>& members) {
  auto body = json::object();
  for (const auto& name : members) {
    if (record.contains(name)) {
      body[name] = record.at(name);
    }
  }
  auto request = case_run.item().request;
  request.body = body;
  const auto& settings = case_run.settings();
  return plan::validate_request(settings.contract, case_run.operation(), request, case_run.names())
                 .is_valid()
             ? body
             : json();
}

// Of two equal PUTs the second changes nothing: of what GET shows, then of other values.
void run_again(CaseRun& case_run, const std::vector<std::string>& members, const json& others) {
  const auto shown = read_item(case_run, case_run.item().request);
  const auto body = body_of(case_run, shown.record, members);
  for (const auto& [values, number] : {std::pair(body, 1), std::pair(others, 2)}) {
    const json& sent = values;
    const int times = number;
    auto first = read_normal(case_run);
    for (int time = 0; time < times && sent.is_object() && first.is_object(); ++time) {
      if (!is_made(send_change(case_run, sent))) {
        break;
      }
      const bool compares = time + 1 == times;
      const auto second = read_until(case_run, [&](const json& now) {
        return !compares || changed_again(sent, first, now).empty();
      });
      for (const auto& name : compares&& second.is_object() ? changed_again(sent, first, second)
                                                            : std::vector<std::string>()) {
        const auto was = member_or_null(first, name);
        const auto is = member_or_null(second, name);
        report_member(case_run, name,
                      "must be " + checks::shown(was) + " as before the same PUT: it is idempotent",
                      is,
                      times == 1 && !is_added(was, is) ? std::optional(kWarning) : std::nullopt);
        return;
      }
      first = second;
    }
  }
}

// Sends each value, alone or beside the rest of the record, and looks for it.
void run_each_member(CaseRun& case_run, const Values& values) {
  const bool alone = case_run.operation().method == "PATCH";
  auto before = read_normal(case_run);
  for (const auto& [name, value] : values) {
    auto body = alone ? json::object() : *case_run.item().request.body;
    body[name] = value;
    if (!before.is_object() || !is_made(send_change(case_run, std::move(body)))) {
      continue;
    }
    const auto after = read_until(case_run, [&name = name, &value = value](const json& now) {
      return is_stored(now, name, value);
    });
    const auto was = member_or_null(before, name);
    const auto is = member_or_null(after, name);
    const bool is_ignored = after.is_object() && !is_stored(after, name, value) &&
                            spec::json::equal(was, is) &&
                            (is.is_null() || spec::json::type_of(is) == spec::json::type_of(value));
    if (is_ignored) {
      report_member(
          case_run, name,
          "must be " + checks::shown(value) + " as " + case_run.operation().method + " sent it",
          is);
    }
    before = after.is_object() ? after : before;
  }
}

// PUT with the members that it must have, after one with all.
void run_left_out(CaseRun& case_run, const json& least, const json& defaults, bool is_said) {
  const auto& all = *case_run.item().request.body;
  const auto before = is_made(send_change(case_run, all)) ? read_normal(case_run) : json();
  if (!before.is_object() || !is_made(send_change(case_run, least))) {
    return;
  }
  const auto fits = [&](const json& now) {
    return std::ranges::none_of(all.items(), [&](const auto& member) {
      return !least.contains(member.key()) && is_stored(now, member.key(), member.value()) &&
             member_or_null(defaults, member.key()) != member.value();
    });
  };
  const auto after = read_until(case_run, fits);
  for (const auto& [name, value] : all.items()) {
    const bool is_kept = !least.contains(name) && is_stored(before, name, value) &&
                         is_stored(after, name, value) && member_or_null(defaults, name) != value &&
                         !value.is_null();
    if (is_kept) {
      report_member(case_run, name, "must be gone or have its default, because PUT left it out",
                    value, is_said ? kWarning : kNote);
    }
  }
}

void run_null(CaseRun& case_run, const std::vector<std::string>& names) {
  for (const auto& name : names) {
    const auto before = read_normal(case_run);
    if (member_or_null(before, name).is_null() ||
        !is_made(send_change(case_run, {{name, nullptr}}))) {
      continue;
    }
    const auto after = read_until(
        case_run, [&name](const json& now) { return member_or_null(now, name).is_null(); });
    if (spec::json::equal(member_or_null(before, name), member_or_null(after, name))) {
      report_member(case_run, name, "must be null or gone after null in a merge patch",
                    after.at(name));
    }
  }
}

// A body of which one member is wrong and others are new.
void run_rejected_change(CaseRun& case_run, const json& body) {
  const auto before = read_normal(case_run);
  if (!before.is_object() || send_change(case_run, body).exchange.status() / 100 != 4) {
    return;
  }
  const auto after = read_normal(case_run);
  for (const auto& [name, value] : body.items()) {
    if (is_stored(after, name, value) && before.contains(name) && !is_stored(before, name, value)) {
      report_member(case_run, name,
                    "must be " + checks::shown(before.at(name)) +
                        " as before, because the change was rejected",
                    after.at(name));
      return;
    }
  }
}

void run_rejected_creation(CaseRun& case_run, json body) {
  const auto& own = *case_run.item().own;
  const auto marker = run::new_marker();
  body[own.marker] = marker;
  if (send_change(case_run, std::move(body)).exchange.status() / 100 != 4) {
    return;
  }
  const auto list = run::read_list(case_run, own, case_run.item().request);
  for (const auto& made : list ? marked_records(own, *list, marker) : std::vector<std::string>()) {
    case_run.report(
        {{case_run.item().basis.rule, "body",
          "must not show the record " + made + ", whose creation was rejected", "shows it"}},
        *list->last);
    const auto item = item_of(case_run, case_run.item().request, made);
    if (own.remove != nullptr) {
      case_run.fetch(*own.remove, {.path = item.path});
    }
  }
}

// A member that is missing, or that has its default, was not stored. Another value may be the
// service's choice.
void run_created_members(CaseRun& case_run, const json& body, const json& defaults) {
  const auto& own = *case_run.item().own;
  const auto& sent = send_change(case_run, body);
  const auto identifier = created_identifier(case_run, sent);
  const auto read =
      identifier ? read_item(case_run, item_of(case_run, case_run.item().request, *identifier))
                 : ItemReading();
  const auto record =
      read.record.is_null() ? json() : normal_record(case_run, *own.read, *read.sent);
  for (const auto& [name, usual] : defaults.items()) {
    const auto is = member_or_null(record, name);
    const bool is_lost =
        record.is_object() && !has_value(record, name, body.at(name)) &&
        spec::json::equal(is, usual) &&
        (record.contains(name) || may_show(case_run, *read.sent, name, body.at(name)));
    if (is_lost) {
      report_member(case_run, name,
                    "must be " + checks::shown(body.at(name)) + " as the creation was sent", is);
    }
  }
}

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
          [wrong](CaseRun& case_run) { run_rejected_creation(case_run, wrong); });
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
      add("each member that is sent is stored", "record/member",
          [values](CaseRun& case_run) { run_each_member(case_run, values); });
    }
    if (const auto names = nullable(); !names.empty()) {
      add("null removes a member", "record/null",
          [names](CaseRun& case_run) { run_null(case_run, names); });
    }
    if (!wrong.is_null()) {
      add("a change that is rejected changes nothing", "record/rejected",
          [wrong](CaseRun& case_run) { run_rejected_change(case_run, wrong); });
    }
  }

 private:
  template <typename Run>
  void add(const char* sentence, const char* rule, Run run) const {
    add_own(drafting_, sentence, rule, std::move(run));
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
  Values other_values() const {
    const bool alone = drafting_.operation.method == "PATCH";
    Values values;
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

  void add_left_out() const {
    auto least = plain_;
    auto defaults = json::object();
    for (const auto& name : writable()) {
      const bool is_required = std::ranges::find(seen_.required, name) != seen_.required.end();
      if (!is_required && name != own_.marker) {
        least.erase(name);
        defaults[name] = default_of(name);
      }
    }
    const auto words = spec::text::to_lower(words_of_operation());
    const auto says = [&words](std::string_view word) {
      return words.find(word) != std::string::npos;
    };
    const bool is_kept = says("unchanged") || says("partial") || says("keeps") || says("kept");
    const bool is_said = says("left out") || says("omitted") || says("not sent") || says("whole");
    if (least.size() < plain_.size() && !is_kept && is_sound(least)) {
      add("what PUT leaves out is gone or has its default", "record/left-out",
          [least, defaults, is_said](CaseRun& case_run) {
            run_left_out(case_run, least, defaults, is_said);
          });
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
