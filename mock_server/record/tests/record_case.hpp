#pragma once

// An API of notes, calls to it as HAR, and what `record --from` makes of them, for tests.

#include "mock_server/api/loading/load_api.hpp"
#include "mock_server/record/recorder.hpp"
#include "spec/document/text_file.hpp"
#include "spec/tests/folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace mock_server::record::tests {

namespace fs = std::filesystem;

using nlohmann::json;

inline constexpr const char* kContract = R"({
  "openapi": "3.1.0", "info": {"title": "Notes", "version": "1"},
  "security": [{"key": []}],
  "paths": {
    "/notes": {"get": {"operationId": "list_notes", "responses": {"200": {"description": "d",
        "content": {"application/json": {"schema": {"type": "array",
            "items": {"$ref": "#/components/schemas/Note"}}}}}}}},
    "/notes/{id}": {
      "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
      "get": {"operationId": "get_note", "responses": {"200": {"description": "d",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Note"}}}}}},
      "patch": {"operationId": "patch_note",
        "requestBody": {"content": {"application/json": {"schema": {"type": "object",
            "properties": {"title": {"type": "string"}}}}}},
        "responses": {"200": {"description": "d",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Note"}}}}}}},
    "/login": {"post": {"operationId": "login", "security": [],
      "requestBody": {"content": {"application/json": {"schema": {"type": "object",
        "required": ["user", "password"], "properties": {"user": {"type": "string"},
          "pin": {"type": "integer", "minimum": 1000, "maximum": 9999},
          "password": {"type": "string", "format": "password", "minLength": 10, "maxLength": 14}}}}}},
      "responses": {"200": {"description": "d", "content": {"application/json": {"schema": {
        "type": "object", "required": ["access_token"],
        "properties": {"access_token": {"type": "string", "pattern": "^tok-[a-f0-9]{16}$"}}}}}}}}}},
  "components": {
    "securitySchemes": {"key": {"type": "apiKey", "in": "query", "name": "sid"}},
    "schemas": {"Note": {"type": "object", "required": ["id"], "properties": {
      "id": {"type": "string"}, "title": {"type": "string"},
      "owner": {"type": "string", "format": "email", "maxLength": 40},
      "tier": {"enum": ["gold", "silver", "lead"]},
      "state": {"enum": ["pending", "done"]}}}}}})";

inline json entry(const std::string& method, const std::string& target, int status,
                  const json& response, const json& body = nullptr) {
  json request{
      {"method", method},
      {"url", "https://api.example.com" + target},
      {"httpVersion", "HTTP/2"},
      {"headers", json::array({{{"name", ":authority"}, {"value", "api.example.com"}},
                               {{"name", "Cookie"}, {"value", "s=planted-cookie-1"}},
                               {{"name", "X-Trace"}, {"value", "by mira@planted.example"}}})},
      {"cookies", json::array()},
      {"queryString", json::array()},
      {"headersSize", -1},
      {"bodySize", -1}};
  if (!body.is_null()) {
    request["postData"] = {{"mimeType", "application/json"}, {"text", body.dump()}};
    request["headers"].push_back({{"name", "Content-Type"}, {"value", "application/json"}});
  }
  return {{"startedDateTime", "2026-01-01T00:00:00Z"},
          {"time", 1},
          {"request", request},
          {"response",
           {{"status", status},
            {"statusText", ""},
            {"httpVersion", "HTTP/2"},
            {"headers", json::array({{{"name", "Content-Type"}, {"value", "application/json"}}})},
            {"cookies", json::array()},
            {"content", {{"size", 1}, {"mimeType", "application/json"}, {"text", response.dump()}}},
            {"redirectURL", ""},
            {"headersSize", -1},
            {"bodySize", -1}}},
          {"cache", json::object()},
          {"timings", {{"send", 0}, {"wait", 1}, {"receive", 0}}}};
}

inline json har(const json& entries) {
  return {
      {"log",
       {{"version", "1.2"}, {"creator", {{"name", "t"}, {"version", "1"}}}, {"entries", entries}}}};
}

inline json note(const std::string& state, const std::string& title = "t") {
  return {{"id", "n1"},
          {"title", title},
          {"owner", "mira@planted.example"},
          {"tier", "gold"},
          {"state", state}};
}

class Record : public ::testing::Test {
 protected:
  Record() {
    put("contract.json", kContract);
    options_.into = folder_ / "out";
    options_.redaction.names = {"pin"};
  }

  void put(const std::string& name, const std::string& text) const { own_.write(name, text); }

  std::string text(const std::string& name) const {
    const auto read = spec::document::read_file(folder_ / "out" / name);
    return read ? *read : "";
  }

  std::string everything() const {
    std::string all = out_.str() + notes_.str();
    for (const auto& file : fs::recursive_directory_iterator(folder_ / "out")) {
      if (file.is_regular_file()) {
        all += *spec::document::read_file(file.path());
      }
    }
    return all;
  }

  std::shared_ptr<const api::LoadedApi> api(std::vector<fs::path> folders = {}) const {
    return api::load_api(
        {.contract = folder_ / "contract.json", .folders = std::move(folders), .infers = true});
  }

  int record(const json& archive) {
    put("calls.har", archive.dump());
    options_.from = {folder_ / "calls.har"};
    return record_files(*api(), options_, out_, notes_, "1");
  }

  const test_support::Folder own_;
  const fs::path& folder_ = own_.path();
  RecordOptions options_;
  std::ostringstream out_;
  std::ostringstream notes_;
};

}  // namespace mock_server::record::tests
