// Changes that are rejected change nothing: neither the record nor another.

#include "contract_tests/demands/updates/updates.hpp"
#include "spec/json/value.hpp"

#include <iterator>
#include <optional>
#include <utility>

namespace contract_tests::demands::updates {

using nlohmann::json;

namespace {

// Reads `record` again after a request that must be rejected, and restores it if it has
// changed.
void check_kept(CaseRun& case_run, Record& record, bool was_rejected, const std::string& rule) {
  const auto* later = record.set(record.nothing());
  if (later == nullptr || !later->body) {
    return;
  }
  const auto changes = record.changes(*later, record.volatile_fields(), rule);
  if (was_rejected) {
    case_run.report(changes, *later);
  }
  if (changes.empty()) {
    record.forget();
  } else {
    record.undo();
  }
}

// Sends the request that must be rejected; a change at another identifier cannot be undone.
const Sent& send_rejected(CaseRun& case_run, const RequestPlan& read) {
  const auto& sent = case_run.send();
  if (sent.accepted && case_run.item().request.path != read.path) {
    case_run.leave({sent.exchange.sent.target +
                    " did not exist, was changed by the suite, and may exist now"});
  }
  return sent;
}

// The other record, read and noted for undo; nothing where that fails.
std::optional<Record> read_other(CaseRun& case_run, const std::optional<RequestPlan>& request) {
  if (!request) {
    return std::nullopt;
  }
  Record other(case_run, *request);
  return other.read() && other.intend() ? std::optional(std::move(other)) : std::nullopt;
}

// The records that must not change: the one that `read` reads, and another.
struct Kept {
  RequestPlan read;
  std::optional<RequestPlan> other;
};

void run_kept(CaseRun& case_run, const Kept& kept) {
  Record record(case_run, kept.read);
  if (!record.read()) {
    if (!case_run.is_skipped()) {
      send_rejected(case_run, kept.read);  // at least the rejection itself
    }
    return;
  }
  if (!record.intend()) {
    return;
  }
  auto other = read_other(case_run, kept.other);
  const auto& rejected = send_rejected(case_run, kept.read);
  const bool was_rejected = rejected.conclusive && rejected.exchange.status() / 100 == 4;
  const auto& own = case_run.item().why.rule;
  check_kept(case_run, record, was_rejected,
             own.starts_with("update/") ? own : "update/rejected-changes");
  if (other) {
    check_kept(case_run, *other, was_rejected, "update/rejected-changes");
  }
}

Kept keep(Case& item, Kept kept) {
  if (kept.other) {
    item.others.push_back(*kept.other);
  }
  item.others.push_back(kept.read);
  item.run = [kept](CaseRun& case_run) { run_kept(case_run, kept); };
  return kept;
}

Kept both_records(const Drafting& drafting) {
  const auto& other = drafting.rules.update->other;
  return {drafting.plain, other ? std::optional(overlay(drafting.plain, *other)) : std::nullopt};
}

// A change of an unknown identifier creates nothing.
void add_unknown(const Drafting& drafting, const json& body) {
  auto item =
      update_case(drafting, "a change of an unknown identifier is rejected and creates nothing",
                  "status/unknown", StatementClass::kAssumption);
  item.request = overlay(item.request, drafting.rules.unknown.front());
  item.request.body = body;
  item.expect.want = Want::kRejected;
  item.changed = "an unknown identifier, a body that changes fields";
  auto empty = item.request;
  empty.body = drafting.rules.update->nothing;
  auto kept = keep(item, both_records(drafting));
  item.run = [kept = std::move(kept), empty](CaseRun& case_run) {
    run_kept(case_run, kept);
    case_run.send(empty);
  };
  drafting.add(std::move(item));
}

}  // namespace

void keep_record(const Drafting& drafting, Case& item) {
  keep(item, {drafting.plain, std::nullopt});
}

void keep_records(const Drafting& drafting, Case& item) {
  keep(item, both_records(drafting));
}

Case unauthorized_change(const Drafting& drafting, std::string sentence, json body) {
  auto item = update_case(drafting, std::move(sentence), "update/unauthorized");
  item.request.body = std::move(body);
  item.request.authorization = "";
  item.expect.want = Want::kUnauthorized;
  keep_record(drafting, item);
  return item;
}

void add_rejected_changes(const Drafting& drafting) {
  const auto body = drafting.rules.update->shown_values();
  const auto add = [&drafting](Case item, checks::Change changed) {
    item.others.clear();
    keep_records(drafting, item);
    item.changed = std::move(changed);
    drafting.add(std::move(item));
  };
  // It may be accepted or rejected: the case is whether a rejected one is applied.
  const auto start = [&](std::string sentence, std::string rule) {
    auto item = update_case(drafting, std::move(sentence), std::move(rule));
    item.request.body = body;
    item.expect.want = Want::kHandled;
    return item;
  };
  const auto wrong = [&](std::string sentence, const std::string& field, const char* changed) {
    auto item = start(std::move(sentence), "update/atomic");
    (*item.request.body)[field] = json::array({"wrong"});
    item.expect.want = Want::kRejected;
    add(std::move(item), changed);
  };
  wrong("a change with one invalid field changes nothing", body.begin().key(),
        "body with one field of a wrong type");
  wrong("a change whose last field is invalid changes nothing", std::prev(body.end()).key(),
        "body with its last field of a wrong type");

  auto text =
      start("a change sent as text changes nothing when it is rejected", "update/rejected-changes");
  text.request.body_type = "text/plain";
  add(std::move(text), {"header", "Content-Type", "text/plain", "and a body that changes fields"});

  auto cut =
      start("a truncated change changes nothing when it is rejected", "update/rejected-changes");
  const auto whole = spec::json::write(body);
  cut.request.body.reset();
  cut.request.raw_body = whole.substr(0, whole.size() - 1);
  add(std::move(cut), "a body that changes fields without its last byte");

  add(unauthorized_change(drafting, "a change without credentials changes nothing", body),
      "no header Authorization, a body that changes fields");
  if (!drafting.rules.unknown.empty()) {
    add_unknown(drafting, body);
  }
}

}  // namespace contract_tests::demands::updates
