// Cases about members of a record that the run creates: a creation shows what was sent, and a
// change of one member leaves the others as they were.

#include "contract_tests/checks/json_places.hpp"
#include "contract_tests/checks/normal_form.hpp"
#include "contract_tests/demands/own_record_cases.hpp"
#include "contract_tests/run/changes.hpp"
#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"

#include <algorithm>
#include <set>

namespace contract_tests::demands {

using nlohmann::json;
using spec::json::pointer_of;

namespace {

bool is_one_of(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// The body of a request that creates, in normal form; null if it is no JSON object.
json normal_body(const CaseRun& case_run, const CaseResponse& created) {
  auto body = spec::json::read(created.exchange.sent.body);
  const auto& create = *case_run.item().own->create;
  if (!body || !body.value().is_object() || !create.body) {
    return {};
  }
  const auto schema = spec::contract::json_schema(create.body->contents);
  return schema ? checks::normal_form(case_run.settings().contract.summaries(), *schema, {},
                                      std::move(body.value()))
                : std::move(body.value());
}

// Structured members may be shown in full, and the type of a member is another rule's.
bool is_comparable(const json& record, const std::string& name, const json& sent) {
  const auto found = record.is_object() ? record.find(name) : record.end();
  return found != record.end() && sent.is_primitive() && !sent.is_null() &&
         spec::json::type_of(*found) == spec::json::type_of(sent);
}

// A response, and the record that it shows in normal form.
struct ShownRecord {
  const CaseResponse& sent;
  const json& record;
};

// Compares a member that was sent with what the creation and GET after it show. If the two agree on
// another value, the service has chosen it, which is a note. If they differ, one of them is wrong:
// the creation, if it does not show what was sent, and else GET.
void check_member(CaseRun& case_run, const ShownRecord& created, const ShownRecord& read,
                  const std::string& name, const json& sent) {
  const std::string rule = "record/as-sent";
  const auto place = "body" + pointer_of({name});
  const auto& shown = created.record.at(name);
  const auto& stored = read.record.at(name);
  if (has_value(created.record, name, stored)) {
    auto found = checks::check_value(created.record, pointer_of({name}), sent, rule);
    for (auto& violation : found) {
      violation.severity = checks::Severity::kNote;
    }
    case_run.report(found, created.sent);
  } else if (has_value(created.record, name, sent)) {
    case_run.report({{rule,
                      place,
                      "must be " + checks::shown(sent) + ", as it was sent and as " +
                          created.sent.exchange.sent.method + " showed it",
                      "is " + checks::shown(stored),
                      {},
                      {},
                      checks::Severity::kWarning}},
                    read.sent);
  } else {
    const bool is_stored = has_value(read.record, name, sent);
    case_run.report({{rule,
                      place,
                      "must be " + checks::shown(sent) + " as it was sent",
                      "is " + checks::shown(shown) + ", and GET shows " + checks::shown(stored),
                      {},
                      {},
                      is_stored ? std::nullopt : std::optional(checks::Severity::kWarning)}},
                    created.sent);
  }
}

// True if a service may hide the member in responses.
bool is_write_only(const CaseRun& case_run, const std::string& name) {
  const auto& summaries = case_run.settings().contract.summaries();
  const auto& body = case_run.item().own->create->body;
  return body && std::ranges::any_of(body->contents, [&](const auto& content) {
           const auto* property =
               content.schema ? summaries.summary_of(*content.schema).property(name) : nullptr;
           return property != nullptr && summaries.summary_of(*property).write_only;
         });
}

}  // namespace

bool may_show(const CaseRun& case_run, const CaseResponse& read, const std::string& name,
              const json& value) {
  auto with = read;
  auto body = spec::json::read(read.exchange.response.body).value();
  const auto* record = record_in(*case_run.item().own, body);
  auto* place = &body;
  for (auto& member : body) {
    place = &member == record ? &member : place;
  }
  (*place)[name] = value;
  with.exchange.response.body = spec::json::write(body);
  return normal_record(case_run, *case_run.item().own->read, with).contains(name);
}

namespace {

// A member that was sent and that the creation showed, which GET lacks although it could show it.
void check_lost(CaseRun& case_run, const ShownRecord& created, const ShownRecord& read,
                const std::string& name, const json& sent) {
  if (is_comparable(created.record, name, sent) && has_value(created.record, name, sent) &&
      !read.record.contains(name) && !is_write_only(case_run, name) &&
      may_show(case_run, read.sent, name, sent)) {
    case_run.report({{"record/as-sent",
                      "body",
                      "must have the property " + spec::json::write(name) + " as " +
                          created.sent.exchange.sent.method + " showed it",
                      "lacks it",
                      {},
                      {},
                      checks::Severity::kWarning,
                      {},
                      name}},
                    read.sent);
  }
}

void run_as_sent(CaseRun& case_run) {
  const auto& own = *case_run.item().own;
  const auto& created = case_run.send(marked(case_run), case_run.item().expect);
  const auto identifier = created_identifier(case_run, created);
  if (!identifier) {
    return;
  }
  const auto item = item_of(case_run, case_run.item().request, *identifier);
  const auto read = read_item(case_run, item);
  const auto again = read_item(case_run, item);
  if (read.record.is_null() || again.record.is_null()) {
    return;
  }
  const auto shown = normal_record(case_run, *own.create, created);
  const auto stored = normal_record(case_run, *own.read, *read.sent);
  const auto later = normal_record(case_run, *own.read, *again.sent);
  const auto body = normal_body(case_run, created);
  for (const auto& member : body.items()) {
    const auto& name = member.key();
    if (is_one_of(own.members, name)) {
      continue;
    }
    if (!later.contains(name)) {
      check_lost(case_run, {created, shown}, {*read.sent, stored}, name, member.value());
    }
    const bool comparable =
        is_comparable(shown, name, member.value()) && is_comparable(stored, name, member.value());
    if (comparable && later.contains(name) && has_value(later, name, stored.at(name))) {
      check_member(case_run, {created, shown}, {*read.sent, stored}, name, member.value());
    }
  }
}

// Members that a change of another one must leave alone: those that the creation was sent, and
// stored so. What the service makes itself, it may make anew.
std::set<std::string> excepted(const plan::OwnRecord& own, const json& before, const json& again) {
  std::set<std::string> places;
  for (const auto& member : before.items()) {
    const auto& name = member.key();
    const bool sent =
        own.request.body->contains(name) && name != own.marker && !is_one_of(own.members, name);
    const bool kept = sent && again.contains(name) &&
                      spec::json::equal(again.at(name), member.value()) &&
                      (!own.request.body->at(name).is_primitive() ||
                       has_value(before, name, own.request.body->at(name)));
    if (!kept) {
      places.insert(pointer_of({name}));
    }
  }
  return places;
}

void run_others_kept(CaseRun& case_run) {
  const auto& own = *case_run.item().own;
  auto request = case_run.item().request;
  const auto before = read_item(case_run, request);
  const auto again = read_item(case_run, request);
  request.body = json{{own.marker, run::new_marker()}};
  const auto& sent = case_run.send(request, case_run.item().expect);
  const auto after = is_made(sent) ? read_item(case_run, request) : ItemReading{};
  if (before.record.is_null() || again.record.is_null() || after.record.is_null()) {
    return;
  }
  const auto first = normal_record(case_run, *own.read, *before.sent);
  const auto second = normal_record(case_run, *own.read, *again.sent);
  auto last = normal_record(case_run, *own.read, *after.sent);
  for (auto member = last.begin(); member != last.end();) {
    member = first.contains(member.key()) ? std::next(member) : last.erase(member);
  }
  case_run.report(checks::check_unchanged(first, last, excepted(own, first, second),
                                          case_run.item().basis.rule),
                  *after.sent);
}

// True if a body of the marker alone is a valid change.
bool may_change_one(const Drafting& drafting) {
  auto request = drafting.plain;
  request.body = json::object();
  return drafting.operation.method == "PATCH" && may_mark(drafting, std::move(request));
}

}  // namespace

std::vector<json> likely_values(const spec::schema::Summary& summary) {
  std::vector<json> values;
  for (const auto* listed : summary.listed) {
    values.insert(values.end(), listed->values().begin(), listed->values().end());
  }
  if (summary.is_boolean()) {
    values.insert(values.end(), {true, false});
  } else if (summary.is_number()) {
    const auto low = static_cast<long long>(summary.minimum.value_or(1));
    values.insert(values.end(), {low + 6, low + 2, low + 1, low});
  } else if (summary.is_string()) {
    for (const auto& text : plan::texts_with("104857600123")) {
      values.push_back(text);
    }
    values.insert(values.end(), {"2031-04-17", "2031-04-17T08:30:00Z", "changed", "ch"});
  }
  return values;
}

bool has_value(const json& record, const std::string& name, const json& value) {
  const std::string differs = "differs";
  const auto found = checks::check_value(record, pointer_of({name}), value, differs);
  return found.empty() || found.front().rule != differs;
}

void add_member_cases(const Drafting& drafting) {
  if (drafting.own->is_created_by(drafting.operation.id)) {
    add_own(drafting, "the response to a creation shows what was sent", "record/as-sent",
            &run_as_sent);
  } else if (may_change_one(drafting)) {
    add_own(drafting, "a change of one member leaves the others as they were", "record/others",
            &run_others_kept);
  }
}

}  // namespace contract_tests::demands
