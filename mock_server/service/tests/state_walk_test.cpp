// Contracts without a line of fixtures: what is created, changed and deleted at random agrees with
// a small model at every step.

#include "mock_server/service/tests/test_service.hpp"
#include "mock_server/service/tests/walk_seed.hpp"
#include "spec/json/read.hpp"
#include "spec/tests/paths.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <string>

namespace mock_server::service {
namespace {

using nlohmann::json;
using spec::http::Response;

constexpr int kCalls = 10'000;
constexpr int kCallsOfAStart = 2'500;  // then the mock ends and starts again

std::string text_of(const std::string& file) {
  std::ifstream stream(test_paths::source() + '/' + file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// The differences between the contracts that are walked.
struct WalkedApi {
  std::string contract;
  std::string path;
  std::string list_at;        // JSON pointer of the list in its response
  std::string all;            // query that asks for a long page
  std::string number_member;  // of the body, beside "title"; "" for none
};

void PrintTo(const WalkedApi& api, std::ostream* out) {
  *out << api.contract;
}

class Walk {
 public:
  Walk(const WalkedApi& api, std::uint64_t seed)
      : api_(api), random_(seed), service_({{"contract.yaml", text_of(api.contract)}}, 0) {}

  void step() {
    switch (random_() % 8) {
      case 0:
      case 1: return create();
      case 2: return read();
      case 3: return list();
      case 4: return change("PUT");
      case 5: return change("PATCH");
      case 6: return remove();
      default: return read_other();
    }
  }

  void start() { create(); }

  void restart() { service_.restart(); }

 private:
  json new_body() {
    json body{{"title", "title " + std::to_string(random_() % 1000)}};
    if (!api_.number_member.empty()) {
      body[api_.number_member] = 1 + random_() % 1000;
    }
    return body;
  }

  static json value_of(const Response& response) {
    auto value = spec::json::read(response.body);
    return value ? std::move(*value) : json("no JSON: " + response.body);
  }

  // The key of some record, half of the time of one that was deleted or never was.
  std::string some_key() {
    if (model_.empty() || random_() % 4 == 0) {
      return dead_.empty() ? "12345" : dead_[random_() % dead_.size()];
    }
    auto at = model_.begin();
    std::advance(at, static_cast<std::ptrdiff_t>(random_() % model_.size()));
    return at->first;
  }

  static std::string key_of(const json& record) {
    const json& id = record.at("id");
    return id.is_string() ? id.get<std::string>() : id.dump();
  }

  void expect_sent(const json& record, const json& sent) {
    for (const auto& [name, value] : sent.items()) {
      EXPECT_EQ(record.value(name, json()), value) << name;
    }
  }

  void create() {
    if (model_.size() >= 40) {
      return remove();
    }
    const json sent = new_body();
    const Response response = service_.send("POST", api_.path, sent.dump());
    ASSERT_EQ(response.status, 201) << response.body;
    const json record = value_of(response);
    expect_sent(record, sent);
    EXPECT_EQ(response.headers.find("Location"), api_.path + '/' + key_of(record));
    EXPECT_TRUE(model_.emplace(key_of(record), record).second) << "used twice: " << response.body;
  }

  void read() {
    const std::string key = some_key();
    const Response response = service_.get(api_.path + '/' + key);
    const auto known = model_.find(key);
    ASSERT_EQ(response.status, known != model_.end() ? 200 : 404) << key;
    if (known != model_.end()) {
      EXPECT_EQ(value_of(response), known->second);
    }
  }

  void read_other() {
    const Response response = service_.get(api_.path + "/99999999");
    EXPECT_EQ(response.status, 404);
  }

  void list() {
    const Response response = service_.get(api_.path + api_.all);
    ASSERT_EQ(response.status, 200) << response.body;
    const json listed = value_of(response).at(json::json_pointer(api_.list_at));
    ASSERT_EQ(listed.size(), std::min<std::size_t>(model_.size(), 20));
    for (const json& record : listed) {
      EXPECT_EQ(record, model_.at(key_of(record)));
    }
  }

  void change(const std::string& method) {
    const std::string key = some_key();
    const json sent = new_body();
    const Response response = service_.send(method, api_.path + '/' + key, sent.dump());
    const auto known = model_.find(key);
    ASSERT_EQ(response.status, known != model_.end() ? 200 : 404) << method << ' ' << key;
    if (known != model_.end()) {
      expect_sent(value_of(response), sent);
      EXPECT_EQ(key_of(value_of(response)), key);
      known->second = value_of(response);
    }
  }

  void remove() {
    const std::string key = some_key();
    const Response response = service_.ask({"DELETE", api_.path + '/' + key, {}, ""}).response;
    const bool is_known = model_.erase(key) != 0;
    ASSERT_EQ(response.status / 100, is_known ? 2 : 4) << key;
    if (is_known) {
      dead_.push_back(key);
    }
  }

  const WalkedApi& api_;
  std::mt19937_64 random_;
  TestService service_;
  std::map<std::string, json> model_;
  std::vector<std::string> dead_;
};

class StateWalk : public ::testing::TestWithParam<WalkedApi> {};

TEST_P(StateWalk, agrees_with_a_model) {
  const std::uint64_t seed = walk_seed();
  SCOPED_TRACE(seed_trace(seed));
  Walk walk(GetParam(), seed);
  walk.start();
  for (int call = 1; call <= kCalls && !HasFailure(); ++call) {
    walk.step();
    if (call % kCallsOfAStart == 0) {
      walk.restart();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Contracts, StateWalk,
    ::testing::Values(WalkedApi{"contract_tests/tests/services/json_server/openapi.yaml", "/posts",
                                "", "?_page=1&_limit=20", ""},
                      WalkedApi{"contract_tests/tests/services/faults/books.openapi.yaml", "/books",
                                "/items", "?page_size=20", "pages"}),
    [](const auto& one) { return one.param.path.substr(1); });

TEST(StateOfAnyContract, examples_are_sent_until_something_is_changed) {
  TestService service(
      {{"contract.yaml", text_of("contract_tests/tests/services/faults/books.openapi.yaml")}}, 0);
  const auto before = service.get("/books/any");
  EXPECT_EQ(before.status, 200);

  ASSERT_EQ(service.send("POST", "/books", R"({"title": "Emma", "pages": 3})").status, 201);

  EXPECT_EQ(service.get("/books/any").status, 404);
  EXPECT_EQ(service.ask({"POST", "/_mock/reset", {{"Content-Length", "0"}}, ""}).response.status,
            200);
  EXPECT_EQ(service.get("/books/any").body, before.body);
}

TEST(StateOfAnyContract, a_change_of_the_example_is_kept) {
  TestService service(
      {{"contract.yaml", text_of("contract_tests/tests/services/faults/books.openapi.yaml")}}, 0);

  ASSERT_EQ(service.send("PATCH", "/books/b7", R"({"title": "Emma"})").status, 200);

  const auto book = spec::json::read(service.get("/books/b7").body).value();
  EXPECT_EQ(book.at("id"), "b7");
  EXPECT_EQ(book.at("title"), "Emma");
  EXPECT_EQ(spec::json::read(service.get("/books").body).value(),
            (json{{"items", json::array({book})}}));
}

TEST(StateOfAnyContract, what_is_deleted_before_it_was_made_is_not_there) {
  TestService service(
      {{"contract.yaml", text_of("contract_tests/tests/services/faults/books.openapi.yaml")}}, 0);

  EXPECT_EQ(service.ask({"DELETE", "/books/b1", {}, ""}).response.status, 204);

  EXPECT_EQ(service.get("/books/b1").status, 404);
  EXPECT_EQ(service.ask({"DELETE", "/books/b1", {}, ""}).response.status, 404);
  EXPECT_EQ(service.get("/books/b2").status, 200);
}

constexpr const char* kShopContract = R"yaml(
openapi: 3.0.3
info: {title: Shop, version: "1"}
paths:
  /customers:
    get: {operationId: list_customers, responses: {"200": {description: d, content: {application/json: {schema: {type: object, properties: {data: {type: array, items: {$ref: "#/components/schemas/Customer"}}}}}}}}}
    post:
      operationId: create_customer
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Customer"}}}}
      responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Customer"}}}}}
  /customers/{customer_id}/cards:
    parameters: [{name: customer_id, in: path, required: true, schema: {type: string}}]
    get: {operationId: list_cards, responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Card"}}}}}}}
    post:
      operationId: add_card
      requestBody: {content: {application/json: {schema: {type: object, properties: {last4: {type: string}}}}}}
      responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Card"}}}}}
  /customers/{customer_id}/cards/{card_id}:
    parameters:
      - {name: customer_id, in: path, required: true, schema: {type: string}}
      - {name: card_id, in: path, required: true, schema: {type: string}}
    get: {operationId: get_card, responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Card"}}}}}}
    delete: {operationId: remove_card, responses: {"204": {description: d}}}
  /subscriptions/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: get_subscription, responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Subscription"}}}}}}
  /subscriptions:
    get: {operationId: list_subscriptions, responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Subscription"}}}}}}}
components:
  schemas:
    Customer: {type: object, required: [id, name], properties: {id: {type: string, example: cus_Ab12Cd34, readOnly: true}, name: {type: string}}}
    Card: {type: object, required: [id, last4], additionalProperties: false, properties: {id: {type: string}, last4: {type: string}}}
    Subscription: {type: object, required: [id, customer_id], properties: {id: {type: string, format: uuid}, customer_id: {type: string}}}
)yaml";

json shop_value(TestService& service, const std::string& target) {
  return spec::json::read(service.get(target).body).value();
}

// Requests have another shape than responses.
constexpr const char* kRackContract = R"yaml(
openapi: 3.0.3
info: {title: Racks, version: "1"}
paths:
  /racks:
    post:
      operationId: add_rack
      requestBody: {content: {application/json: {schema: {type: object, properties: {data: {$ref: "#/components/schemas/NewRack"}}}}}}
      responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Shown"}}}}}
  /racks/{rack_gid}:
    parameters: [{name: rack_gid, in: path, required: true, schema: {type: integer}}]
    get: {operationId: get_rack, responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Shown"}}}}}}
    patch:
      operationId: change_rack
      requestBody: {content: {application/json: {schema: {type: object, properties: {data: {$ref: "#/components/schemas/NewRack"}}}}}}
      responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Shown"}}}}}
components:
  schemas:
    NewRack: {type: object, properties: {name: {type: string}, site: {type: integer}, pin: {type: string, writeOnly: true}}}
    Shown: {type: object, required: [data], properties: {data: {$ref: "#/components/schemas/Rack"}}}
    Rack:
      type: object
      required: [gid, name, site]
      properties:
        gid: {type: string}
        name: {type: string}
        pin: {type: string, writeOnly: true}
        site: {type: object, required: [id, title], properties: {id: {type: integer}, title: {type: string}}}
)yaml";

json rack_in(const Response& response) {
  return spec::json::read(response.body).value().at("data");
}

TEST(StateOfAnyContract, what_is_shown_otherwise_than_sent_keeps_the_rest) {
  TestService service({{"contract.yaml", kRackContract}}, 0);

  const auto made =
      service.send("POST", "/racks", R"({"data": {"name": "North", "site": 7, "pin": "1234"}})");

  ASSERT_EQ(made.status, 201) << made.body;
  const json rack = rack_in(made);
  EXPECT_EQ(rack.at("name"), "North");
  EXPECT_EQ(rack.at("site").at("id"), 7);
  EXPECT_FALSE(rack.contains("pin"));
  EXPECT_NE(made.headers.find("X-Counterpart-Warning").value_or("").find("/site"),
            std::string::npos);
  const std::string path = "/racks/" + rack.at("gid").get<std::string>();
  EXPECT_EQ(rack_in(service.get(path)), rack);
  EXPECT_EQ(rack_in(service.send("PATCH", path, R"({"data": {"site": 8}})")).at("site").at("id"),
            8);
  EXPECT_EQ(rack_in(service.get(path)).at("name"), "North");
}

TEST(StateOfAnyContract, seeded_records_refer_to_each_other) {
  TestService service({{"contract.yaml", kShopContract}}, 3);

  const json customers = shop_value(service, "/customers").at("data");
  const json subscriptions = shop_value(service, "/subscriptions");

  ASSERT_EQ(customers.size(), 3U);
  ASSERT_EQ(subscriptions.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(subscriptions[i].at("customer_id"), customers[i].at("id"));
    EXPECT_EQ(customers[i].at("id").get<std::string>().substr(0, 4), "cus_");
    EXPECT_EQ(shop_value(service, "/subscriptions/" + subscriptions[i].at("id").get<std::string>()),
              subscriptions[i]);
  }
  std::size_t cards = 0;
  for (const json& customer : customers) {
    cards +=
        shop_value(service, "/customers/" + customer.at("id").get<std::string>() + "/cards").size();
  }
  EXPECT_EQ(cards, 3U);
  EXPECT_EQ(service.get("/customers/cus_unknown/cards").status, 404);
}

TEST(StateOfAnyContract, seeded_records_are_made_by_a_worker) {
  TestService service({{"contract.yaml", kShopContract}}, 3);
  const spec::http::Request list{"GET", "/customers", {}, ""};

  EXPECT_TRUE(service.ask(list).needs_worker);
  EXPECT_EQ(service.ask(list, true, true).response.status, 200);
  EXPECT_EQ(service.ask(list).response.status, 200);
}

TEST(StateOfAnyContract, health_counts_seeded_records_that_there_are) {
  TestService service({{"contract.yaml", kShopContract}}, 3);
  EXPECT_TRUE(service.get("/customers").status == 200);
  const json health = shop_value(service, "/_mock/health");

  EXPECT_EQ(health.at("records").value("customers", 0), 3);
  EXPECT_FALSE(health.at("planned_records").contains("customers"));
  EXPECT_EQ(health.at("planned_records").value("subscriptions", 0), 3);
}

TEST(StateOfAnyContract, nested_records_are_those_of_their_parents) {
  TestService service({{"contract.yaml", kShopContract}}, 0);
  const json customer =
      spec::json::read(service.send("POST", "/customers", R"({"name": "Ada"})").body).value();
  const std::string cards = "/customers/" + customer.at("id").get<std::string>() + "/cards";

  const auto made = service.send("POST", cards, R"({"last4": "4242"})");

  ASSERT_EQ(made.status, 201);
  const json card = spec::json::read(made.body).value();
  EXPECT_EQ(card.size(), 2U);
  EXPECT_EQ(card.at("last4"), "4242");
  EXPECT_EQ(shop_value(service, cards), json::array({card}));
  EXPECT_EQ(shop_value(service, cards + '/' + card.at("id").get<std::string>()), card);
  EXPECT_EQ(service.send("POST", "/customers/cus_other/cards", R"({"last4": "1"})").status, 404);
}

TEST(StateOfAnyContract, an_entry_of_operations_yaml_replaces_what_is_inferred) {
  TestService service(
      {{"contract.yaml", kShopContract},
       {"fixtures/operations.yaml", "operations: {list_customers: {behaviour: example}}"}},
      0);
  const auto before = service.get("/customers");

  ASSERT_EQ(service.send("POST", "/customers", R"({"name": "Ada"})").status, 201);

  EXPECT_EQ(service.get("/customers").body, before.body);
  EXPECT_EQ(service.get("/customers/cus_other/cards").status, 404);
}

}  // namespace
}  // namespace mock_server::service
