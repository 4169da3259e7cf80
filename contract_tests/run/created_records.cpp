#include "contract_tests/plan/own_record.hpp"
#include "contract_tests/run/changes.hpp"
#include "contract_tests/run/record_maker.hpp"
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
      : RecordOwner(case_run, *case_run.item().own, parents_of(case_run.item())) {}

  // `parents` has the path parameters of the collection.
  RecordOwner(CaseRun& case_run, const plan::OwnRecord& own, plan::RequestPlan parents)
      : case_run_(case_run), own_(own), maker_(case_run, own, std::move(parents)) {}

  RecordMaker& maker() { return maker_; }

  // True if records can be created and removed; tested once with a record that is created for it.
  bool ready() {
    maker_.set_why(maker_.state().why_not);
    const auto existing = maker_.state().existing;
    const bool removed = std::ranges::all_of(existing, [this](const auto& identifier) {
      return !maker_.why().empty() || maker_.remove(identifier);
    });
    if (removed && maker_.why().empty() && !maker_.state().proven) {
      if (const auto made = maker_.create()) {
        const auto list = read_list(case_run_, own_, maker_.parents());
        const bool alone = is_alone(*made, list);
        maker_.state().proven = maker_.remove(*made) && alone && leaves_others(*made, list);
      }
    }
    if (maker_.why().empty()) {
      maker_.set_why(maker_.state().why_not);
    }
    return maker_.why().empty();
  }

  // Reports what the first record has shown, where that is what the case is about.
  void report_failure() {
    if (!maker_.state().rule.empty() && maker_.state().rule == case_run_.item().basis.rule) {
      CaseResponse shown;
      shown.exchange = *maker_.state().shown;
      const auto& sent = shown.exchange.sent;
      const auto said = maker_.state().why_not + ": " + sent.method + ' ' + sent.target + " is " +
                        std::to_string(shown.exchange.status());
      case_run_.report({{maker_.state().rule, "status", said, {}, {}, {}, maker_.state().severity}},
                       shown);
    }
  }

  // True if the request for the record has created no other one: in the list, another record may
  // not have the text that only this one was sent with. Others are removed.
  bool is_alone(const std::string& identifier, const std::optional<OwnList>& list) {
    const bool marked = list && !maker_.marker().empty();
    bool alone = true;
    for (const auto& other :
         marked ? marked_records(own_, *list, maker_.marker()) : Identifiers()) {
      const auto* read = other == identifier ? nullptr : maker_.ask(*own_.read, maker_.item(other));
      const auto record = read == nullptr ? std::nullopt : maker_.shown_by(*read);
      if (!record || marked_records(own_, {{*record}}, maker_.marker()) != Identifiers{other}) {
        continue;
      }
      maker_.stop("one " + own_.create->name + " creates more than one record", "record/once",
                  read);
      alone = false;
      if (case_run_.pace().reserve(kRemoval)) {
        maker_.note(other, "");
        maker_.remove(other);
      }
    }
    return alone;
  }

  // True if the deletion has removed no other record.
  bool leaves_others(const std::string& identifier, const std::optional<OwnList>& before) {
    const auto losses =
        losses_by_deletion(case_run_, own_, maker_.parents(), before, maker_.state().removed);
    for (const auto& loss : losses) {
      maker_.stop("DELETE of " + maker_.key(identifier) + " removed " + loss.what.text(),
                  "record/deleted-others", loss.shown);
      maker_.state().severity = loss.severity;
      case_run_.leave({.place = maker_.state().why_not});
    }
    return losses.empty();
  }

  // No more are created where other records are gone since the run began, which is looked at after
  // one, two, four, eight cases and so on. Somebody else may have removed them.
  void look_around() {
    const bool looks =
        maker_.state().why_not.empty() && std::has_single_bit(++maker_.state().cases);
    if (const auto loss = looks ? loss_of_run(case_run_, own_, maker_.parents()) : std::nullopt) {
      maker_.stop(loss->what.text());
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
        if (auto made = maker_.identified(all[at])) {
          take(all[at], *made, reserved, created);
        }
      }
    }
    case_run_.pace().release(reserved);
    for (const auto& identifier : created) {
      maker_.remove(identifier);
    }
  }

  // True if the records that the case creates can be distinguished from records that exist, and no
  // body names such a record.
  bool creates_new() {
    if (!maker_.state().shows_new) {
      maker_.set_why(
          "the responses of " + own_.create->name +
          " do not show that a record is new (status 201, or a growing number as identifier)");
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

  // True if the case has deleted the record.
  bool is_deleted(const std::string& identifier) {
    const auto* read = maker_.ask(*own_.read, maker_.item(identifier));
    if (read == nullptr || !is_gone(read->exchange.status())) {
      return false;
    }
    maker_.forget(identifier);
    return true;
  }

 private:
  // A record that a request of the case has created: noted to be removed, or listed.
  void take(const CaseResponse& sent, const std::string& identifier, std::size_t& reserved,
            Identifiers& created) {
    if (maker_.state().existing.contains(identifier)) {
      return;  // about to be removed
    }
    if (!maker_.is_new(sent, identifier) ||
        (reserved < kRemoval && !case_run_.pace().reserve(kRemoval))) {
      maker_.leave(maker_.key(identifier) +
                       " may be a record that the run created: it was not removed, because "
                       "nothing shows that it is new",
                   identifier);
      maker_.stop(own_.create->name +
                  " responds with the identifier of a record that may not be new");
      return;
    }
    reserved -= std::min(reserved, kRemoval);
    maker_.note(identifier, "");
    created.push_back(identifier);
  }

  // A service may take JSON that this reader does not, and show it with the identifier of the
  // record.
  bool shows_what_it_creates(const plan::RequestPlan& request) {
    const bool may_be_taken = case_run_.item().expect.want != Want::kRejected;
    const auto type = spec::http::parse_media_type(request.body_type.value_or("application/json"));
    const bool is_json = type && type->is_json();
    if (may_be_taken && is_json && request.raw_body && !spec::json::read(*request.raw_body)) {
      maker_.set_why(
          "a response with its body could not be read, so what it creates could not be found");
      return false;
    }
    return true;
  }

  bool names_no_other(const plan::RequestPlan& request,
                      const std::function<bool(const json&)>& allowed) {
    const auto why = plan::why_about_others(own_, request, allowed);
    if (!why.empty()) {
      maker_.set_why(why);
    }
    return why.empty();
  }

  bool is_free(const json& value) {
    if (value.is_null() || value.is_structured()) {
      return true;
    }
    const auto text = plan::identifier_text(value);
    const auto* read =
        text && !value.is_boolean() ? maker_.ask(*own_.read, maker_.item(*text)) : nullptr;
    return read != nullptr && is_gone(read->exchange.status());
  }

  CaseRun& case_run_;
  const plan::OwnRecord& own_;
  RecordMaker maker_;
};

// There is no record for the case.
void do_without(CaseRun& case_run, RecordOwner& owner) {
  owner.report_failure();
  give_up(case_run, owner.maker().why(), owner.maker().may_pass());
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

std::string new_number() {
  constexpr long long kDigits = 1'000'000'000'000;
  constexpr std::size_t kSize = 12;
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  auto number = std::to_string(now % kDigits);
  return number.insert(0, kSize - number.size(), '0');
}

std::string new_marker() {
  return plan::marker_text(new_number());
}

std::optional<std::string> create_for_run(CaseRun& case_run, const plan::OwnRecord& own,
                                          const plan::RequestPlan& parents, std::string& why) {
  note_list(case_run, own, parents);
  RecordOwner owner(case_run, own, parents);
  auto made = owner.ready() ? owner.maker().create() : std::nullopt;
  if (made) {
    owner.maker().keep(*made);
    count_for_run(case_run, own, parents);
  }
  why = made ? "" : owner.maker().why();
  return made;
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
  const auto made = owner.ready() ? owner.maker().create() : std::nullopt;
  const bool safe = made && owner.names_only(*made);
  if (!made || (!safe && !may_last)) {
    do_without(case_run, owner);
  } else {
    const auto& item = case_run.item();
    const auto names = plan::names_in(json(item.request.path.at(item.own->parameter)));
    case_run.rename(*names.begin(), *made);
    const bool acts = !item.own->is_of_item(case_run.operation());
    run_either(case_run, safe && !acts);
  }
  const auto* remove = case_run.item().own->remove;
  const bool deletes = remove != nullptr && case_run.operation().id == remove->id;
  if (made && !(deletes && owner.is_deleted(*made))) {
    owner.maker().remove(*made);
  }
  owner.look_around();
}

}  // namespace contract_tests::run
