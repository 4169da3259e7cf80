#include "contract_tests/plan/reversible_changes.hpp"
#include "contract_tests/run/changes.hpp"
#include "contract_tests/run/status.hpp"
#include "spec/json/read.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace contract_tests::run {

using nlohmann::json;
using spec::contract::Operation;

namespace {

using Identifiers = std::vector<std::string>;

class RecordOwner {
 public:
  explicit RecordOwner(CaseRun& case_run)
      : case_run_(case_run),
        undoing_(case_run),
        own_(*case_run.item().own),
        parents_(parents_of(case_run.item())),
        state_(case_run.undo_log().creations[place()]) {}

  // True if records can be created and removed; tested once with a record that is created for it.
  bool ready() {
    why_ = state_.why_not;
    const auto existing = state_.existing;
    const bool removed = std::ranges::all_of(
        existing, [this](const auto& identifier) { return !why_.empty() || remove(identifier); });
    if (removed && why_.empty() && !state_.proven) {
      if (const auto made = create()) {
        const auto list = read_list(case_run_, own_, parents_);
        const bool alone = is_alone(*made, list);
        state_.proven = remove(*made) && alone && leaves_others(*made, list);
      }
    }
    why_ = why_.empty() ? state_.why_not : why_;
    return why_.empty();
  }

  // Why the last step failed, and whether it may succeed later.
  const std::string& why() const { return why_; }

  bool may_pass() const { return undoing_.may_pass(); }

  // Reports what the first record has shown, where that is what the case is about.
  void report_failure() {
    if (!state_.rule.empty() && state_.rule == case_run_.item().basis.rule) {
      CaseResponse shown;
      shown.exchange = *state_.shown;
      const auto& sent = shown.exchange.sent;
      const auto said = state_.why_not + ": " + sent.method + ' ' + sent.target + " is " +
                        std::to_string(shown.exchange.status());
      case_run_.report({{state_.rule, "status", said, {}, {}, {}, state_.severity}}, shown);
    }
  }

  // A new record, noted to be removed; its identifier.
  std::optional<std::string> create() {
    constexpr std::size_t kLook = 1;  // a request to find out whose the record is
    if (!case_run_.pace().reserve(kRemoval + kLook)) {
      why_ = "too few requests are left to create a record and remove it (--max-requests)";
      return std::nullopt;
    }
    auto request = own_.request;
    request.path = parents_.path;
    marker_ = own_.marker.empty() ? "" : new_marker();
    if (!marker_.empty()) {
      (*request.body)[own_.marker] = marker_;
    }
    const auto* sent = ask(*own_.create, request);
    auto made = sent == nullptr ? std::nullopt : identified(*sent);
    const auto whose = made ? ownership_of(*sent, request, *made) : Ownership::kOther;
    if (whose == Ownership::kOther) {
      case_run_.pace().release(kRemoval + kLook);
      return std::nullopt;
    }
    if (whose == Ownership::kUnknown) {
      note(*made, marker_);
      return std::nullopt;
    }
    case_run_.pace().release(kLook);
    note(*made, "");
    state_.shows_new =
        sent->exchange.status() == 201 || spec::text::parse_number<long long>(*made).has_value();
    return made;
  }

  // True if the request for the record has created no other one: in the list, another record may
  // not have the text that only this one was sent with. Others are removed.
  bool is_alone(const std::string& identifier, const std::optional<OwnList>& list) {
    const bool marked = list && !marker_.empty();
    bool alone = true;
    for (const auto& other : marked ? marked_records(own_, *list, marker_) : Identifiers()) {
      const auto* read = other == identifier ? nullptr : ask(*own_.read, item(other));
      const auto record = read == nullptr ? std::nullopt : shown_by(*read);
      if (!record || marked_records(own_, {{*record}}, marker_) != Identifiers{other}) {
        continue;
      }
      stop("one " + own_.create->name + " creates more than one record", "record/once", read);
      alone = false;
      if (case_run_.pace().reserve(kRemoval)) {
        note(other, "");
        remove(other);
      }
    }
    return alone;
  }

  // True if the deletion has removed no other record.
  bool leaves_others(const std::string& identifier, const std::optional<OwnList>& before) {
    const auto losses = losses_by_deletion(case_run_, own_, parents_, before, state_.removed);
    for (const auto& loss : losses) {
      stop("DELETE of " + key(identifier) + " removed " + loss.what.text(), "record/deleted-others",
           loss.shown);
      state_.severity = loss.severity;
      case_run_.leave({.place = state_.why_not});
    }
    return losses.empty();
  }

