// Records of the run's own in the list of their collection: one for each creation, and none that
// was deleted.

#include "contract_tests/demands/own_record_cases.hpp"
#include "contract_tests/plan/request_verdict.hpp"
#include "contract_tests/run/changes.hpp"
#include "contract_tests/run/record_list.hpp"
#include "contract_tests/run/status.hpp"
#include "spec/json/value.hpp"

#include <utility>

namespace contract_tests::demands {

using nlohmann::json;
using run::OwnList;

namespace {

// A list may be behind the records for a while.
constexpr int kLooks = 3;

std::optional<OwnList> list_of(CaseRun& case_run) {
  auto list = run::read_list(case_run, *case_run.item().own, case_run.item().request);
  if (!list) {
    case_run.skip("its list could not be read");
  }
  return list;
}

// Waits before the next look.
bool wait_to_look(CaseRun& case_run, int looks) {
  const bool waited = case_run.pause(looks - 1);
  if (!waited) {
    case_run.skip("the run may not wait until its list may have changed (--max-wait)");
  }
  return waited;
}

void run_once(CaseRun& case_run) {
  const auto& own = *case_run.item().own;
  const auto request = marked(case_run);
  const auto identifier =
      created_identifier(case_run, case_run.send(request, case_run.item().expect));
  const auto list = identifier ? list_of(case_run) : std::nullopt;
  if (!list) {
    return;
  }
  const auto found =
      marked_records(own, *list, request.body->at(own.marker).get_ref<const std::string&>());
  if (found.empty()) {
    case_run.skip("its list does not show the record, so a second one could not be seen");
  } else if (found.size() > 1) {
    case_run.report({{case_run.item().basis.rule, "body", "must show one record",
                      "shows " + std::to_string(found.size()) +
                          " with the text that one request was sent with"}},
                    *list->last);
  }
  for (const auto& other : found) {
    if (other != *identifier) {
      case_run.leave(
          {.place = "the record " + other + ", which the run created by " + own.create->name +
                    " beside another",
           .curl = own.remove == nullptr
                       ? ""
                       : case_run.curl_of(*own.remove, item_of(case_run, request, other))});
    }
  }
}

// Why the list may lack a record that exists; "" if nothing shows why.
std::string why_lacked(const plan::OwnRecord& own, const OwnList& list, const json& record) {
  if (!list.whole) {
    return "its list may have more than was read, so it is not known to lack the record";
  }
  if (list.records.empty()) {
    return "its list is empty, so it may leave such records out";
  }
  const auto name = run::may_be_filtered_by(own, list, record);
  return name.empty() ? ""
                      : "its list may leave the record out, which differs from the others in " +
                            spec::json::write(name);
}

// The request for a record that differs from those of the list in nothing that was sent, so that
// the list has no reason to leave it out; nothing where `record`, the one before, differs
// otherwise.
std::optional<RequestPlan> like_listed(const CaseRun& case_run, const OwnList& list, json record) {
  if (list.records.empty()) {
    return std::nullopt;
  }
  const auto& own = *case_run.item().own;
  const auto& listed = list.records.front();
  auto request = marked(case_run);
  auto name = run::may_be_filtered_by(own, list, record);
  bool changed = false;
  while (!name.empty() && request.body && request.body->contains(name)) {
    for (auto* each : {&record, &*request.body}) {
      if (listed.contains(name)) {
        (*each)[name] = listed.at(name);
      } else {
        each->erase(name);
      }
    }
    name = run::may_be_filtered_by(own, list, record);
    changed = true;
  }
  const auto& contract = case_run.settings().contract;
  const bool like = changed && name.empty() &&
                    plan::validate_request(contract, case_run.operation(), request).is_valid();
  return like ? std::optional(std::move(request)) : std::nullopt;
}

// True if the total that the list states was the number of its records and is not any more, after
// `change`: one more or one fewer. Nothing is known where others changed the list meanwhile.
bool is_total_wrong(const OwnList& before, const OwnList& after, int change) {
  const auto size = [](const OwnList& list) { return static_cast<long long>(list.records.size()); };
  return before.total == size(before) && size(after) == size(before) + change &&
         after.total != size(after);
}

void report_total(CaseRun& case_run, const OwnList& list) {
  case_run.report({{case_run.item().basis.rule, "body",
                    "must state as many records as there are after the change, " +
                        std::to_string(list.records.size()),
                    list.total ? "states " + std::to_string(*list.total) : "states fewer"}},
                  *list.last);
}

// The result of looking for a created record in the list.
// NOLINTNEXTLINE(bugprone-exception-escape): nlohmann's moves assert, they never throw.
struct ListedRecord {
  std::string why_lacked;                          // why it may lack the record
  std::optional<RequestPlan> like = std::nullopt;  // for a record that it has no reason to lack
};

ListedRecord find_in_list(CaseRun& case_run, const std::string& identifier,
                          const std::optional<OwnList>& before) {
  const auto& own = *case_run.item().own;
  for (int looks = 1;; ++looks) {
    const auto list = list_of(case_run);
    const bool is_listed = list && find_record(own, *list, identifier) != nullptr;
    if (!list || (is_listed && !(before && is_total_wrong(*before, *list, 1)))) {
      return {};
    }
    if (is_listed) {
      if (looks == kLooks) {
        report_total(case_run, *list);
      }
      if (looks == kLooks || !wait_to_look(case_run, looks)) {
        return {};
      }
      continue;
    }
    const auto read = read_item(case_run, item_of(case_run, case_run.item().request, identifier));
    if (read.record.is_null()) {
      return {};  // what GET of the item says is another rule's
    }
    if (auto why = why_lacked(own, *list, read.record); !why.empty()) {
      return {std::move(why),
              list->whole ? like_listed(case_run, *list, read.record) : std::nullopt};
    }
    if (looks == kLooks) {
      case_run.report(
          {{case_run.item().basis.rule, "body",
            "must show the record " + identifier + ", which was created and which GET shows",
            "lacks it"}},
          *list->last);
      return {};
    }
    if (!wait_to_look(case_run, looks)) {
      return {};
    }
  }
}

void run_listed(CaseRun& case_run) {
  const auto before = run::read_list(case_run, *case_run.item().own, case_run.item().request);
  auto identifier =
      created_identifier(case_run, case_run.send(marked(case_run), case_run.item().expect));
  auto look = identifier ? find_in_list(case_run, *identifier, before) : ListedRecord();
  if (look.like && case_run.pace().reserve(run::kRemoval)) {
    // The service may reject a second record with these values.
    const auto& again = case_run.send(*look.like, {.want = Want::kAnything});
    identifier = created_identifier(case_run, again);
    if (identifier) {
      look = find_in_list(case_run, *identifier, std::nullopt);
    }
    case_run.pace().release(run::kRemoval);
  }
  if (!look.why_lacked.empty()) {
    case_run.skip(std::move(look.why_lacked));
  }
}

// A list may keep a record and mark it as deleted.
void run_delisted(CaseRun& case_run) {
  const auto& own = *case_run.item().own;
  const auto identifier = own_identifier(case_run);
  const auto before = list_of(case_run);
  const auto* record = before ? find_record(own, *before, identifier) : nullptr;
  if (before && record == nullptr) {
    case_run.skip("its list does not show the record before it is deleted");
  }
  if (record == nullptr || !is_made(case_run.send())) {
    return;
  }
  const auto gone = read_item(case_run, case_run.item().request);
  if (gone.sent == nullptr || !run::is_gone(gone.sent->exchange.status())) {
    return;  // another rule's
  }
  for (int looks = 1;; ++looks) {
    const auto list = list_of(case_run);
    const auto* still = list ? find_record(own, *list, identifier) : nullptr;
    const bool has_wrong_total = list && still == nullptr && is_total_wrong(*before, *list, -1);
    if (!has_wrong_total && (still == nullptr || !spec::json::equal(*still, *record))) {
      return;
    }
    if (looks == kLooks && has_wrong_total) {
      return report_total(case_run, *list);
    }
    if (looks == kLooks) {
      case_run.report(
          {{case_run.item().basis.rule, "body",
            "must not show the record " + identifier + ", which was deleted and which GET rejects",
            "shows it as before"}},
          *list->last);
      return;
    }
    if (!wait_to_look(case_run, looks)) {
      return;
    }
  }
}

// The first record that the run creates and deletes shows it (run/created_records.cpp).
void run_deleted_alone(CaseRun& case_run) {
  case_run.send();
}

}  // namespace

void add_list_cases(const Drafting& drafting) {
  if (drafting.own->list == nullptr) {
    return;
  }
  if (drafting.operation.method == "DELETE") {
    add_own(drafting, "a record that was deleted is not in the list", "record/delisted",
            &run_delisted);
    add_own(drafting, "a deletion removes no other record", "record/deleted-others",
            &run_deleted_alone);
  } else if (drafting.own->is_created_by(drafting.operation.id)) {
    add_own(drafting, "a record that was created is in the list", "record/listed", &run_listed);
    if (may_mark(drafting, drafting.plain) && drafting.plain.body->contains(drafting.own->marker)) {
      add_own(drafting, "one request creates one record", "record/once", &run_once);
    }
  }
}

}  // namespace contract_tests::demands
