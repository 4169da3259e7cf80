#include "contract_tests/run/record_maker.hpp"

#include "contract_tests/plan/request_verdict.hpp"
#include "contract_tests/run/status.hpp"
#include "spec/json/read.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace contract_tests::run {

using nlohmann::json;
using spec::contract::Operation;

namespace {

constexpr int kCreated = 201;

}  // namespace

RecordMaker::RecordMaker(CaseRun& case_run, const plan::OwnRecord& own, plan::RequestPlan parents)
    : case_run_(case_run),
      undoing_(case_run),
      own_(own),
      parents_(std::move(parents)),
      state_(case_run.undo_log().creations[place()]) {}

std::optional<std::string> RecordMaker::create() {
  auto& unique = case_run_.undo_log().unique;
  const auto known = unique.find(own_.create->id);
  if (known == unique.end() || !known->second) {
    auto made = create_by(own_.request);
    if (made || !rejected_ || own_.texts.empty() || known != unique.end()) {
      return made;
    }
  }
  const auto why = why_;
  auto made = create_by(with_texts(own_, own_.request, new_number()));
  unique.emplace(own_.create->id, made.has_value());
  why_ = made || why.empty() ? why_ : why;
  return made;
}

bool RecordMaker::remove(const std::string& identifier) {
  if (own_.remove == nullptr) {
    return true;
  }
  const auto made = undoing_.undo(removal(identifier, ""));
  const int status = made.seen == nullptr ? 0 : made.seen->exchange.status();
  const bool gone = is_gone(status) || status == 400 || status == 422;
  why_ = may_pass() ? undoing_.status() : "";
  if (gone) {
    forget(identifier);
  } else if (!may_pass()) {
    still_there(identifier, made.seen);
  }
  return gone;
}

const CaseResponse* RecordMaker::ask(const Operation& operation, const plan::RequestPlan& request) {
  const auto* sent = undoing_.ask(operation, request);
  why_ = may_pass() ? undoing_.status() : "";
  return may_pass() ? nullptr : sent;
}

std::optional<std::string> RecordMaker::create_by(plan::RequestPlan request) {
  constexpr std::size_t kLook = 1;  // a request to find out whose the record is
  rejected_ = false;
  if (!case_run_.pace().reserve(kRemoval + kLook)) {
    why_ = "too few requests are left to create a record and remove it (--max-requests)";
    return std::nullopt;
  }
  const auto made = create_with_reserve(std::move(request));
  case_run_.pace().release(kLook + (made.is_noted ? 0 : kRemoval));
  return made.identifier;
}

RecordMaker::Created RecordMaker::create_with_reserve(plan::RequestPlan request) {
  request.path = parents_.path;
  marker_ = own_.marker.empty() ? "" : new_marker();
  if (!marker_.empty()) {
    (*request.body)[own_.marker] = marker_;
  }
  if (own_.chooses_identifier() && !choose_identifier(request)) {
    return {};
  }
  fill(request);
  const auto* sent = ask(*own_.create, request);
  auto made = sent == nullptr ? std::nullopt : identified(*sent);
  const auto whose = made ? ownership_of(*sent, request, *made) : Ownership::kOther;
  if (whose == Ownership::kOther) {
    return {};
  }
  if (whose == Ownership::kUnknown) {
    return {std::nullopt, note(*made, marker_)};
  }
  state_.shows_new =
      sent->exchange.status() == 201 || spec::text::parse_number<long long>(*made).has_value();
  const bool is_noted = note(*made, "");
  return {std::move(made), is_noted};
}

void RecordMaker::fill(plan::RequestPlan& request) const {
  auto names = case_run_.names();
  if (own_.chooses_identifier()) {
    names.set(own_.create->id + '.' + own_.parameter, request.path.at(own_.parameter));
  }
  auto body =
      request.body ? plan::fill(*request.body, names) : spec::Result<json, std::string>(json());
  if (request.body && body) {
    request.body = std::move(body.value());
  }
}

bool RecordMaker::choose_identifier(plan::RequestPlan& request) {
  auto texts = plan::texts_with(new_number());
  std::ranges::reverse(texts);
  for (const auto& text : texts) {
    request.path[own_.parameter] = text;
    if (plan::validate_request(case_run_.settings().contract, *own_.create, request,
                               case_run_.names())
            .is_valid()) {
      const auto* read = ask(*own_.read, item(text));
      return read != nullptr && is_gone(read->exchange.status());
    }
  }
  why_ = "no identifier for " + own_.create->name + " could be made";
  return false;
}

