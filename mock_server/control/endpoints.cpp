#include "mock_server/control/endpoints.hpp"

#include "mock_server/control/describe.hpp"
#include "mock_server/control/journal_endpoints.hpp"
#include "mock_server/control/metrics_text.hpp"
#include "mock_server/control/refusal.hpp"
#include "mock_server/reply/answer.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

namespace mock_server::control {
namespace {

namespace fs = std::filesystem;

using fixtures::ErrorKind;
using nlohmann::json;
using reply::json_response;
using spec::http::Response;

fs::path schema_folder(const Ask& ask) {
  return ask.scene.world.options.contract.parent_path() / "schemas";
}

std::vector<std::string> schema_names(const Ask& ask) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(schema_folder(ask), error)) {
    if (entry.path().extension() == ".json") {
      names.push_back(entry.path().filename().string());
    }
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace

Response show_health(const Ask& ask) {
  const auto& contract = ask.scene.world.contract;
  json collections = json::object();
  for (const auto& [name, collection] : ask.scene.world.fixtures.collections()) {
    collections[name] = collection.records().size();
  }
  const bool names_tokens =
      ask.scene.settings.names_tokens || ask.scene.world.fixtures.credentials().has_value();
  json health{{"service", "counterpart"},
              {"status", "ok"},
              {"version", ask.scene.settings.version},
              {"contract",
               {{"title", contract.title()},
                {"version", contract.version()},
                {"file", ask.scene.world.contract.root().place().file},
                {"document_only", ask.scene.world.options.document_only},
                {"operations", contract.operations().size()}}},
              {"credentials", names_tokens ? "named" : "any"},
              {"records", collections},
              {"sessions", ask.scene.store.size()},
              {"session_bytes",
               {{"limit", ask.scene.store.limits().bytes}, {"used", ask.scene.store.used_bytes()}}},
              {"journal",
               {{"limit_bytes", ask.scene.journal.limit_bytes()},
                {"used_bytes", ask.scene.journal.used_bytes()},
                {"session", window_of(ask.scene.journal, ask.scene.session.serial())}}}};
  if (ask.scene.settings.more_health) {
    health.update(ask.scene.settings.more_health());
  }
  return json_response(200, health);
}

Response show_liveness(const Ask&) {
  return json_response(200, {{"alive", true}});
}

Response show_readiness(const Ask& ask) {
  const auto& not_ready = ask.scene.settings.not_ready;
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

Response show_metrics(const Ask& ask) {
  const Scene& scene = ask.scene;
  const Gauges gauges{scene.settings.version, scene.journal.limit_bytes(),
                      scene.journal.used_bytes(), scene.journal.last_id(), scene.store.size()};
  const json health = scene.settings.more_health ? scene.settings.more_health() : json::object();
  Response response;
  response.headers.add("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
  response.body = metrics_text(scene.metrics.snapshot(), gauges, health);
  return response;
}

Response show_operations(const Ask& ask) {
  return json_response(200, {{"operations", list_operations(ask.scene.world)}});
}

Response show_assumptions(const Ask& ask) {
  return json_response(200, {{"assumptions", list_assumptions(ask.scene.world.contract)}});
}

Response show_contract(const Ask& ask) {
  return json_response(200, ask.scene.world.contract.root().value());
}

Response show_control_contract(const Ask& ask) {
  return json_response(200, ask.scene.api.contract().root().value());
}

Response show_control_text(const Ask&) {
  Response response;
  response.headers.add("Content-Type", "application/yaml");
  response.body = Api::text();
  return response;
}

Response list_schemas(const Ask& ask) {
  json links = json::array();
  for (const std::string& name : schema_names(ask)) {
    links.push_back({{"name", name}, {"href", "/_mock/spec/schemas/" + name}});
  }
  return json_response(200, {{"schemas", links}});
}

Response show_schema(const Ask& ask) {
  const auto names = schema_names(ask);
  // Only names that the folder lists are opened: nothing can lead out of it.
  if (std::ranges::find(names, ask.argument) == names.end()) {
    return refuse(ErrorKind::kNotFound,
                  "there is no such schema; there are: " + spec::text::names_listed(names));
  }
  std::ifstream in(schema_folder(ask) / ask.argument, std::ios::binary);
  Response response;
  response.headers.add("Content-Type", "application/schema+json");
  response.body.assign(std::istreambuf_iterator<char>(in), {});
  return response;
}

Response reset_session(const Ask& ask) {
  ask.scene.session.reset();
  ask.scene.journal.clear(ask.scene.session.serial());
  return json_response(200, {{"session", ask.scene.session.name()}, {"reset", true}});
}

}  // namespace mock_server::control
