#include "contract_tests/run/changes/surroundings.hpp"

#include "contract_tests/plan/restoration.hpp"
#include "contract_tests/run/changes/own_list.hpp"
#include "contract_tests/run/status.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace contract_tests::run::changes {

using nlohmann::json;
using spec::contract::Operation;

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
        named = named && settings.names.find(name) && !settings.made_up.contains(name);
        request.path[parameter.name] = "${" + name + '}';
      }
    }
    if (named && !request.path.empty()) {
      found.push_back(std::move(request));
    }
  }
  return found;
}

std::optional<json> record_of(const Sent* sent) {
  const bool found = sent != nullptr && sent->exchange.status() == 200 && sent->exchange.whole();
  auto body = spec::json::read(found ? sent->exchange.response.body : "");
  return body && body.value().is_object() ? std::optional(std::move(body.value())) : std::nullopt;
}

// What two readings have in common: the rest changes by itself.
json steady_members(const json& first, const json& second) {
  auto steady = json::object();
  for (const auto& [name, value] : first.items()) {
    if (second.contains(name) && spec::json::equal(second.at(name), value)) {
      steady[name] = value;
    }
  }
  return steady;
}

// Of a list that cannot be read, nothing is known.
void note_list(CaseRun& case_run, const plan::OwnRecord& own) {
  const auto parents = parents_of(case_run.item());
  const auto key = case_run.path_of(*own.create, parents);
  auto& all = case_run.undo_log().surroundings();
  if (!all.contains(key)) {
    const auto list = read_list(case_run, own, parents);
    all.emplace(key, Witness{.read = own.list,
                             .request = parents,
                             .own = &own,
                             .count = list ? list->count() : std::nullopt});
  }
}

void look_at_record(CaseRun& case_run, const std::string& key, const Witness& witness) {
  const auto* sent = case_run.fetch(*witness.read, witness.request);
  if (const auto now = record_of(sent)) {
    auto compared = json::object();
    for (const auto& [name, value] : witness.was.items()) {
      if (now->contains(name)) {
        compared[name] = now->at(name);
      }
    }
    for (const auto& left : differences(key, witness.was, compared)) {
      case_run.leave(left);
    }
  } else if (sent != nullptr && is_gone(sent->exchange.status())) {
    case_run.leave({.place = key, .now = named(sent->exchange.status()), .was = "there"});
  } else {
    case_run.undo_log().doubt("whether " + key + " is as it was: it could not be read again");
  }
}

// The list, looked at up to three times while it counts fewer than `min`, or also more where it
// must count `exactly` as many: it may be behind its records.
std::optional<OwnList> settled_list(CaseRun& case_run, const plan::OwnRecord& own,
                                    const plan::RequestPlan& parents, std::optional<long long> min,
                                    bool exactly = false) {
  constexpr int kLooks = 3;
  std::optional<OwnList> list;
  for (int look = 0; look < kLooks && (look == 0 || case_run.pause(look)); ++look) {
    list = read_list(case_run, own, parents);
    const auto count = list ? list->count() : std::nullopt;
    if (!min || !count || count == min || (count > min && !exactly)) {
      break;
    }
  }
  return list;
}

// More than before are not known to be the run's: each of its own records was looked for after it
// was removed.
void look_at_list(CaseRun& case_run, const std::string& key, const Witness& witness) {
  const auto list = witness.count
                        ? settled_list(case_run, *witness.own, witness.request, witness.count, true)
                        : std::nullopt;
  const auto count = list ? list->count() : std::nullopt;
  if (count && count == witness.count) {
    return;
  }
  if (count && *count < *witness.count) {
    case_run.leave({.place = "the number of records of " + key,
                    .now = std::to_string(*count),
                    .was = std::to_string(*witness.count)});
    return;
  }
  case_run.undo_log().doubt(
      "whether other records of " + key + " are as they were: " +
      (count ? "there are " + std::to_string(*count) + " now and were " +
                   std::to_string(*witness.count) + " before the run"
             : "no list was read that shows all of them, or how many there are"));
}

}  // namespace

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
  auto& all = case_run.undo_log().surroundings();
  const auto seen = all.find(case_run.path_of(*own.create, parents));
  const auto total = before && !before->whole ? before->total : std::nullopt;
  const bool known =
      seen != all.end() && seen->second.count && (!total || *total == *seen->second.count + 1);
  if (seen != all.end() && !known) {
    seen->second.count.reset();
  }
  const auto was = before && (before->whole || known) ? before->count() : std::nullopt;
  const auto after = before
                         ? settled_list(case_run, own, parents, was ? std::optional(*was - 1) : was)
                         : std::nullopt;
  auto lacked = after ? identifiers_lacked(own, *before, *after) : std::vector<std::string>();
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
  const auto now = after ? after->count() : std::nullopt;
  if (losses.empty() && was && now && *now < *was - 1) {
    losses.push_back({"other records too: " + own.list->name + " counted " + std::to_string(*was) +
                          " before and counts " + std::to_string(*now),
                      after->last, checks::Severity::kWarning});
  }
  return losses;
}

std::optional<Loss> loss_of_run(CaseRun& case_run, const plan::OwnRecord& own,
                                const plan::RequestPlan& parents) {
  const auto& all = case_run.undo_log().surroundings();
  const auto seen = all.find(case_run.path_of(*own.create, parents));
  const auto was = seen == all.end() ? std::nullopt : seen->second.count;
  const auto list = was ? settled_list(case_run, own, parents, was) : std::nullopt;
  const auto now = list ? list->count() : std::nullopt;
  if (!now || *now >= *was) {
    return std::nullopt;
  }
  return Loss{own.list->name + " must count " + std::to_string(*was) +
                  " records as before the run, but counts " + std::to_string(*now),
              list->last};
}

void note_surroundings(CaseRun& case_run) {
  const auto* const own = case_run.item().own.get();
  const auto& operation = case_run.operation();
  const auto* const read =
      own != nullptr ? own->read
                     : plan::find_operation(case_run.settings().contract, "GET", operation.path);
  if (own != nullptr) {
    note_list(case_run, *own);
  }
  if (read == nullptr) {
    return;
  }
  auto& all = case_run.undo_log().surroundings();
  const auto restored = case_run.path_of(*read, {.path = case_run.item().request.path});
  for (auto& request : named_records(case_run, *read)) {
    const auto key = case_run.path_of(*read, request);
    const bool is_new = !key.empty() && key != restored && !all.contains(key);
    const auto first = record_of(is_new ? case_run.fetch(*read, request) : nullptr);
    const auto second = record_of(first ? case_run.fetch(*read, request) : nullptr);
    if (first && second) {
      all.emplace(key, Witness{.read = read,
                               .request = std::move(request),
                               .was = steady_members(*first, *second)});
    }
  }
}

void look_again(CaseRun& case_run) {
  for (const auto& [key, witness] : case_run.undo_log().surroundings()) {
    if (witness.own != nullptr) {
      look_at_list(case_run, key, witness);
    } else {
      look_at_record(case_run, key, witness);
    }
  }
}

}  // namespace contract_tests::run::changes
