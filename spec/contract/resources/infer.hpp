#pragma once

// Infers which operations of a contract create, read, list, change and delete records of the same
// collection, from paths, methods, names and schemas. Each is given as the equivalent entry of an
// operations.yaml, as fixtures/README.md describes them. Pure functions of the contract; no
// fixtures, no state.

#include "spec/contract/contract.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace spec::contract::resources {

// An entry of operations.yaml under `operations`.
struct InferredBinding {
  const Operation* operation = nullptr;
  std::string collection;
  bool is_certain = false;  // schemas and names agree; else they only make it likely
  std::string why;          // a sentence without full stop
  nlohmann::ordered_json entry;
};

struct Inference {
  std::vector<InferredBinding> bindings;                      // in the contract's order
  std::map<std::string, nlohmann::ordered_json> collections;  // entries of new ones, by name
  // The reason why nothing was inferred, for operations that looked as if they had records.
  std::map<const Operation*, std::string> unclear;
};

// The operations that operations.yaml binds already, with the name of their collection; "" if it
// has records in a way that others cannot join, none if it has no records.
using KnownBindings = std::map<const Operation*, std::optional<std::string>>;

// `known` operations are left as they are; others on the same paths join their collections.
// `taken` are names of collections.
Inference infer(const Contract& contract, const KnownBindings& known,
                const std::vector<std::string>& taken);

}  // namespace spec::contract::resources
