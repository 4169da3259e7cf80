#include "contract_tests/run/changes.hpp"

#include "contract_tests/plan/reversible_changes.hpp"
#include "contract_tests/run/status.hpp"
#include "spec/http/message.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace contract_tests::run {

using nlohmann::json;
using spec::contract::Operation;

namespace {

// A rejected request changes nothing; one without a response may have.
bool may_have_changed(const client::Exchange& exchange) {
  const int status = exchange.status();
  return !exchange.url.empty() && !spec::http::is_safe_method(exchange.sent.method) &&
         status / 100 != 4 && status != 501;
}

}  // namespace

void run_lasting(CaseRun& case_run) {
  const auto first = case_run.sent().size();
  case_run.run();
  const auto& settings = case_run.settings();
  for (auto at = first; at < case_run.sent().size(); ++at) {
    const auto& exchange = case_run.sent()[at].exchange;
    if (may_have_changed(exchange)) {
      const auto& name = case_run.operation().name;
      const auto& method = exchange.sent.method;
      case_run.undo_log().last(
          method == case_run.operation().method ? name : method + name.substr(name.find(' ')),
          settings.secrets.redacted(spec::http::path_of(exchange.sent.target)), exchange.status());
    }
  }
}

void give_up(CaseRun& case_run, const std::string& why, bool temporary) {
  const bool may_last = case_run.settings().consent.may_last(case_run.operation().id);
  if (may_last && !case_run.item().needs.own_record) {
    run_lasting(case_run);
  } else if (temporary) {
    case_run.inconclusive(why);
  } else {
    case_run.skip(why);
  }
}

const CaseResponse* UndoClient::ask(const spec::contract::Operation& operation,
                                    const plan::RequestPlan& request) {
  const auto* sent = reserved_ ? case_run_.fetch_reserved(operation, request)
                               : case_run_.fetch(operation, request);
  const bool answered = sent != nullptr && sent->exchange.has_response();
  const int status = answered ? sent->exchange.status() : 0;
  may_pass_ = !answered || is_transient(status);
  status_ = operation.name + ": " + (answered ? std::to_string(status) : "no response");
  return sent;
}

std::optional<json> UndoClient::record(const CaseResponse* sent) {
  const bool found =
      sent != nullptr && sent->exchange.status() == 200 && sent->exchange.is_complete();
  auto body = spec::json::read(found ? sent->exchange.response.body : "");
  if (body && body.value().is_object()) {
    return std::move(body.value());
  }
  status_ += found ? ", but not a JSON object" : "";
  return std::nullopt;
}

UndoResult UndoClient::undo(const PendingUndo& change) {
  UndoResult made{.acted = ask(*change.operation, change.request)};
  const int status = made.acted == nullptr ? 0 : made.acted->exchange.status();
  made.accepted = status / 100 == 2 || (change.removes() && is_gone(status));
  if (made.accepted) {
    made.seen =
        change.read == nullptr ? made.acted : ask(*change.read, {.path = change.request.path});
  }
  return made;
}

void put_back(CaseRun& case_run, const PendingUndo& change) {
  UndoClient undoing(case_run, true);
  const auto place = case_run.path_of(*change.operation, change.request);
  const auto leave = [&](const std::string& what) {
    case_run.leave({.place = what, .curl = case_run.curl_of(*change.operation, change.request)});
  };
  // Without the marker, it may be another record.
  const auto* found = change.marker.empty() ? nullptr : undoing.ask(*change.read, change.request);
  if (found != nullptr && found->exchange.response.body.find(change.marker) == std::string::npos) {
    case_run.pace().release(change.requests() - 1);
    leave("a record that the run has asked for was not removed, because GET does not show it");
    return;
  }
  const auto made = undoing.undo(change);
  if (change.removes()) {
    const auto* seen = made.accepted ? made.seen : undoing.ask(*change.read, change.request);
    if (seen == nullptr || !is_gone(seen->exchange.status())) {
      leave(place + " was created by the run and may still exist (" + undoing.status() + ')');
    }
  } else if (!made.accepted) {
    leave(place + " could not be restored; before the run it was " + change.was.dump());
  } else if (const auto now = undoing.record(made.seen); change.read != nullptr && !now) {
    leave(place + " was written back, but could not be read again to check it");
  } else if (change.read != nullptr) {
    case_run.leave(place, change.was, *now);
  }
}

