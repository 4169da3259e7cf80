// Pages of lists at their bounds.

#include "mock_server/service/tests/test_service.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <ostream>
#include <string>

namespace mock_server::service {
namespace {

using ::testing::HasSubstr;

constexpr const char* kPagesContract = R"yaml(
openapi: 3.1.0
info: {title: Pages, version: "1"}
paths:
  /lamps:
    get:
      operationId: list_lamps
      parameters:
        - {name: page, in: query, schema: {type: integer}}
        - {name: page_size, in: query, schema: {type: integer}}
      responses:
        "200":
          description: d
          headers: {Link: {schema: {type: string}}, X-Total-Pages: {schema: {type: integer}}}
          content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Lamp"}}}}
    post:
      operationId: create_lamp
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Lamp"}}}}
      responses: {"201": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Lamp"}}}}}
  /lamps/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {operationId: get_lamp, responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Lamp"}}}}}}
components: {schemas: {Lamp: {type: object, required: [id], properties: {id: {type: integer}}}}}
)yaml";

TEST(Pages, are_right_beyond_the_last_one_and_for_the_largest_numbers) {
  TestService service({{"contract.yaml", kPagesContract}}, 7);
  const auto list = [&](const std::string& query) { return service.get("/lamps?" + query); };
  const auto count = [&](const std::string& query) {
    return nlohmann::json::parse(list(query).body).size();
  };
  const auto header = [&](const std::string& query, std::string_view name) {
    return std::string(list(query).headers.find(name).value_or(""));
  };

  EXPECT_THAT(header("page_size=2&page=5", "Link"), HasSubstr("page=4>; rel=\"prev\""));
  EXPECT_THAT(header("page_size=2&page=9", "Link"), HasSubstr("page=4>; rel=\"prev\""));
  EXPECT_THAT(header("page_size=2&page=4", "Link"), HasSubstr("page=3>; rel=\"prev\""));
  EXPECT_EQ(header("page_size=9223372036854775807", "X-Total-Pages"), "1");
  EXPECT_EQ(header("page_size=2", "X-Total-Pages"), "4");
  EXPECT_EQ(count("page_size=2&page=-9223372036854775808"), 2U);
  EXPECT_EQ(count("page_size=2&page=-99999999999999999999999"), 2U);
  EXPECT_EQ(count("page_size=2&page=9223372036854775807"), 0U);
  EXPECT_EQ(count("page_size=2&page=99999999999999999999999"), 0U);
}

constexpr const char* kSpellings = R"yaml(
openapi: 3.1.0
info: {title: Shop, version: "1"}
paths:
  /products:
    get:
      operationId: list_products
      parameters:
        - {name: sort, in: query, schema: {type: string}}
        - {name: direction, in: query, schema: {type: string, enum: [asc, desc]}}
        - {name: min_price, in: query, schema: {type: integer}}
        - {name: price_lte, in: query, schema: {type: integer}}
        - {name: max_price, in: query, schema: {type: string}}
        - {name: price__lt, in: query, schema: {type: integer}}
        - {name: price.gt, in: query, schema: {type: integer}}
        - {name: "price[gte]", in: query, schema: {type: integer}}
        - {name: created, in: query, style: deepObject, schema: {type: object, properties: {gt: {type: integer}}}}
        - {name: filter, in: query, style: deepObject, schema: {type: object, properties: {kind: {type: string}}}}
        - {name: kind, in: query, schema: {enum: [all, toy, book]}}
        - {name: q, in: query, schema: {type: string}}
        - {name: ids, in: query, schema: {type: array, items: {type: string}}}
        - {name: maker.city, in: query, schema: {type: string}}
        - {name: expand, in: query, schema: {type: string}}
        - {name: limit, in: query, schema: {type: string}}
        - {name: starting_after, in: query, schema: {type: string}}
        - {name: ending_before, in: query, schema: {type: string}}
      responses:
        "200":
          description: d
          content:
            application/json:
              schema:
                type: object
                required: [data, first_id, last_id, has_more]
                properties:
                  data: {type: array, items: {$ref: "#/components/schemas/Product"}}
                  first_id: {type: string, example: it_abc}
                  last_id: {type: string, example: it_xyz}
                  has_more: {type: boolean}
                  cursor: {type: string}
              example:
                first_id: it_abc
                last_id: it_xyz
                has_more: true
                data:
                  - {id: a, name: Kite, price: 30, kind: toy, created: 3, maker: {city: Oslo}}
                  - {id: b, name: Atlas, price: 10, kind: book, created: 1, maker: {city: Turin}}
                  - {id: c, name: Ball, price: 20, kind: toy, created: 2, maker: {city: Oslo}}
  /products/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: get_product, responses: {"200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Product"}}}}}}
components:
  schemas:
    Product:
      type: object
      required: [id, name, price]
      properties:
        id: {type: string}
        name: {type: string}
        price: {type: integer}
        kind: {enum: [toy, book]}
        created: {type: integer}
        maker: {type: object, properties: {city: {type: string}}}
)yaml";

struct Spelling {
  std::string query;
  std::string ids;
  std::string rest = R"({"has_more":false})";
  std::string warning{};
};

void PrintTo(const Spelling& row, std::ostream* out) {
  *out << row.query;
}

class ListSpelling : public ::testing::TestWithParam<Spelling> {};

