#include "spec/bench/texts.hpp"

#include "spec/document/document.hpp"
#include "spec/document/library.hpp"
#include "spec/json/value.hpp"

#include <nlohmann/json.hpp>

#include <string_view>

namespace spec::bench {
namespace {

void line(std::string& out, std::size_t indent, std::string_view text) {
  out.append(indent, ' ');
  out += text;
  out += '\n';
}

void property(std::string& out, std::size_t number) {
  const std::string name = "field_" + std::to_string(number);
  line(out, 8, name + ":");
  line(out, 10, "type: [string, \"null\"]");
  line(out, 10, "maxLength: " + std::to_string(100 + number));
  line(out, 10, "description: >-");
  line(out, 12, "What the record keeps under this name; it is written once and read by reports,");
  line(out, 12, "exports and the pages that people see.");
  line(out, 10, "examples: ['value " + std::to_string(number) + "', \"a \\u00e9 longer one\"]");
}

void schema(std::string& out, std::size_t number) {
  line(out, 4, "Record" + std::to_string(number) + ":");
  line(out, 6, "type: object");
  line(out, 6, "required: [id, amount, field_0]");
  line(out, 6, "properties:");
  line(out, 8, "id: {type: string, format: uuid}");
  line(out, 8, "amount: {type: integer, minimum: 0, maximum: 2147483647}");
  line(out, 8, "rate: {type: number, multipleOf: 0.01, default: 1.50}");
  for (std::size_t i = 0; i < 17; ++i) {
    property(out, i);
  }
}

void operation(std::string& out, std::size_t number) {
  const std::string id = std::to_string(number);
  line(out, 2, "/records_" + id + "/{id}:");
  line(out, 4, "get:");
  line(out, 6, "operationId: get_record_" + id);
  line(out, 6, "summary: Reads one record of kind " + id);
  line(out, 6, "parameters:");
  line(out, 8, "- {name: id, in: path, required: true, schema: {type: string}}");
  line(out, 8, "- {name: page_size, in: query, schema: {type: integer, maximum: 100}}");
  line(out, 6, "responses:");
  for (const std::string_view status : {"200", "404", "422"}) {
    line(out, 8, std::string(status) + ":");
    line(out, 10, "description: What came of it");
    line(out, 10, "content:");
    line(out, 12, "application/json:");
    line(out, 14, "schema:");
    line(out, 16, "$ref: '#/components/schemas/Record" + id + "'");
  }
}

}  // namespace

std::string usage_page() {
  auto items = nlohmann::json::array();
  for (int i = 0; i < 100; ++i) {
    const std::string number = std::to_string(i);
    items.push_back({{"start_date", "2025-08-04T05:43:19.882409Z"},
                     {"end_date", "2025-09-04T05:43:19.882409Z"},
                     {"meters",
                      {{{"id", "mtr_L9xVQ2zg4mZaouqKLiM" + number},
                        {"name", "API calls, all regions, with the retries of clients"},
                        {"description", "Every call that was answered, counted once when it ends"},
                        {"measurement_unit", "calls"},
                        {"currency", "USD"},
                        {"consumed_units", number + "234.5678"},
                        {"chargeable_units", number + "034.5678"},
                        {"free_threshold", 200},
                        {"price_per_unit", "0.0" + number},
                        {"total_price", 1000 + i},
                        {"total_due", "10" + number + ".25"}}}}});
  }
  return json::write({{"items", std::move(items)}});
}

std::string yaml_description(std::size_t operations) {
  std::string out = "openapi: 3.1.0\ninfo: {title: Records, version: '1'}\npaths:\n";
  for (std::size_t i = 0; i < operations; ++i) {
    operation(out, i);
  }
  out += "components:\n  schemas:\n";
  for (std::size_t i = 0; i < operations; ++i) {
    schema(out, i);
  }
  return out;
}

std::string json_description(std::size_t operations) {
  document::Library library;
  const std::string yaml = yaml_description(operations);
  const document::Node root =
      library.add("bench:yaml", "bench.yaml", yaml, document::Format::kYaml);
  return json::write(root.value());
}

}  // namespace spec::bench
