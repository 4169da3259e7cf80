#include "mock_server/program/tests/api_on_disk.hpp"

#include <cstdlib>
#include <fstream>
#include <system_error>

namespace mock_server::program {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kContract = R"(openapi: 3.1.0
info: {title: Meters, version: "1"}
paths:
  /meters/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: get_meter
      responses:
        "200": {$ref: "#/components/responses/Meter"}
        default: {description: an error, content: {application/json: {schema: {type: object}}}}
    patch:
      operationId: change_meter
      requestBody:
        content: {application/json: {schema: {type: object, properties: {unit: {type: string}}}}}
      responses:
        "200": {$ref: "#/components/responses/Meter"}
        default: {description: an error, content: {application/json: {schema: {type: object}}}}
components:
  responses:
    Meter:
      description: A meter
      content: {application/json: {schema: {$ref: "schemas/meter.yaml"}}}
)";

constexpr std::string_view kOperations = R"(collections: {meters: {}}
operations:
  get_meter: {behaviour: read, collection: meters, key: /path/id}
  change_meter: {behaviour: update, collection: meters, key: /path/id, fields: {unit: {}}}
)";

}  // namespace

ApiOnDisk::ApiOnDisk() {
  write("fixtures/operations.yaml", kOperations);
  write_version(0);
}

void ApiOnDisk::write_version(int version) const {
  write("contract.yaml", kContract);
  write_schema("maxLength: 9");
  write_fixtures(unit_of(version), How::kMovedIn);
}

void ApiOnDisk::break_one(int turn) const {
  switch (turn % 5) {
    case 0: write("contract.yaml", kContract.substr(0, kContract.size() / 2)); break;
    case 1: write("schemas/meter.yaml", "{type: [object"); break;
    case 2: write_fixtures("much too long for the schema", How::kMovedIn); break;
    case 3: fs::remove(folder_.path() / "schemas/meter.yaml"); break;
    default: write("fixtures/meters.yaml", "one: {id: one\n\tunit: x}\n"); break;
  }
}

void ApiOnDisk::write_schema(std::string_view rule) const {
  write("schemas/meter.yaml",
        "type: object\nrequired: [id]\nproperties: {id: {type: string}, unit: {type: string, " +
            std::string(rule) + "}}\n");
}

void ApiOnDisk::write_fixtures(const std::string& unit, How how) const {
  write("fixtures/meters.yaml", "one: {id: one, unit: " + unit + "}\n", how);
}

void ApiOnDisk::add_fixture(const std::string& name, std::string_view text) const {
  write("fixtures/" + name, text);
}

void ApiOnDisk::write(const std::string& name, std::string_view text, How how) const {
  const fs::path path = folder_.path() / name;
  fs::create_directories(path.parent_path());
  const fs::path written = how == How::kInPlace ? path : fs::path(path.string() + ".new");
  std::ofstream(written, std::ios::binary) << text;
  if (how == How::kMovedIn) {
    fs::rename(written, path);
  }
}

}  // namespace mock_server::program
