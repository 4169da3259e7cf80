#pragma once

// Members of records that collections start with, by which these name records of other collections:
// "customer_id", "billing_customer_id", "customerIds", also in lists and objects, and "parent_id".

#include "mock_server/api/binding.hpp"
#include "spec/contract/contract.hpp"
#include "spec/schema/schema_summary.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mock_server::api::loading {

// The key of a record as the record has it, without those of its parents.
nlohmann::json own_key(const Collection& collection, const Record& record);

class SeedReferences {
 public:
  // `fill` makes the records of a collection, with keys.
  SeedReferences(const spec::contract::Contract& contract, std::span<const Binding> bindings,
                 std::vector<Collection*> collections, std::function<void(Collection&)> fill)
      : contract_(contract),
        bindings_(bindings),
        collections_(std::move(collections)),
        fill_(std::move(fill)) {}

  // Makes members of the collection's records name records that exist, and those that repeat what
  // such a record says, say that. What the schemas reject is left.
  void add(Collection& collection);

 private:
  // What a name says: a collection, or a list that the contract has an example of.
  struct Referred {
    Collection* collection = nullptr;
    std::vector<nlohmann::json> keys{};  // of a collection once they are asked for
  };

  void name_all();
  void name_examples();
  const Referred* referred(std::string_view member);
  const Referred* with_keys(Referred& one);
  const Referred* referred_by_shape(const spec::schema::Schemas& schemas);
  const Referred* referred_by(const std::string& member, const spec::schema::Schemas& schemas);
  // `index` of the record, or of an element of a list in it, from that of the record on.
  void refer(std::size_t index, const std::string& member, const spec::schema::Schemas& schemas,
             nlohmann::json& value);
  void refer_all(std::size_t index, const std::string& member, const spec::schema::Schemas& schemas,
                 nlohmann::json& list);

  const spec::contract::Contract& contract_;
  std::span<const Binding> bindings_;
  std::vector<Collection*> collections_;  // by name
  std::function<void(Collection&)> fill_;
  std::map<std::string, Referred, std::less<>> by_name_;  // of one record, plain: "customer"
  Referred own_;                                          // of the collection that is made
};

}  // namespace mock_server::api::loading
