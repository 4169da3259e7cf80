#pragma once

// Members of generated records by which these name records of other collections: "customer_id",
// "billing_customer_id", "customerIds", also in lists and objects, and "parent_id"; and objects
// that show such a record: "customer". One for each store of fixtures; safe from any thread.

#include "mock_server/api/binding.hpp"
#include "mock_server/api/record_access.hpp"
#include "spec/contract/contract.hpp"
#include "spec/schema/schema_summary.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mock_server::api {

// The key of a record as the record has it, without those of its parents.
nlohmann::json own_key(const Collection& collection, const Record& record);

// The first object with members among the shapes of the schemas, behind its references; none if
// there is none.
std::optional<spec::schema::SchemaId> first_object(const spec::contract::Contract& contract,
                                                   const spec::schema::Schemas& schemas);

// What refers: a record of a collection, or, of none, another body.
struct Referrer {
  const Collection* own = nullptr;
  std::size_t index = 0;  // those of other indices name other records
  // The record of that key; null if there is none any more.
  std::function<SharedValue(const Collection& collection, const std::string& key)> find;
  std::function<bool(const nlohmann::json& value)> is_given = {};  // by the request: it stays
};

class References {
 public:
  // `fill` makes the records of a collection, with keys.
  References(const spec::contract::Contract& contract, std::span<const Binding> bindings,
             std::vector<Collection*> collections, std::function<void(Collection&)> fill)
      : contract_(contract),
        bindings_(bindings),
        collections_(std::move(collections)),
        fill_(std::move(fill)) {}

  // Makes members of the collection's records name and show records that exist, and those that
  // repeat what such a record says, say that. What the schemas reject is left.
  void add(Collection& collection);

  // The same for a generated record or body of these schemas.
  void refer(const Referrer& by, const spec::schema::Schemas& schemas, nlohmann::json& value);

  // The collection whose records a member of that name has the key of; null for none.
  const Collection* named(std::string_view member);

  // The collections whose records are the first object among the shapes of the schemas: of "the key
  // of a customer, or the customer" those of customers. Empty if there are none.
  std::vector<const Collection*> showing(const spec::schema::Schemas& schemas);

  // Held while records are made.
  std::unique_lock<std::recursive_mutex> lock() { return std::unique_lock(mutex_); }

 private:
  // What a name says: a collection, or a list that the contract has an example of.
  struct Referred {
    Collection* collection = nullptr;
    std::vector<nlohmann::json> keys{};  // of a collection once they are asked for
  };

  using Path = std::vector<std::string>;
  using Schemas = spec::schema::Schemas;

  void name_all();
  void name_examples();
  const Referred* with_keys(Referred* one);
  Referred* by_role(std::string_view subject);
  Referred* by_name(std::string_view member, bool is_key);
  Referred* by_shape(const Schemas& schemas);
  const Referred* by_key(const Referrer& by, const std::string& member, const Schemas& schemas);
  const Referred* shown_in(const std::string& member, spec::schema::SchemaId object);
  bool is_place(const Referrer& by, const Path& at, bool is_around) const;
  SharedValue start_record(const Collection& collection, std::size_t index) const;
  std::optional<std::size_t> pick(const Referrer& by, const Referred& other) const;
  // `at`: the place in what refers; its last name is that of the value, or of the list around it in
  // the singular.
  void refer_members(const Referrer& by, const Path& at, const Schemas& schemas,
                     nlohmann::json& object);
  void refer_part(const Referrer& by, const Path& at, const Schemas& schemas,
                  nlohmann::json& value);
  bool show_record(const Referrer& by, const Path& at, const Schemas& schemas,
                   nlohmann::json& object);
  void refer_key(const Referrer& by, const std::string& member, const Schemas& schemas,
                 nlohmann::json& value);
  void refer_all(const Referrer& by, Path at, const Schemas& schemas, nlohmann::json& list);

  const spec::contract::Contract& contract_;
  std::span<const Binding> bindings_;
  std::vector<Collection*> collections_;  // by name
  std::function<void(Collection&)> fill_;
  std::recursive_mutex mutex_;
  bool is_named_ = false;  // the next four are set
  std::map<const Collection*, Referred> of_collections_;
  std::map<std::string, Referred, std::less<>> of_examples_;
  std::map<std::string, Referred*, std::less<>> by_name_;  // of one record, plain: "customer"
  std::map<spec::schema::SchemaId, std::vector<Referred*>> by_object_;
  // Records as they were made, without references: what others show does not depend on which of
  // them were made first.
  std::map<const Collection*, std::vector<nlohmann::json>> bare_;
};

}  // namespace mock_server::api
