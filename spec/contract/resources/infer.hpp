#pragma once

// Works out which operations of a contract create, read, list, change and delete records of the
// same collection, from paths, methods, names and schemas; and writes that as the entries of an
// operations.yaml that would say the same. Pure functions of the contract; no fixtures, no state.

#include "spec/contract/contract.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mock_server::inference {

// An entry of operations.yaml under `operations`.
struct InferredBinding {
  const spec::contract::Operation* operation = nullptr;
  std::string collection;
  bool is_certain = false;  // schemas and names agree; else they only make it likely
  std::string why;          // a sentence without full stop
  nlohmann::ordered_json entry;
};

struct Inference {
  std::vector<InferredBinding> bindings;                      // in the contract's order
  std::map<std::string, nlohmann::ordered_json> collections;  // entries of new ones, by name
  // Why nothing was inferred, of the operations for which something might have been.
  std::map<const spec::contract::Operation*, std::string> unclear;
};

// What operations.yaml says already: operation -> name of its collection; "" if it has records in a
// way that others cannot join, nothing if it says nothing of records.
using Known = std::map<const spec::contract::Operation*, std::optional<std::string>>;

// `known` operations are left as they are; others on the same paths join their collections.
// `taken` are names of collections.
Inference infer(const spec::contract::Contract& contract, const Known& known,
                const std::vector<std::string>& taken);

// The whole as the text of an operations.yaml.
std::string operations_yaml(const Inference& inference);

}  // namespace mock_server::inference
