#pragma once

// States of records by the names of members, of the values that enums list, and of actions: which
// state a new record has, which one "POST /orders/{id}/cancel" leads to, and how a job goes on.
// Pure functions of the contract.

#include "spec/contract/contract.hpp"
#include "spec/schema/schema_summary.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spec::contract::resources {

// The common part of the forms of a word, for comparison alone: "cancel", "cancelled", "CANCELED"
// and "canceling" have the same one.
std::string stem_of(std::string_view word);

// The state of a new record in a member of that name: the default, else the first of the enum's
// values that means a start ("pending", "draft", "queued"), else the first. Nothing for a member
// that is no state.
std::optional<nlohmann::json> first_state(const Contract& contract, const schema::Schemas& schemas,
                                          std::string_view name);

// True for a member that says that something happened to the record that has not happened to a new
// one: "deletedAt", "is_archived", "completed".
bool is_word_for_end(std::string_view name);

// Values by JSON pointer into the record, as `set` of operations.yaml has them.
struct Effect {
  nlohmann::ordered_json set = nlohmann::ordered_json::object();
  std::string why;  // "cancel sets status to cancelled (also listed: cancel_pending)"; "" for none
};

// The effect of an action that a path calls `verb` on a record of `resource`: the state, boolean
// and date that it names. `is_undone`: DELETE takes back what POST does.
Effect effect_of(const Contract& contract, const schema::Schemas& record, std::string_view verb,
                 std::string_view resource, bool is_undone);

// The states of a job, one after the other, as `after` of operations.yaml has them: queued,
// running, done. Empty if the enum has no such states.
nlohmann::ordered_json progress_of(const Contract& contract, const schema::Schemas& record,
                                   std::string_view from);

// The member that has the record's state, and its value in a new record; none without an enum.
struct StateMember {
  std::string member;
  std::string first;
  bool shows_work = false;  // it lists a state of work, "running", and a state after that
};

std::optional<StateMember> state_member(const Contract& contract, const schema::Schemas& record);

// True for an action that leaves a job's states to the service: "cancel", "retry".
bool is_word_for_interruption(std::string_view verb);

// The places of the token, and of its lifetime or end, in the response of an operation that logs
// somebody in, as `issues` of operations.yaml has them; null for any other operation.
nlohmann::ordered_json issued_token(const Contract& contract, const Operation& operation);

}  // namespace spec::contract::resources