namespace {

// The addresses of the records at the path of `read` that the subjects file names, for whatever
// operation.
std::vector<plan::RequestPlan> named_records(const CaseRun& case_run, const Operation& read) {
  const auto& settings = case_run.settings();
  std::vector<plan::RequestPlan> found;
  for (const auto& other : settings.contract.operations()) {
    plan::RequestPlan request;
    bool named = other.path == read.path;
    for (const auto& parameter : other.parameters) {
      const auto name = other.id + '.' + parameter.name;
      if (parameter.location == spec::contract::Location::kPath) {
        named = named && settings.names.find(name) && !settings.made_up.contains(name) &&
                !settings.created.contains(name);
        request.path[parameter.name] = "${" + name + '}';
      }
    }
    if (named && !request.path.empty()) {
      found.push_back(std::move(request));
    }
  }
  return found;
}

// The members of `record` that `other` has too; of two readings, `steady`, those that are the same
// there: the rest changes by itself.
json common_members(const json& record, const json& other, bool steady = false) {
  auto common = json::object();
  for (const auto& [name, value] : record.items()) {
    if (other.contains(name) && (!steady || spec::json::equal(other.at(name), value))) {
      common[name] = value;
    }
  }
  return common;
}

std::string collection_path(const CaseRun& case_run, const plan::OwnRecord& own,
                            const plan::RequestPlan& parents) {
  auto path = case_run.path_of(own.list == nullptr ? *own.create : *own.list, parents);
  return own.list == nullptr && own.chooses_identifier() ? path.substr(0, path.rfind('/')) : path;
}

std::optional<long long> count_of(const std::optional<OwnList>& list) {
  return list ? list->count() : std::nullopt;
}

void look_at_record(CaseRun& case_run, const std::string& key, const InitialReading& witness) {
  UndoClient undoing(case_run);
  const auto* sent = undoing.ask(*witness.read, witness.request);
  if (const auto now = undoing.record(sent)) {
    case_run.leave(key, witness.was, common_members(*now, witness.was));
  } else if (sent != nullptr && is_gone(sent->exchange.status())) {
    case_run.leave({.place = key, .now = named(sent->exchange.status()), .was = "there"});
  } else {
    case_run.undo_log().doubts.insert("whether " + key +
                                      " is as it was: it could not be read again");
  }
}

// A list when it has settled.
struct ListCount {
  std::optional<OwnList> list;
  std::optional<long long> count;
  bool lacks_some = false;  // it counts fewer than it must
};

// The list, looked at up to three times while it counts fewer than `min`, or also more where it
// must count `exactly` as many: it may be behind its records.
ListCount count_again(CaseRun& case_run, const plan::OwnRecord& own,
                      const plan::RequestPlan& parents, std::optional<long long> min,
                      bool exactly = false) {
  constexpr int kLooks = 3;
  ListCount made;
  for (int look = 0; look < kLooks && (look == 0 || case_run.pause(look)); ++look) {
    made.list = read_list(case_run, own, parents);
    made.count = count_of(made.list);
    made.lacks_some = min && made.count && *made.count < *min;
    if (!min || !made.count || (!made.lacks_some && (made.count == min || !exactly))) {
      break;
    }
  }
  return made;
}

// More than before are not known to be the run's: each of its own records was looked for after it
// was removed.
void look_at_list(CaseRun& case_run, const std::string& key, const InitialReading& witness) {
  const auto was = witness.count ? std::optional(*witness.count - witness.kept) : witness.count;
  const auto now =
      was ? count_again(case_run, *witness.own, witness.request, was, true) : ListCount{};
  if (now.lacks_some) {
    case_run.leave({.place = "the number of records of " + key,
                    .now = std::to_string(*now.count),
                    .was = std::to_string(*was)});
  } else if (!now.count || now.count != was) {
    case_run.undo_log().doubts.insert(
        "whether other records of " + key + " are as they were: " +
        (now.count ? "there are " + std::to_string(*now.count) + " now and were " +
                         std::to_string(*was) + " before the run"
                   : "no list was read that shows all of them, or how many there are"));
  }
}

}  // namespace

// Nothing is known about a list that cannot be read.
void note_list(CaseRun& case_run, const plan::OwnRecord& own, const plan::RequestPlan& parents) {
  const auto key = collection_path(case_run, own, parents);
  auto& all = case_run.undo_log().initial_readings;
  if (!all.contains(key)) {
    all.emplace(key, InitialReading{.read = own.list,
                                    .request = parents,
                                    .own = &own,
                                    .count = count_of(read_list(case_run, own, parents))});
  }
}

