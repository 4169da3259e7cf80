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

TEST_P(ListSpelling, is_played_or_warned_of) {
  TestService service({{"contract.yaml", kSpellings}}, 3);

  const auto response = service.get("/products?" + GetParam().query);

  auto body = nlohmann::json::parse(response.body);
  std::string ids;
  for (const auto& row : body["data"]) {
    ids += row["id"].get<std::string>();
  }
  EXPECT_EQ(ids, GetParam().ids);
  EXPECT_EQ(body["first_id"], ids.substr(0, 1));
  EXPECT_EQ(body["last_id"], ids.substr(ids.empty() ? 0 : ids.size() - 1));
  for (const char* const known : {"data", "first_id", "last_id"}) {
    body.erase(known);
  }
  EXPECT_EQ(body.dump(), GetParam().rest);
  EXPECT_EQ(response.headers.find("X-Counterpart-Warning").value_or(""), GetParam().warning);
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
        Spelling{"price__lt=20", "b"}, Spelling{"price.gt=20", "a"},
        Spelling{"price[gte]=20", "ac"}, Spelling{"created[gt]=2", "a"},
        Spelling{"filter[kind]=book", "b"}, Spelling{"kind=toy", "ac"}, Spelling{"kind=all", "abc"},
        Spelling{"q=tLa", "b"}, Spelling{"ids=a&ids=c", "ac"}, Spelling{"maker.city=Oslo", "ac"},
        Spelling{"expand=maker", "abc", R"({"has_more":false})", "not played: query/expand"},
        Spelling{"limit=2", "ab", kMore}, Spelling{"limit=2&starting_after=b", "c"},
        Spelling{"limit=1&ending_before=c", "b", kMore},
        Spelling{"limit=2&ending_before=c", "ab", R"({"cursor":"b","has_more":false})"},
        Spelling{"min_price=99", ""}));

}  // namespace
}  // namespace mock_server::service