  // No more are created where other records are gone since the run began, which is looked at after
  // one, two, four, eight cases and so on. Somebody else may have removed them.
  void look_around() {
    const bool looks = state_.why_not.empty() && std::has_single_bit(++state_.cases);
    if (const auto loss = looks ? loss_of_run(case_run_, own_, parents_) : std::nullopt) {
      stop(loss->what.text());
      constexpr auto kWarning = checks::Severity::kWarning;
      const auto& what = loss->what;
      case_run_.report({{"record/deleted-others", "body", what.must, what.is, {}, {}, kWarning}},
                       *loss->shown);
    }
  }

  // Removes the records that requests of the case, those from `first` on, have created.
  void remove_created(std::size_t first, std::size_t reserved) {
    Identifiers created;
    const auto& all = case_run_.sent();
    for (auto at = first; at < all.size(); ++at) {
      if (all[at].exchange.sent.method == own_.create->method) {
        if (auto made = identified(all[at])) {
          take(all[at], *made, reserved, created);
        }
      }
    }
    case_run_.pace().release(reserved);
    for (const auto& identifier : created) {
      remove(identifier);
    }
  }

  // True if the records that the case creates can be distinguished from records that exist, and no
  // body names such a record.
  bool creates_new() {
    if (!state_.shows_new) {
      why_ = "the responses of " + own_.create->name +
             " do not show that a record is new (status 201, or a growing number as identifier)";
      return false;
    }
    return std::ranges::all_of(
        requests_of(case_run_.item()), [this](const plan::RequestPlan& request) {
          return shows_what_it_creates(request) &&
                 names_no_other(request, [this](const json& value) { return is_free(value); });
        });
  }

  // True if no body names another record than the one of this identifier.
  bool names_only(const std::string& identifier) {
    return std::ranges::all_of(requests_of(case_run_.item()),
                               [&](const plan::RequestPlan& request) {
                                 return names_no_other(request, [&identifier](const json& value) {
                                   return plan::identifier_text(value) == identifier;
                                 });
                               });
  }

  // Removes the record, and looks whether it is gone. Where it is not, it stays noted: the end of
  // the run tries again.
  bool remove(const std::string& identifier) {
    const auto made = undoing_.undo(removal(identifier, ""));
    const bool gone = made.seen != nullptr && is_gone(made.seen->exchange.status());
    why_ = may_pass() ? undoing_.status() : "";
    if (gone) {
      forget(identifier);
    } else if (!may_pass()) {
      still_there(identifier, made.seen);
    }
    return gone;
  }

  // True if the case has deleted the record.
  bool is_deleted(const std::string& identifier) {
    const auto* read = ask(*own_.read, item(identifier));
    if (read == nullptr || !is_gone(read->exchange.status())) {
      return false;
    }
    forget(identifier);
    return true;
  }

 private:
  // The response to a request of another operation; null when there is none.
  const CaseResponse* ask(const Operation& operation, const plan::RequestPlan& request) {
    const auto* sent = undoing_.ask(operation, request);
    why_ = may_pass() ? undoing_.status() : "";
    return may_pass() ? nullptr : sent;
  }

  // A record that is not gone after DELETE; `read` is the response to GET then, null if DELETE
  // was rejected. Where GET finds a record for an identifier that none has, it shows nothing.
  void still_there(const std::string& identifier, const CaseResponse* read) {
    if (read == nullptr) {
      stop("a record that the run created cannot be removed (" + undoing_.status() + ")");
      return;
    }
    const auto status = undoing_.status();
    const auto* other = ask(*own_.read, item(plan::unused_identifier(identifier)));
    if (other != nullptr && other->exchange.status() / 100 == 2) {
      stop("an identifier that no record has is not rejected (" + undoing_.status() +
               "), so nothing shows that a record is removed",
           "record/unknown", other);
    } else {
      stop("a record that was deleted is not gone (" + status + ")", "record/deleted",
           read->exchange.status() / 100 == 2 ? read : nullptr);
    }
  }

  plan::RequestPlan item(const std::string& identifier) const {
    auto request = parents_;
    request.path[own_.parameter] = identifier;
    return request;
  }

  std::string key(const std::string& identifier) const {
    auto path = case_run_.path_of(*own_.read, item(identifier));
    return path.empty() ? identifier : path;
  }

