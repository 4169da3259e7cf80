#include "mock_server/control/index.hpp"

#include "mock_server/console/page.hpp"
#include "mock_server/control/journal/journal_query.hpp"
#include "mock_server/control/operation_url.hpp"
#include "mock_server/control/request/guard.hpp"
#include "mock_server/fixtures/loading/own_scenarios.hpp"
#include "mock_server/reply/error_response.hpp"
#include "mock_server/reply/own_address.hpp"
#include "mock_server/state/scenario_state.hpp"
#include "spec/http/list_field.hpp"
#include "spec/http/media_type.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace mock_server::control {
namespace {

using nlohmann::json;
using spec::contract::Operation;
using spec::http::MediaType;
using spec::http::Request;
using spec::http::Response;

constexpr std::size_t kTextOperations = 22;

// Tokens of the fixtures that may be sent as they are; those without restrictions first.
std::vector<std::string> tokens_of(const std::vector<fixtures::CredentialLine>& lines) {
  std::vector<std::string> tokens;
  for (const bool is_restricted : {false, true}) {
    for (const auto& line : lines) {
      const bool restricts = !line.methods.empty() || !line.records.empty();
      if (line.accepted && restricts == is_restricted) {
        const bool is_start =
            line.is_prefix && (line.text.ends_with('_') || line.text.ends_with('-'));
        tokens.push_back(is_start ? line.text + "me" : line.text);
      }
    }
  }
  return tokens;
}

// Which operations are shown: all, or the first with GET before others.
std::vector<const Operation*> chosen_operations(const spec::contract::Contract& contract,
                                                std::size_t max) {
  std::vector<const Operation*> all;
  for (const Operation& operation : contract.operations()) {
    all.push_back(&operation);
  }
  if (all.size() > max) {
    std::ranges::stable_sort(all, {}, [](const Operation* operation) {
      return operation->method != "GET" ? 2 : operation->is_secured() ? 1 : 0;
    });
    all.resize(max);
  }
  return all;
}

std::vector<IndexScenario> scenarios_of(const IndexSource& source) {
  const auto armed = state::read_armed(source.session.read(state::kArmedCell).view());
  std::vector<IndexScenario> scenarios;
  for (const auto& name : fixtures::scenario_names(source.api, source.session)) {
    if (const auto scenario = fixtures::find_scenario(source.api, source.session, name)) {
      const bool is_armed = std::ranges::find(armed, name, &state::Armed::name) != armed.end();
      scenarios.push_back({name, scenario->description, is_armed});
    }
  }
  return scenarios;
}

// What Accept asks for, of JSON, HTML and plain text; text if it names none of them.
std::string type_for(const Request& request) {
  const auto accept = spec::http::list_field(request.headers, "Accept");
  constexpr std::array<std::string_view, 3> kTypes{"text/plain", "application/json", "text/html"};
  std::vector<MediaType> offered = spec::http::named_types(accept);
  std::erase_if(offered, [&](const MediaType& type) {
    return std::ranges::find(kTypes, type.essence()) == kTypes.end();
  });
  for (const std::string_view type : kTypes) {
    offered.push_back(*spec::http::parse_media_type(type));
  }
  const auto best = spec::http::negotiate(accept, offered);
  return best ? offered[*best].essence() : std::string(kTypes.front());
}

}  // namespace

Index make_index(const IndexSource& source, std::size_t max_operations) {
  const auto& contract = source.api.contract;
  Index index{.version = std::string(source.version),
              .title = std::string(contract.title()),
              .contract_version = std::string(contract.version()),
              .file = std::string(contract.root().place().file),
              .prefix = std::string(source.prefix),
              .operations = {},
              .operation_count = contract.operations().size(),
              .tokens = std::nullopt,
              .collections = {},
              .scenarios = scenarios_of(source)};
  fixtures::seed_some(source.api.fixtures.collections());
  OperationUrls urls(source.api);
  for (const Operation* const operation : chosen_operations(contract, max_operations)) {
    index.operations.push_back({operation->id, operation->method, operation->path,
                                operation->summary, operation->is_secured(),
                                index.prefix + urls.url_of(*operation)});
  }
  if (source.names_tokens) {
    index.tokens.emplace();
  } else if (const auto& lines = source.api.fixtures.credentials()) {
    index.tokens = tokens_of(*lines);
  }
  for (const auto& [name, collection] : source.api.fixtures.collections()) {
    index.collections.emplace_back(name, collection.size());
  }
  return index;
}

json to_json(const Index& index) {
  json operations = json::array();
  for (const IndexOperation& one : index.operations) {
    operations.push_back({{"id", one.id},
                          {"method", one.method},
                          {"path", one.path},
                          {"summary", one.summary},
                          {"needs_credentials", one.needs_credentials},
                          {"url", one.url}});
  }
  json collections = json::array();
  for (const auto& [name, records] : index.collections) {
    collections.push_back({{"name", name}, {"records", records}});
  }
  json scenarios = json::array();
  for (const IndexScenario& one : index.scenarios) {
    scenarios.push_back(
        {{"name", one.name}, {"description", one.description}, {"armed", one.armed}});
  }
  const auto link = [&index](std::string_view path) { return index.prefix + std::string(path); };
  return {{"name", "Counterpart mock_server"},
          {"version", index.version},
          {"contract",
           {{"title", index.title}, {"version", index.contract_version}, {"file", index.file}}},
          {"operations", std::move(operations)},
          {"tokens", index.tokens ? json(*index.tokens) : json("any")},
          {"collections", std::move(collections)},
          {"scenarios", std::move(scenarios)},
          {"links",
           {{"console", link("/_mock/")},
            {"operations", link("/_mock/operations")},
            {"requests", link("/_mock/requests")},
            {"coverage", link("/_mock/coverage")},
            {"records", link("/_mock/records")},
            {"scenarios", link("/_mock/scenarios")},
            {"openapi", link("/_mock/spec")},
            {"control", link("/_mock/spec/control.openapi.yaml")}}}};
}

Response show_index(const ControlRequest& request) {
  const std::string type = type_for(request.http);
  if (type == "text/html") {  // holds no data, so it needs no token
    Response page = console::page_response(request.http);
    page.headers.add("Vary", "Accept");
    return page;
  }
  if (auto rejection = reject_stranger(request.context, request.http)) {
    return std::move(*rejection);
  }
  const bool is_json = type == "application/json";
  const Index index =
      make_index({request.context.api, request.context.session, request.context.settings.version,
                  request.context.settings.names_tokens, journal::prefix_of(request.http.target)},
                 is_json ? std::numeric_limits<std::size_t>::max() : kTextOperations);
  Response response;
  if (is_json) {
    response = reply::json_response(200, to_json(index));
  } else {
    response.headers.add("Content-Type", "text/plain; charset=utf-8");
    response.body =
        to_text(index, reply::own_address(request.http, request.context.settings.scheme));
  }
  response.headers.add("Vary", "Accept");
  return response;
}

}  // namespace mock_server::control
