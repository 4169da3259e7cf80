#include "mock_server/api/loading/load_api.hpp"
#include "spec/tests/folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace mock_server::api {
namespace {

// Customers, their notes, and orders of customers; a customer names its last order.
constexpr const char* kShopContract = R"(
openapi: 3.1.0
info: {title: Shop, version: "1"}
paths:
  /customers: {get: {responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/customer"}}}}}}}}
  /customers/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/customer"}}}}}}
  /customers/{customer_id}/notes/{id}:
    parameters:
      - {name: customer_id, in: path, required: true, schema: {type: string}}
      - {name: id, in: path, required: true, schema: {type: string}}
    get: {responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/note"}}}}}}
    delete: {responses: {"204": {description: d}}}
  /orders: {get: {responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/order"}}}}}}}}
  /orders/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/order"}}}}}}
components:
  schemas:
    customer: {type: object, required: [id, order_id], properties: {id: {type: string}, name: {type: string}, order_id: {type: string}}}
    note: {type: object, required: [id, customer_id], properties: {id: {type: string}, customer_id: {type: string}, text: {type: string}}}
    order:
      type: object
      required: [id, customer_id, billingCustomerId, customer_ids, lines, parent_id]
      properties:
        id: {type: string}
        customer_id: {type: string}
        billingCustomerId: {type: string}
        parent_id: {type: [string, "null"]}
        customer_ids: {type: array, minItems: 2, maxItems: 2, items: {type: string}}
        lines: {type: array, minItems: 1, items: {type: object, required: [customer], properties: {customer: {type: object, required: [customer_uuid], properties: {customer_uuid: {type: string}}}}}}
)";

const std::vector<std::string> kNames{"customers", "notes", "orders"};

class SeedRecords : public testing::Test {
 protected:
  std::shared_ptr<const LoadedApi> load() const {
    LoadedApiOptions options;
    options.contract = folder_.path() / "contract.yaml";
    options.infers = true;
    options.seed_records = 3;
    options.seed = 7;
    return load_api(options);
  }

  static const Collection& collection(const LoadedApi& api, const std::string& name) {
    return api.fixtures.collections().at(name);
  }

  static std::string text_of(const Collection& collection) {
    std::string text;
    for (const Record& record : collection.records()) {
      text += record.key + ' ' + record.value.dump() + '\n';
    }
    return text;
  }

  static std::string in_order(const LoadedApi& api, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      EXPECT_TRUE(collection(api, name).find("none") == std::nullopt);
    }
    std::string text;
    for (const std::string& name : kNames) {
      text += text_of(collection(api, name));
    }
    return text;
  }

  test_support::Folder folder_;
  std::filesystem::path file_ = folder_.write("contract.yaml", kShopContract);
};

TEST_F(SeedRecords, are_made_when_a_collection_is_first_asked_for_one) {
  const auto api = load();
  const Collection& orders = collection(*api, "orders");

  EXPECT_FALSE(orders.is_seeded());
  EXPECT_EQ(orders.size(), 3U);
  EXPECT_EQ(orders.records().size(), 3U);
  EXPECT_TRUE(orders.is_seeded());
  EXPECT_FALSE(collection(*api, "customers").is_seeded());
}

TEST_F(SeedRecords, are_the_same_in_whatever_order_they_are_asked_for) {
  const std::string expected = in_order(*load(), {"customers", "notes", "orders"});

  EXPECT_EQ(in_order(*load(), {"orders", "notes", "customers"}), expected);
  EXPECT_EQ(in_order(*load(), {"notes", "customers", "orders"}), expected);
}

TEST_F(SeedRecords, name_records_of_other_collections) {
  const auto api = load();

  for (const Record& order : collection(*api, "orders").records()) {
    EXPECT_TRUE(collection(*api, "customers").find(order.value["customer_id"].get<std::string>()));
  }
  for (const Record& customer : collection(*api, "customers").records()) {
    EXPECT_TRUE(collection(*api, "orders").find(customer.value["order_id"].get<std::string>()));
  }
  for (const Record& note : collection(*api, "notes").records()) {
    EXPECT_TRUE(collection(*api, "customers").find(note.value["customer_id"].get<std::string>()));
  }
}

TEST_F(SeedRecords, name_records_in_lists_and_objects_and_by_longer_names) {
  const auto api = load();
  const Collection& customers = collection(*api, "customers");
  const auto is_customer = [&](const nlohmann::json& key) {
    return customers.find(key.get<std::string>()).has_value();
  };

  for (const Record& record : collection(*api, "orders").records()) {
    const auto& order = record.value;
    EXPECT_TRUE(is_customer(order["billingCustomerId"]));
    EXPECT_TRUE(is_customer(order["lines"][0]["customer"]["customer_uuid"]));
    ASSERT_EQ(order["customer_ids"].size(), 2U);
    EXPECT_TRUE(is_customer(order["customer_ids"][0]));
    EXPECT_TRUE(is_customer(order["customer_ids"][1]));
    EXPECT_NE(order["customer_ids"][0], order["customer_ids"][1]);
  }
}

TEST_F(SeedRecords, name_a_parent_before_them) {
  const auto api = load();
  const auto& orders = collection(*api, "orders").records();

  EXPECT_EQ(orders[0].value["parent_id"], nullptr);
  EXPECT_EQ(orders[1].value["parent_id"], orders[0].key);
  EXPECT_EQ(orders[2].value["parent_id"], orders[1].key);
}

TEST_F(SeedRecords, are_made_once_for_all_threads) {
  const std::string expected = in_order(*load(), kNames);
  const auto api = load();
  std::vector<std::string> found(4);
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < found.size(); ++i) {
    threads.emplace_back([&, i] {
      found[i] = in_order(*api, {kNames[i % kNames.size()], kNames[(i + 1) % kNames.size()]});
    });
  }
  threads.clear();

  EXPECT_THAT(found, testing::Each(expected));
}

TEST_F(SeedRecords, are_made_for_some_of_the_collections_that_are_listed) {
  const auto api = load();

  seed_some(api->fixtures.collections());

  EXPECT_TRUE(collection(*api, "orders").is_seeded());
}

}  // namespace
}  // namespace mock_server::api