  // No more records are created by this operation; `shown` is the response that violates `rule`.
  void stop(const std::string& why, const std::string& rule = {},
            const CaseResponse* shown = nullptr) {
    why_ = why;
    if (shown != nullptr) {
      state_.rule = rule;
      state_.shown = std::make_shared<const client::Exchange>(shown->exchange);
    }
    state_.why_not = why + ", so no more are created";
  }

  // The path of the collection, and the operation that creates.
  std::string place() const { return own_.create->id + ' ' + path_of_collection(); }

  void leave(const std::string& what, const std::string& identifier) {
    case_run_.leave({.place = what, .curl = case_run_.curl_of(*own_.remove, item(identifier))});
  }

  // The identifier that a response to the creating operation shows. Empty if the request was
  // rejected, and where something may have been created that cannot be found, which is listed then.
  std::optional<std::string> identified(const CaseResponse& sent) {
    const int status = sent.exchange.status();
    if (status / 100 == 4 || status == 501) {
      why_ = undoing_.status();
      return std::nullopt;
    }
    auto found = status / 100 == 2 ? identifier_in(own_, sent.exchange.response) : std::nullopt;
    if (!found) {
      why_ = undoing_.status();
      case_run_.undo_log().last(own_.create->name, path_of_collection(), status);
    }
    if (!found && status / 100 == 2) {
      stop(own_.create->name + " succeeded without showing the identifier of a record");
    }
    return found;
  }

  std::string path_of_collection() const {
    return case_run_.settings().secrets.redacted(case_run_.path_of(*own_.create, parents_));
  }

  // An identifier that was looked for and not found; a number that is greater than those of all
  // records before; or what the response calls new.
  bool is_new(const CaseResponse& sent, const std::string& identifier) const {
    const auto number = spec::text::parse_number<long long>(identifier);
    const bool later = number && state_.greatest > 0 && *number > state_.greatest;
    return state_.removed.contains(identifier) ||
           (!state_.existing.contains(identifier) && (later || sent.exchange.status() == 201));
  }

  enum class Ownership : std::uint8_t { kOwn, kUnknown, kOther };

  // Compares the record of this identifier with the one that was created: GET shows what was sent.
  // One that may be another is not removed. Unknown while GET gets no response: the end of the run
  // looks for the marker.
  Ownership ownership_of(const CaseResponse& created, const plan::RequestPlan& request,
                         const std::string& identifier) {
    const auto* read = ask(*own_.read, item(identifier));
    const auto status = undoing_.status();
    const auto record = read == nullptr ? std::nullopt : shown_by(*read);
    const bool shown = record && shows(own_, *record, *request.body, identifier);
    const bool marked = shown && !own_.marker.empty() && record->contains(own_.marker);
    if (marked || (shown && is_new(created, identifier))) {
      return Ownership::kOwn;
    }
    if (read == nullptr && !own_.marker.empty()) {
      return Ownership::kUnknown;
    }
    leave(key(identifier) + " may be a record that the run created (" + status +
              "): it was not removed, because it does not show what " + own_.create->name + " sent",
          identifier);
    if (read != nullptr) {
      report_wrong_record(*read, record.value_or(json()), identifier);
    }
    return Ownership::kOther;
  }

  // `read` does not show the record that was created; `record` is what it shows, or null.
  void report_wrong_record(const CaseResponse& read, const json& record,
                           const std::string& identifier) {
    const auto named = identifier_of(own_, record);
    const bool missing = read.exchange.status() / 100 == 4;
    const bool another = named && *named != identifier;
    stop("GET does not show the record that " + own_.create->name + " created as it was sent (" +
             undoing_.status() + ")",
         missing ? "record/created" : "record/another", missing || another ? &read : nullptr);
  }

  std::optional<json> shown_by(const CaseResponse& read) const {
    const auto body =
        spec::json::read(read.exchange.status() == 200 ? read.exchange.response.body : "");
    const auto* record = body ? record_in(own_, body.value()) : nullptr;
    return record == nullptr ? std::nullopt : std::optional(*record);
  }

  // The requests for it are reserved. With a marker, the record is removed only where it shows it.
  void note(const std::string& identifier, const std::string& marker) {
    case_run_.undo_log().note(removal(identifier, marker));
    state_.existing.insert(identifier);
    state_.removed.erase(identifier);
    const auto number = spec::text::parse_number<long long>(identifier);
    state_.greatest = std::max(state_.greatest, number.value_or(0));
  }

  void forget(const std::string& identifier) {
    case_run_.undone(key(identifier));
    state_.existing.erase(identifier);
    state_.removed.insert(identifier);
  }

