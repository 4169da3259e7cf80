#include "mock_server/control/endpoints/endpoints.hpp"
#include "mock_server/control/journal/describe.hpp"
#include "mock_server/control/journal/metrics_text.hpp"
#include "mock_server/control/request/control_request.hpp"
#include "mock_server/control/request/error_response.hpp"
#include "mock_server/reply/error_response.hpp"
#include "spec/document/text_file.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

namespace mock_server::control::endpoints {
namespace {

namespace fs = std::filesystem;

using fixtures::ErrorKind;
using journal::Gauges;
using journal::list_assumptions;
using journal::list_operations;
using nlohmann::json;
using reply::json_response;
using request::ControlContext;
using request::no_room;
using request::reject;
using spec::http::Response;

fs::path schema_folder(const ControlRequest& request) {
  return request.context.api.options.contract.parent_path() / "schemas";
}

// The service that requests of some session may be passed on to.
json upstream_of(const request::Settings& program) {
  if (program.upstream == nullptr || !program.upstream->settings) {
    return nullptr;
  }
  const auto& service = *program.upstream->settings;
  return {{"url", service.url.text()}, {"mode", upstream::name_of(service.mode)}};
}

std::vector<std::string> schema_names(const ControlRequest& request) {
  std::vector<std::string> names;
  for (const fs::path& path : spec::document::paths_in(schema_folder(request))) {
    if (path.extension() == ".json") {
      names.push_back(path.filename().string());
    }
  }
  return names;
}

}  // namespace

Response show_health(const ControlRequest& request) {
  const auto& contract = request.context.api.contract;
  json collections = json::object();
  json planned = json::object();
  for (const auto& [name, collection] : request.context.api.fixtures.collections()) {
    (collection.is_seeded() ? collections : planned)[name] = collection.size();
  }
  const bool names_tokens = request.context.settings.names_tokens ||
                            request.context.api.fixtures.credentials().has_value();
  json health{
      {"service", "counterpart"},
      {"status", "ok"},
      {"version", request.context.settings.version},
      {"contract",
       {{"title", contract.title()},
        {"version", contract.version()},
        {"file", request.context.api.contract.root().place().file},
        {"document_only", request.context.api.options.document_only},
        {"operations", contract.operations().size()}}},
      {"credentials", names_tokens ? "named" : "any"},
      {"records", collections},
      {"planned_records", planned},
      {"upstream", upstream_of(request.context.settings)},
      {"sessions", request.context.store.size()},
      {"session_bytes",
       {{"limit", request.context.store.limits().bytes},
        {"used", request.context.store.used_bytes()}}},
      {"journal",
       {{"limit_bytes", request.context.journal.limit_bytes()},
        {"used_bytes", request.context.journal.used_bytes()},
        {"session", window_of(request.context.journal, request.context.session.serial())}}}};
  if (request.context.settings.more_health) {
    health.update(request.context.settings.more_health());
  }
  return json_response(200, health);
}

Response show_liveness(const ControlRequest&) {
  return json_response(200, {{"alive", true}});
}

Response show_readiness(const ControlRequest& request) {
  const auto& not_ready = request.context.settings.not_ready;
  const auto reasons = not_ready ? not_ready() : std::vector<std::string>{};
  if (reasons.empty()) {
    return json_response(200, {{"ready", true}});
  }
  std::string all;
  for (const std::string& reason : reasons) {
    all += (all.empty() ? "" : "; ") + reason;
  }
  return reply::error_response(503, "NOT_READY", all, {{"ready", false}});
}

Response show_metrics(const ControlRequest& request) {
  const ControlContext& context = request.context;
  const Gauges gauges{context.settings.version, context.journal.limit_bytes(),
                      context.journal.used_bytes(), context.journal.last_id(),
                      context.store.size()};
  const json health =
      context.settings.more_health ? context.settings.more_health() : json::object();
  Response response;
  response.headers.add("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
  response.body = metrics_text(context.metrics.snapshot(), gauges, health);
  return response;
}

Response show_operations(const ControlRequest& request) {
  const fixtures::LoadedApi& api = request.context.api;
  json list = list_operations(api);
  const auto& by_flag = request.context.settings.rate_limit;
  for (const auto& operation : api.contract.operations()) {
    if (const auto* const limit = by_flag ? &*by_flag : api.fixtures.rate_limit(operation)) {
      json& shown = list[operation.index]["rate_limit"];
      shown = {{"requests", limit->requests}, {"seconds", limit->window.count()}};
      if (limit->is_bucket()) {
        shown["burst"] = limit->burst;
      }
    }
  }
  return json_response(200, {{"operations", std::move(list)}});
}

Response show_assumptions(const ControlRequest& request) {
  return json_response(200, {{"assumptions", list_assumptions(request.context.api.contract)}});
}

Response show_contract(const ControlRequest& request) {
  return json_response(200, request.context.api.contract.root().value());
}

Response show_control_contract(const ControlRequest& request) {
  return json_response(200, request.context.control_api.contract().root().value());
}

Response show_control_text(const ControlRequest&) {
  Response response;
  response.headers.add("Content-Type", "application/yaml");
  response.body = request::Api::text();
  return response;
}

Response list_schemas(const ControlRequest& request) {
  json links = json::array();
  for (const std::string& name : schema_names(request)) {
    links.push_back({{"name", name}, {"href", "/_mock/spec/schemas/" + name}});
  }
  return json_response(200, {{"schemas", links}});
}

Response show_schema(const ControlRequest& request) {
  const auto names = schema_names(request);
  // Only names that the folder lists are opened: nothing can lead out of it.
  if (std::ranges::find(names, request.argument) == names.end()) {
    return reject(ErrorKind::kNotFound,
                  "there is no such schema; known: " + spec::text::names_listed(names));
  }
  auto text = spec::document::read_file(schema_folder(request) / request.argument);
  Response response;
  response.headers.add("Content-Type", "application/schema+json");
  response.body = text ? std::move(*text) : "";
  return response;
}

Response reset_session(const ControlRequest& request) {
  if (request.context.store.reset(request.context.session) != state::Put::kDone) {
    return no_room();
  }
  clear_journal(request);
  return json_response(200, {{"session", request.context.session.name()}, {"reset", true}});
}

}  // namespace mock_server::control::endpoints
