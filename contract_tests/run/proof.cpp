#include "contract_tests/run/proof.hpp"

#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <vector>

namespace contract_tests::run {

using nlohmann::json;
using spec::contract::Contract;
using spec::contract::Operation;

namespace {

constexpr int kDeepest = 12;  // of a schema that contains itself

// Two lists and how much of them was seen.
struct Sides {
  json seen = json::array();
  json unseen = json::array();

  void add(bool is_seen, json what) { (is_seen ? seen : unseen).push_back(std::move(what)); }

  json value() const { return {{"seen", seen}, {"unseen", unseen}}; }
};

struct Score {
  std::size_t proven = 0;
  std::size_t provable = 0;

  void add(const Sides& sides) {
    proven += sides.seen.size();
    provable += sides.seen.size() + sides.unseen.size();
  }

  void add(bool is_seen) {
    proven += is_seen ? 1 : 0;
    ++provable;
  }
};

}  // namespace

void Proof::learn(const spec::document::Node& schema, const std::string& place, int depth,
                  Seen& seen) {
  if (depth > kDeepest) {
    return;
  }
  const auto view = checks::view(schema);
  if (!place.empty()) {
    auto& entry = seen.places[place];
    entry.nullable = view.nullable;
    for (const auto& value : view.values) {
      entry.values.insert(spec::json::write(value.value()));
    }
  }
  for (const auto& [name, property] : view.properties) {
    auto below = place;
    spec::json::append_token(below, name);
    learn(property, below, depth + 1, seen);
  }
  if (view.items && (view.items.find("properties") || view.items.find("$ref"))) {
    learn(view.items, place + "/*", depth + 1, seen);
  }
}

void Proof::learn(const Contract& contract, const Operation& operation, Seen& seen) {
  seen.known = true;
  for (const auto& answer : operation.answers) {
    if (answer.status / 100 != 2 && answer.range != 2) {
      continue;
    }
    for (const auto& content : answer.contents) {
      if (content.schema && content.media_type.is_json()) {
        learn(contract.schemas().source(*content.schema), "", 0, seen);
      }
    }
  }
}

void Proof::look(const json& value, const std::string& place, Seen& seen) {
  const auto found = seen.places.find(place);
  if (found != seen.places.end()) {
    found->second.seen = true;
    found->second.null_seen = found->second.null_seen || value.is_null();
    if (!found->second.values.empty()) {
      found->second.values_seen.insert(spec::json::write(value));
    }
  } else if (!place.empty()) {
    return;  // not documented: nothing to prove
  }
  if (value.is_object()) {
    for (const auto& [name, member] : value.items()) {
      auto below = place;
      spec::json::append_token(below, name);
      look(member, below, seen);
    }
  } else if (value.is_array()) {
    for (const auto& element : value) {
      look(element, place + "/*", seen);
    }
  }
}

void Proof::note(const Contract& contract, const Operation& operation, const Sighting& sighting) {
  const std::lock_guard lock(mutex_);
  auto& seen = operations_[operation.id];
  if (!seen.known) {
    learn(contract, operation, seen);
  }
  seen.statuses.insert(sighting.status);
  seen.second_page = seen.second_page || sighting.second_page;
  seen.refusal = seen.refusal || sighting.refusal;
  const bool success = sighting.status / 100 == 2 && sighting.body != nullptr;
  if (success && seen.bodies.insert(std::hash<std::string_view>{}(sighting.text)).second) {
    look(*sighting.body, "", seen);
  }
}

json Proof::to_json(const Contract& contract, const std::set<std::string>& paged,
                    const std::set<std::string>& asked) const {
  const std::lock_guard lock(mutex_);
  Score score;
  auto operations = json::object();
  for (const auto& operation : contract.operations()) {
    if (!asked.empty() && !asked.contains(operation.id)) {
      continue;
    }
    const auto found = operations_.find(operation.id);
    Seen seen = found == operations_.end() ? Seen{} : found->second;
    if (!seen.known) {
      learn(contract, operation, seen);
    }
    Sides statuses;
    Sides fields;
    Sides nulls;
    Sides values;
    for (const auto& answer : operation.answers) {
      if (answer.status != 0) {
        statuses.add(seen.statuses.contains(answer.status), answer.status);
      }
    }
    for (const auto& [place, entry] : seen.places) {
      fields.add(entry.seen, place);
      if (entry.nullable) {
        nulls.add(entry.null_seen, place);
      }
      constexpr std::size_t kFewValues = 20;  // more are a list of codes, not of states
      for (const auto& value :
           entry.values.size() > kFewValues ? std::set<std::string>{} : entry.values) {
        values.add(entry.values_seen.contains(value), place + " = " + value);
      }
    }
    for (const auto* sides : {&statuses, &fields, &nulls, &values}) {
      score.add(*sides);
    }
    score.add(seen.refusal);
    auto& made = operations[operation.id] = {{"statuses", statuses.value()},
                                             {"fields", fields.value()},
                                             {"nulls", nulls.value()},
                                             {"values", values.value()},
                                             {"refusal", seen.refusal}};
    if (paged.contains(operation.id)) {
      made["second_page"] = seen.second_page;
      score.add(seen.second_page);
    }
  }
  return {{"proven", score.proven}, {"provable", score.provable}, {"operations", operations}};
}

}  // namespace contract_tests::run