void RecordMaker::still_there(const std::string& identifier, const CaseResponse* read) {
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

plan::RequestPlan RecordMaker::item(const std::string& identifier) const {
  auto request = parents_;
  request.path[own_.parameter] = identifier;
  return request;
}

std::string RecordMaker::key(const std::string& identifier) const {
  auto path = case_run_.path_of(*own_.read, item(identifier));
  return path.empty() ? identifier : path;
}

void RecordMaker::stop(const std::string& why, const std::string& rule, const CaseResponse* shown) {
  why_ = why;
  if (shown != nullptr) {
    state_.rule = rule;
    state_.shown = std::make_shared<const client::Exchange>(shown->exchange);
  }
  state_.why_not = why + ", so no more are created";
}

std::string RecordMaker::place() const {
  return own_.create->id + ' ' + path_of_collection();
}

void RecordMaker::leave(const std::string& what, const std::string& identifier) {
  case_run_.leave(
      {.place = what,
       .curl = own_.remove == nullptr ? "" : case_run_.curl_of(*own_.remove, item(identifier))});
}

std::optional<std::string> RecordMaker::identified(const CaseResponse& sent) {
  const int status = sent.exchange.status();
  if (status / 100 == 4 || status == 501) {
    why_ = undoing_.status();
    rejected_ = status / 100 == 4;
    return std::nullopt;
  }
  const auto& exchange = sent.exchange;
  auto found =
      status / 100 == 2 ? identifier_in(own_, exchange.sent, exchange.response) : std::nullopt;
  if (!found) {
    why_ = undoing_.status();
    case_run_.undo_log().last(own_.create->name, path_of_collection(), status);
  }
  if (!found && status / 100 == 2 && !names_itself(exchange.sent)) {
    stop(own_.create->name + " succeeded without showing the identifier of a record");
  }
  return found;
}

bool RecordMaker::names_itself(const spec::http::Request& request) const {
  const auto body = spec::json::read(request.body);
  return body && std::ranges::any_of(own_.members, [&](const std::string& name) {
           return body.value().is_object() && body.value().contains(name);
         });
}

std::string RecordMaker::path_of_collection() const {
  return case_run_.settings().secrets.redacted(case_run_.path_of(*own_.create, parents_));
}

bool RecordMaker::is_new(const CaseResponse& sent, const std::string& identifier) const {
  const auto number = spec::text::parse_number<long long>(identifier);
  const bool later = number && state_.greatest > 0 && *number > state_.greatest;
  return state_.removed.contains(identifier) ||
         (!state_.existing.contains(identifier) && (later || sent.exchange.status() == 201));
}

RecordMaker::Ownership RecordMaker::ownership_of(const CaseResponse& created,
                                                 const plan::RequestPlan& request,
                                                 const std::string& identifier) {
  const auto* read = ask(*own_.read, item(identifier));
  const auto status = undoing_.status();
  const auto record = read == nullptr ? std::nullopt : shown_by(*read);
  const bool shown = record && shows(own_, *record, request.body.value_or(json()), identifier);
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
  if (read != nullptr && !names_itself(created.exchange.sent)) {
    report_wrong_record(*read, record.value_or(json()), identifier);
  }
  return Ownership::kOther;
}

void RecordMaker::report_wrong_record(const CaseResponse& read, const json& record,
                                      const std::string& identifier) {
  const auto named = identifier_of(own_, record);
  const bool missing = read.exchange.status() / 100 == 4;
  const bool another = named && *named != identifier;
  stop("GET does not show the record that " + own_.create->name + " created as it was sent (" +
           undoing_.status() + ")",
       missing ? "record/created" : "record/another", missing || another ? &read : nullptr);
}

std::optional<json> RecordMaker::shown_by(const CaseResponse& read) const {
  const auto body =
      spec::json::read(read.exchange.status() == 200 ? read.exchange.response.body : "");
  const auto* record = body ? record_in(own_, body.value()) : nullptr;
  return record == nullptr ? std::nullopt : std::optional(*record);
}

bool RecordMaker::note(const std::string& identifier, const std::string& marker) {
  if (own_.remove == nullptr) {
    case_run_.undo_log().last(own_.create->name, path_of_collection(), kCreated);
    return false;
  }
  case_run_.undo_log().note(removal(identifier, marker));
  state_.existing.insert(identifier);
  state_.removed.erase(identifier);
  const auto number = spec::text::parse_number<long long>(identifier);
  state_.greatest = std::max(state_.greatest, number.value_or(0));
  return true;
}

void RecordMaker::forget(const std::string& identifier) {
  case_run_.undone(key(identifier));
  state_.existing.erase(identifier);
  state_.removed.insert(identifier);
}

PendingUndo RecordMaker::removal(const std::string& identifier, const std::string& marker) const {
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

bool CaseRun::needs_other_texts() const {
  const auto& unique = context_.undo.unique;
  const auto found = item_.own == nullptr ? unique.end() : unique.find(item_.own->create->id);
  return found != unique.end() && found->second;
}

plan::RequestPlan CaseRun::with_other_texts(plan::RequestPlan request) {
  const auto& own = *item_.own;
  if (number_.empty() || own.is_created_by(item_.operation)) {
    number_ = new_number();
  }
  const auto others = with_texts(own, own.request, number_);
  for (const auto& [name, form] : own.texts) {
    const bool is_same = request.body && request.body->is_object() &&
                         request.body->contains(name) &&
                         request.body->at(name) == own.request.body->at(name);
    if (is_same) {
      (*request.body)[name] = others.body->at(name);
    }
  }
  return request;
}

std::optional<client::Exchange> CaseRun::exchange_with_texts(const plan::RequestPlan& request,
                                                             const spec::http::Request& made,
                                                             const Expectation& expect,
                                                             const client::SendOptions& options) {
  static constexpr std::array<int, 3> kTaken{400, 409, 422};
  auto exchange = exchange_with_retries(made, expect, options);
  const bool may_be_taken =
      exchange && std::ranges::find(kTaken, exchange->status()) != kTaken.end() &&
      expect.want == Want::kAccepted && settings().target == Target::kService &&
      item_.own != nullptr && !item_.own->texts.empty() &&
      !context_.undo.unique.contains(item_.own->create->id);
  if (!may_be_taken) {
    return exchange;
  }
  const auto others = built(operation_, with_other_texts(request));
  auto again = others && others.value().body != made.body
                   ? exchange_with_retries(others.value(), expect, options)
                   : std::nullopt;
  const bool is_unique = again && again->status() / 100 == 2;
  context_.undo.unique[item_.own->create->id] = is_unique;
  return is_unique ? std::move(again) : std::move(exchange);
}

}  // namespace contract_tests::run
