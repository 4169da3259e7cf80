#pragma once

// What a run saw of each operation, and what it never saw: statuses, fields, nulls, values of
// enums, a second page, a refused request. What was never seen was never proven, however many cases
// were kept. Filled by the workers; safe from any thread.

#include "contract_tests/checks/schema_view.hpp"
#include "spec/contract/contract.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

namespace contract_tests::run {

// One answer, as far as it proves something.
struct Sighting {
  int status = 0;
  const nlohmann::json* body = nullptr;  // of a JSON answer
  std::string_view text;                 // its bytes, by which one seen already is known
  bool second_page = false;              // items of a page behind the first
  bool refusal = false;                  // a request that deserved it was refused
};

class Proof {
 public:
  void note(const spec::contract::Contract& contract, const spec::contract::Operation& operation,
            const Sighting& sighting);

  // {proven, provable, operations: {ID: {statuses, fields, nulls, values, second_page, refusal}}};
  // each list is {seen: [...], unseen: [...]}. `paged` are the ids of operations with pages,
  // `asked` those that the run was about; empty: all.
  nlohmann::json to_json(const spec::contract::Contract& contract,
                         const std::set<std::string>& paged,
                         const std::set<std::string>& asked = {}) const;

 private:
  // A place of the successful answer's schema ("/items/*/meters/*/currency").
  struct Place {
    bool nullable = false;
    std::set<std::string> values;  // of its enum, as JSON texts
    bool seen = false;
    bool null_seen = false;
    std::set<std::string> values_seen;
  };

  struct Seen {
    bool known = false;  // `places` was filled
    std::map<std::string, Place> places;
    std::set<int> statuses;
    std::set<std::size_t> bodies;
    bool second_page = false;
    bool refusal = false;
  };

  static void learn(const spec::contract::Contract& contract,
                    const spec::contract::Operation& operation, Seen& seen);
  static void learn(const spec::document::Node& schema, const std::string& place, int depth,
                    Seen& seen);
  static void look(const nlohmann::json& value, const std::string& place, Seen& seen);

  mutable std::mutex mutex_;
  std::map<std::string, Seen> operations_;
};

}  // namespace contract_tests::run
