#pragma once

// Infers what changes a record by the meaning of words: actions, "POST /todos/{id}/complete", jobs
// that go on by themselves, and logins that issue a token. Called by infer() alone, last.

#include "spec/contract/contract.hpp"
#include "spec/contract/resources/infer.hpp"
#include "spec/contract/resources/record_plan.hpp"
#include "spec/contract/resources/resource.hpp"

#include <map>
#include <string>

namespace spec::contract::resources {

struct ActionInput {
  const Contract& contract;
  const KnownBindings& known;
  const Resources& resources;
  const std::map<std::string, Plan>& plans;  // by form
};

void add_actions(const ActionInput& input, Inference& found);

}  // namespace spec::contract::resources
