#include "contract_tests/demands/own_changes.hpp"

#include "contract_tests/checks/json_places.hpp"
#include "contract_tests/plan/request_verdict.hpp"
#include "contract_tests/run/changes.hpp"
#include "contract_tests/run/record_list.hpp"
#include "spec/contract/resources/usual_names.hpp"
#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"
#include "spec/text/names.hpp"

#include <algorithm>

namespace contract_tests::demands {

using nlohmann::json;

namespace {

// A reading may be behind the change for a while.
constexpr int kReadings = 3;

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

bool is_created_with(const plan::OwnRecord& own, const std::string& name) {
  return own.request.body && own.request.body->contains(name);
}

}  // namespace

bool stores_changes(CaseRun& case_run) {
  const auto& marker = case_run.item().own->marker;
  const json text = plan::marker_text("Changed");
  auto body = *case_run.item().request.body;
  body[marker] = text;
  if (!is_made(send_change(case_run, std::move(body)))) {
    return true;
  }
  const auto is_shown = [&](const json& now) { return is_stored(now, marker, text); };
  const auto now = read_until(case_run, is_shown);
  const bool stores = now.is_null() || is_shown(now);
  if (!stores) {
    case_run.skip("GET shows no change of the record");
  }
  return stores;
}

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

void run_each_member(CaseRun& case_run, const MemberValues& values) {
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
    // A member that GET never shows although the creation sends it is that one's case.
    const bool is_hidden = is.is_null() && is_created_with(*case_run.item().own, name);
    const bool is_ignored = after.is_object() && !is_stored(after, name, value) && !is_hidden &&
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

void run_left_out(CaseRun& case_run, const LeftOut& bodies) {
  const auto& all = bodies.all;
  const auto& least = bodies.least;
  const auto before = is_made(send_change(case_run, all)) ? read_normal(case_run) : json();
  if (!before.is_object() || !is_made(send_change(case_run, least))) {
    return;
  }
  const auto fits = [&](const json& now) {
    return std::ranges::none_of(all.items(), [&](const auto& member) {
      return !least.contains(member.key()) && is_stored(now, member.key(), member.value()) &&
             member_or_null(bodies.defaults, member.key()) != member.value();
    });
  };
  const auto after = read_until(case_run, fits);
  for (const auto& [name, value] : all.items()) {
    const bool is_kept = !least.contains(name) && is_stored(before, name, value) &&
                         is_stored(after, name, value) &&
                         member_or_null(bodies.defaults, name) != value && !value.is_null();
    if (is_kept) {
      report_member(case_run, name, "must be gone or have its default, because PUT left it out",
                    value, bodies.is_said ? kWarning : kNote);
    }
  }
}

void run_removing_null(CaseRun& case_run, const std::vector<std::string>& names) {
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

void run_invalid_change(CaseRun& case_run, const json& body) {
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

void run_invalid_creation(CaseRun& case_run, json body) {
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

void run_created_members(CaseRun& case_run, const json& body, const json& defaults) {
  const auto& own = *case_run.item().own;
  const auto& sent = send_change(case_run, body);
  const auto identifier = created_identifier(case_run, sent);
  const auto read =
      identifier ? read_item(case_run, item_of(case_run, case_run.item().request, *identifier))
                 : ItemReading();
  const auto record =
      read.record.is_null() ? json() : normal_record(case_run, *own.read, *read.sent);
  const auto shown = normal_record(case_run, *own.create, sent);
  for (const auto& [name, usual] : defaults.items()) {
    const auto is = member_or_null(record, name);
    // What GET alone lacks of the plain request is another case's.
    const bool is_hidden = !record.contains(name) && is_created_with(own, name) &&
                           is_stored(shown, name, body.at(name));
    const bool is_lost =
        record.is_object() && !is_hidden && !has_value(record, name, body.at(name)) &&
        spec::json::equal(is, usual) &&
        (record.contains(name) || may_show(case_run, *read.sent, name, body.at(name)));
    if (is_lost) {
      report_member(case_run, name,
                    "must be " + checks::shown(body.at(name)) + " as the creation was sent", is);
    }
  }
}

}  // namespace contract_tests::demands