void count_for_run(CaseRun& case_run, const plan::OwnRecord& own,
                   const plan::RequestPlan& parents) {
  auto& seen = case_run.undo_log().initial_readings.at(collection_path(case_run, own, parents));
  const auto now = seen.count ? count_of(read_list(case_run, own, parents)) : std::nullopt;
  if (now && *now > *seen.count) {
    ++seen.kept;
    ++*seen.count;
  }
}

plan::RequestPlan parents_of(const Case& item) {
  plan::RequestPlan request;
  request.path = item.request.path;
  request.path.erase(item.own->parameter);
  return request;
}

std::vector<Loss> losses_by_deletion(CaseRun& case_run, const plan::OwnRecord& own,
                                     const plan::RequestPlan& parents,
                                     const std::optional<OwnList>& before,
                                     const std::set<std::string>& removed) {
  constexpr std::size_t kTried = 3;
  auto& all = case_run.undo_log().initial_readings;
  const auto seen = all.find(collection_path(case_run, own, parents));
  const auto total = before && !before->whole ? before->total : std::nullopt;
  const bool known =
      seen != all.end() && seen->second.count && (!total || *total == *seen->second.count + 1);
  if (seen != all.end() && !known) {
    seen->second.count.reset();
  }
  const auto was = before && (before->whole || known) ? before->count() : std::nullopt;
  const auto after = before
                         ? count_again(case_run, own, parents, was ? std::optional(*was - 1) : was)
                         : ListCount{};
  auto lacked =
      after.list ? identifiers_lacked(own, *before, *after.list) : std::vector<std::string>();
  std::erase_if(lacked, [&removed](const auto& other) { return removed.contains(other); });
  lacked.resize(std::min(lacked.size(), kTried));
  std::map<std::string, plan::RequestPlan> others;  // by path
  for (const auto& [path, witness] : all) {
    if (witness.read == own.read) {
      others.emplace(path, witness.request);
    }
  }
  for (const auto& other : lacked) {
    auto request = parents;
    request.path[own.parameter] = other;
    others.emplace(case_run.path_of(*own.read, request), request);
  }
  std::vector<Loss> losses;
  for (const auto& [path, other] : others) {
    const auto* read = case_run.fetch(*own.read, other);
    if (read != nullptr && is_gone(read->exchange.status())) {
      case_run.note_removed(*read);
      losses.push_back({path + " too", read});
    }
  }
  if (losses.empty() && after.lacks_some) {
    losses.push_back({"other records too: " + own.list->name + " counted " + std::to_string(*was) +
                          " before and counts " + std::to_string(*after.count),
                      after.list->last, checks::Severity::kWarning});
  }
  return losses;
}

std::optional<Loss> loss_of_run(CaseRun& case_run, const plan::OwnRecord& own,
                                const plan::RequestPlan& parents) {
  const auto& all = case_run.undo_log().initial_readings;
  const auto seen = all.find(collection_path(case_run, own, parents));
  const auto was = seen == all.end() ? std::nullopt : seen->second.count;
  const auto now = was ? count_again(case_run, own, parents, was) : ListCount{};
  if (!now.lacks_some) {
    return std::nullopt;
  }
  return Loss{
      {own.list->name + " must count " + std::to_string(*was) + " records as before the run",
       "counts " + std::to_string(*now.count)},
      now.list->last};
}

void read_initial_state(CaseRun& case_run) {
  const auto* const own = case_run.item().own.get();
  const auto& operation = case_run.operation();
  const auto* const read =
      own != nullptr ? own->read
                     : plan::find_operation(case_run.settings().contract, "GET", operation.path);
  if (own != nullptr) {
    note_list(case_run, *own, parents_of(case_run.item()));
  }
  if (read == nullptr) {
    return;
  }
  auto& all = case_run.undo_log().initial_readings;
  UndoClient undoing(case_run);
  const auto restored = case_run.path_of(*read, {.path = case_run.item().request.path});
  for (auto& request : named_records(case_run, *read)) {
    const auto key = case_run.path_of(*read, request);
    const bool is_new = !key.empty() && key != restored && !all.contains(key);
    const auto first = undoing.record(is_new ? undoing.ask(*read, request) : nullptr);
    const auto second = undoing.record(first ? undoing.ask(*read, request) : nullptr);
    if (first && second) {
      all.emplace(key, InitialReading{.read = read,
                                      .request = std::move(request),
                                      .was = common_members(*first, *second, true)});
    }
  }
}

void look_again(CaseRun& case_run) {
  for (const auto& [key, witness] : case_run.undo_log().initial_readings) {
    if (witness.own != nullptr) {
      look_at_list(case_run, key, witness);
    } else {
      look_at_record(case_run, key, witness);
    }
  }
}

}  // namespace contract_tests::run