  // With the values of this case run: the end of the run does not know them.
  PendingUndo removal(const std::string& identifier, const std::string& marker) const {
    auto request = item(identifier);
    for (auto& [name, value] : request.path) {
      const auto text = plan::fill(std::string_view(value), case_run_.names());
      value = text ? text.value() : value;
    }
    return {.key = key(identifier),
            .operation = own_.remove,
            .request = std::move(request),
            .read = own_.read,
            .marker = marker};
  }

  // A record that a request of the case has created: noted to be removed, or listed.
  void take(const CaseResponse& sent, const std::string& identifier, std::size_t& reserved,
            Identifiers& created) {
    if (state_.existing.contains(identifier)) {
      return;  // about to be removed
    }
    if (!is_new(sent, identifier) || (reserved < kRemoval && !case_run_.pace().reserve(kRemoval))) {
      leave(key(identifier) +
                " may be a record that the run created: it was not removed, because "
                "nothing shows that it is new",
            identifier);
      stop(own_.create->name + " responds with the identifier of a record that may not be new");
      return;
    }
    reserved -= std::min(reserved, kRemoval);
    note(identifier, "");
    created.push_back(identifier);
  }

  // A service may take JSON that this reader does not, and show it with the identifier of the
  // record.
  bool shows_what_it_creates(const plan::RequestPlan& request) {
    const bool may_be_taken = case_run_.item().expect.want != Want::kRejected;
    if (may_be_taken && request.raw_body && !spec::json::read(*request.raw_body)) {
      why_ = "a response with its body could not be read, so what it creates could not be found";
      return false;
    }
    return true;
  }

  bool names_no_other(const plan::RequestPlan& request,
                      const std::function<bool(const json&)>& allowed) {
    const auto why = plan::why_about_others(own_, request, allowed);
    why_ = why.empty() ? why_ : why;
    return why.empty();
  }

  bool is_free(const json& value) {
    if (value.is_null() || value.is_structured()) {
      return true;
    }
    const auto text = plan::identifier_text(value);
    const auto* read = text && !value.is_boolean() ? ask(*own_.read, item(*text)) : nullptr;
    return read != nullptr && is_gone(read->exchange.status());
  }

  CaseRun& case_run_;
  UndoClient undoing_;
  const plan::OwnRecord& own_;
  const plan::RequestPlan parents_;  // the path parameters of the collection
  Creation& state_;
  std::string marker_;  // of the record that was created last
  std::string why_;
};

// There is no record for the case.
void do_without(CaseRun& case_run, RecordOwner& owner) {
  owner.report_failure();
  give_up(case_run, owner.why(), owner.may_pass());
}

// Notes lasting effects of the case beside its own record, if it may have some.
void run_either(CaseRun& case_run, bool safe) {
  if (safe) {
    case_run.run();
  } else {
    run_lasting(case_run);
  }
}

}  // namespace

std::string new_marker() {
  constexpr long long kDigits = 1'000'000'000'000;
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  return plan::marker_text(std::to_string(now % kDigits));
}

void run_removing(CaseRun& case_run) {
  read_initial_state(case_run);
  RecordOwner owner(case_run);
  const bool may_last = case_run.settings().consent.may_last(case_run.operation().id);
  const bool ready = owner.ready();
  const bool safe = ready && owner.creates_new();
  if (!ready || (!safe && !may_last)) {
    do_without(case_run, owner);
    return;
  }
  const auto reserved = kRemoval * requests_of(case_run.item()).size();
  if (!case_run.pace().reserve(reserved)) {
    case_run.skip("too few requests are left to create a record and remove it (--max-requests)");
    return;
  }
  const auto first = case_run.sent().size();
  run_either(case_run, safe);
  owner.remove_created(first, reserved);
  owner.look_around();
}

void run_on_own_record(CaseRun& case_run) {
  read_initial_state(case_run);
  RecordOwner owner(case_run);
  const bool may_last = case_run.settings().consent.may_last(case_run.operation().id);
  const auto made = owner.ready() ? owner.create() : std::nullopt;
  const bool safe = made && owner.names_only(*made);
  if (!made || (!safe && !may_last)) {
    do_without(case_run, owner);
  } else {
    const auto& item = case_run.item();
    const auto names = plan::names_in(json(item.request.path.at(item.own->parameter)));
    case_run.rename(*names.begin(), *made);
    run_either(case_run, safe);
  }
  const bool deletes = case_run.operation().id == case_run.item().own->remove->id;
  if (made && !(deletes && owner.is_deleted(*made))) {
    owner.remove(*made);
  }
  owner.look_around();
}

}  // namespace contract_tests::run
