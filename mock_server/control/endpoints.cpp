#include "mock_server/control/endpoints.hpp"

#include "mock_server/control/describe.hpp"
#include "mock_server/fixtures/answer.hpp"
#include "mock_server/fixtures/instant.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <vector>

namespace mock_server::control {
namespace {

namespace fs = std::filesystem;

using fixtures::ErrorKind;
using fixtures::json_response;
using nlohmann::json;
using spec::http::Response;

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = result.ec == std::errc{} && result.ptr == text.data() + text.size();
  return whole ? std::optional(value) : std::nullopt;
}

// The value of a query parameter; "" when it is not given.
std::string query_value(const Ask& ask, std::string_view name) {
  std::string_view query = spec::http::query_of(ask.request.target);
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos && pair.substr(0, equals) == name) {
      return spec::http::percent_decode(pair.substr(equals + 1), true).value_or("");
    }
  }
  return "";
}

json window_of(const Ask& ask) {
  const auto window = ask.scene.journal.window(ask.scene.session.serial());
  return {{"noted", window.noted}, {"kept", window.kept}, {"lost", window.noted - window.kept}};
}

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

Response refuse(const Scene& scene, ErrorKind kind, std::string_view details) {
  const auto& entry = scene.world.fixtures.errors()[kind];
  return fixtures::error_response(entry.status, entry.code, entry.message_with(details));
}

Response show_health(const Ask& ask) {
  const auto& contract = ask.scene.world.contract;
  json collections = json::object();
  for (const auto& [name, collection] : ask.scene.world.fixtures.collections()) {
    collections[name] = collection.records().size();
  }
  json health{{"service", "counterpart"},
              {"status", "ok"},
              {"version", ask.scene.settings.version},
              {"contract",
               {{"title", contract.title()},
                {"version", contract.version()},
                {"file", ask.scene.world.options.contract.string()},
                {"document_only", ask.scene.world.options.document_only},
                {"operations", contract.operations().size()}}},
              {"records", collections},
              {"sessions", ask.scene.store.size()},
              {"journal",
               {{"limit_bytes", ask.scene.journal.limit_bytes()},
                {"used_bytes", ask.scene.journal.used_bytes()},
                {"session", window_of(ask)}}}};
  if (ask.scene.settings.more_health) {
    health.update(ask.scene.settings.more_health());
  }
  return json_response(200, health);
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
    std::string all;
    for (const std::string& name : names) {
      all += (all.empty() ? "" : ", ") + name;
    }
    return refuse(ask.scene, ErrorKind::kNotFound,
                  "there is no such schema; there are: " + (all.empty() ? "none" : all));
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

Response list_requests(const Ask& ask) {
  constexpr std::uint64_t kDefaultLimit = 100;
  constexpr std::uint64_t kHighestLimit = 10'000;
  const std::string limit_text = query_value(ask, "limit");
  const std::string after_text = query_value(ask, "after");
  const auto limit = limit_text.empty() ? kDefaultLimit : parse_number(limit_text).value_or(0);
  const auto after = after_text.empty() ? 0 : parse_number(after_text);
  if (limit < 1 || limit > kHighestLimit || !after) {
    return refuse(ask.scene, ErrorKind::kInvalidParameters,
                  "query: limit must be 1 to 10000, after must be an id");
  }
  std::deque<json> newest;
  ask.scene.journal.each(ask.scene.session.serial(), [&](const state::Entry& entry) {
    if (entry.id <= *after) {
      return;
    }
    newest.push_back(summarise(entry));
    if (newest.size() > limit) {
      newest.pop_front();
    }
  });
  return json_response(200, {{"session", ask.scene.session.name()},
                             {"requests", json(newest)},
                             {"window", window_of(ask)}});
}

Response clear_requests(const Ask& ask) {
  ask.scene.journal.clear(ask.scene.session.serial());
  return json_response(200, {{"session", ask.scene.session.name()}, {"cleared", true}});
}

Response show_request(const Ask& ask) {
  const auto id = parse_number(ask.argument);
  const auto entry = id ? ask.scene.journal.find(ask.scene.session.serial(), *id) : std::nullopt;
  if (!entry) {
    const auto window = ask.scene.journal.window(ask.scene.session.serial());
    return refuse(ask.scene, ErrorKind::kNotFound,
                  "this session's journal has no request " + ask.argument.substr(0, 60) + "; of " +
                      std::to_string(window.noted) + " noted it still has " +
                      std::to_string(window.kept));
  }
  return json_response(200, explain(*entry, ask.scene.session.name()));
}

Response list_sessions(const Ask& ask) {
  json list = json::array();
  for (const auto& summary : ask.scene.store.list()) {
    const auto window = ask.scene.journal.window(summary.serial);
    json session{{"name", summary.name},
                 {"changes", summary.cells},
                 {"requests", {{"noted", window.noted}, {"kept", window.kept}}}};
    if (!summary.name.empty()) {
      session["last_used"] = fixtures::to_text(summary.last_used);
    }
    list.push_back(std::move(session));
  }
  return json_response(200, {{"sessions", list}});
}

Response delete_session(const Ask& ask) {
  const auto session = ask.scene.store.find(ask.argument);
  if (!state::is_session_name(ask.argument) || session == nullptr) {
    return refuse(ask.scene, ErrorKind::kNotFound,
                  "there is no session \"" + ask.argument.substr(0, 60) + '"');
  }
  ask.scene.journal.clear(session->serial());
  ask.scene.store.remove(ask.argument);
  return json_response(200, {{"session", ask.argument}, {"deleted", true}});
}

}  // namespace mock_server::control