void expect_played(const std::string& contract, const Spelling& spelling) {
  TestService service({{"contract.yaml", contract}}, 3);

  const auto response = service.get("/products?" + spelling.query);

  auto body = nlohmann::json::parse(response.body);
  std::string ids;
  for (const auto& row : body["data"]) {
    ids += row["id"].get<std::string>();
  }
  EXPECT_EQ(ids, spelling.ids);
  EXPECT_EQ(body["first_id"], ids.substr(0, 1));
  EXPECT_EQ(body["last_id"], ids.substr(ids.empty() ? 0 : ids.size() - 1));
  for (const char* const known : {"data", "first_id", "last_id"}) {
    body.erase(known);
  }
  EXPECT_EQ(body.dump(), spelling.rest);
  EXPECT_EQ(response.headers.find("X-Counterpart-Warning").value_or(""), spelling.warning);
}

TEST_P(ListSpelling, is_played_or_warned_of) {
  expect_played(kSpellings, GetParam());
}

TEST_P(ListSpelling, is_played_for_an_example_that_belongs_to_no_collection) {
  std::string contract = kSpellings;
  const std::size_t start = contract.find("  /products/{id}:");
  contract.erase(start, contract.find("components:") - start);

  Spelling spelling = GetParam();
  if (spelling.query == "expand=maker") {  // no record could be shown there
    spelling.warning = "not played: expand maker, which the response does not have";
  }
  expect_played(contract, spelling);
}

const std::string kMore = R"({"cursor":"b","has_more":true})";

INSTANTIATE_TEST_SUITE_P(
    Of, ListSpelling,
    ::testing::Values(
        Spelling{"", "abc"}, Spelling{"sort=price_asc", "bca"}, Spelling{"sort=-price", "acb"},
        Spelling{"sort=price:desc,name", "acb"}, Spelling{"sort=kind,-name", "bac"},
        Spelling{"sort=newest", "acb"}, Spelling{"sort=cheapest", "bca"},
        Spelling{"sort=name&direction=desc", "acb"},
        Spelling{"sort=glow", "abc", R"({"has_more":false})",
                 "not played: the order \"glow\", which names no member of the records"},
        Spelling{"min_price=20", "ac"}, Spelling{"price_lte=20", "bc"},
        Spelling{"max_price=10", "b"}, Spelling{"price__lt=20", "b"}, Spelling{"price.gt=20", "a"},
        Spelling{"price[gte]=20", "ac"}, Spelling{"created[gt]=2", "a"},
        Spelling{"filter[kind]=book", "b"}, Spelling{"kind=toy", "ac"}, Spelling{"kind=all", "abc"},
        Spelling{"q=tLa", "b"}, Spelling{"ids=a&ids=c", "ac"}, Spelling{"maker.city=Oslo", "ac"},
        Spelling{"expand=maker", "abc", R"({"has_more":false})", "not played: query/expand"},
        Spelling{"limit=2", "ab", kMore}, Spelling{"limit=2&starting_after=b", "c"},
        Spelling{"limit=1&ending_before=c", "b", kMore},
        Spelling{"limit=2&ending_before=c", "ab", R"({"cursor":"b","has_more":false})"},
        Spelling{"min_price=99", ""}));

constexpr const char* kReport = R"yaml(
openapi: 3.1.0
info: {title: Bank, version: "1"}
paths:
  /accounts/{id}/bookings:
    get:
      operationId: list_bookings
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
        - {name: currency, in: query, required: true, schema: {type: string}}
        - {name: date_from, in: query, required: true, schema: {type: string, format: date}}
        - {name: offset, in: query, schema: {type: integer}}
        - {name: limit, in: query, schema: {type: integer}}
        - {name: fields, in: query, schema: {type: string}}
      responses:
        "200":
          description: d
          content:
            application/json:
              schema:
                type: object
                properties:
                  total: {type: integer}
                  bookings:
                    type: array
                    minItems: 1
                    items: {type: object, required: [currency, date], properties: {currency: {type: string}, date: {type: string, format: date}}}
              example:
                total: 90
                bookings: [{currency: EUR, date: "2026-01-02"}, {currency: USD, date: "2026-01-03"}]
)yaml";

struct Asked {
  std::string query;
  std::string body;
  std::string warning{};
};

TEST(ListOfAnExample, has_what_every_request_asks_for) {
  TestService service({{"contract.yaml", kReport}}, 3);
  const std::string both =
      R"([{"currency":"EUR","date":"2026-01-02"},{"currency":"USD","date":"2026-01-03"}])";
  for (const Asked& row : {
           Asked{"currency=USD&date_from=2026-01-01",
                 R"({"bookings":[{"currency":"USD","date":"2026-01-03"}],"total":1})"},
           Asked{"currency=CHF&date_from=2026-01-03",
                 R"({"bookings":[{"currency":"CHF","date":"2026-01-03"}],"total":1})"},
           Asked{"currency=EUR&date_from=2030-01-01",
                 R"({"bookings":[{"currency":"EUR","date":"2026-01-02"}],"total":1})",
                 "not played: query/date_from, of which the example has none"},
           Asked{
               "currency=EUR&date_from=2026-01-01&offset=1",
               R"({"bookings":)" + both + R"(,"total":90})",
               "not played: filters, order and pages, because the list would violate the contract "
               "(body/bookings: must have at least 1 element, but has 0)"},
           Asked{"currency=EUR&date_from=2026-01-01&fields=date",
                 R"({"bookings":[{"currency":"EUR","date":"2026-01-02"}],"total":1})",
                 "not played: query/fields"},
       }) {
    const auto response = service.get("/accounts/a/bookings?" + row.query);

    EXPECT_EQ(response.body, row.body) << row.query;
    EXPECT_EQ(response.headers.find("X-Counterpart-Warning").value_or(""), row.warning);
  }
}

}  // namespace
}  // namespace mock_server::service
