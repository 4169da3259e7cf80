#include "mock_server/control/index.hpp"

#include "mock_server/api/loaded_api.hpp"
#include "mock_server/api/loading/fixture_readers.hpp"
#include "mock_server/console/console_page.hpp"
#include "mock_server/control/control_api.hpp"
#include "mock_server/journal/journal_query.hpp"
#include "mock_server/reply/json_response.hpp"
#include "mock_server/reply/reply.hpp"
#include "mock_server/state/scenario_state.hpp"
#include "spec/contract/contract_state.hpp"
#include "spec/contract/write/example_body.hpp"
#include "spec/contract/write/write_parameter.hpp"
#include "spec/http/header_field.hpp"
#include "spec/http/media_type.hpp"
#include "spec/schema/generate/generator.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace mock_server::control {

namespace {

// URLs of operations that work at once: the keys are those of records, else examples of the
// contract, else generated.
class OperationUrls {
 public:
  // `api` must outlive it.
  explicit OperationUrls(const api::LoadedApi& api) : api_(api) {}

  // Path and, where the contract requires parameters there, query.
  std::string url_of(const spec::contract::Operation& operation);

 private:
  std::string path_value(const spec::contract::Operation& operation, const std::string& name);
  std::optional<nlohmann::json> generated(const spec::contract::Parameter& parameter);

  const api::LoadedApi& api_;
  std::optional<spec::schema::generate::Generator> generator_;  // made when it is first needed
};

using spec::contract::Location;
using spec::contract::Operation;
using spec::contract::Parameter;

bool is_path_parameter(const api::Place& place, const std::string& name) {
  return place.root == api::Place::Root::kPath && place.tokens.size() == 1 &&
         place.tokens.front() == name;
}

// The keys in the path of a request for a record: of the parents by Binding::within, and its own.
api::ScopedKey keys_of(const api::Binding& binding, const api::Record& record) {
  auto keys =
      api::split_key(record.key, binding.collection->is_scoped() ? binding.within.size() : 0);
  for (std::size_t at = keys.parents.size(); at < binding.within.size(); ++at) {
    const nlohmann::json* const parent = api::walk(&record.value, binding.within[at].at);
    keys.parents.push_back(parent != nullptr ? api::key_text(*parent) : std::string{});
  }
  return keys;
}

// True if a rule rejects every request for the record, whatever else the request has.
bool is_rejected(const api::Binding& binding, const api::Record& record) {
  constexpr int kFirstErrorStatus = 400;
  static const spec::contract::RequestReading kNoRequest;
  return std::ranges::any_of(binding.rules, [&](const api::Rule& rule) {
    return rule.response.response.status >= kFirstErrorStatus &&
           std::ranges::all_of(rule.when,
                               [](const api::Condition& condition) {
                                 return condition.at.root == api::Place::Root::kRecord;
                               }) &&
           api::holds(rule.when, {kNoRequest, &record.value}, {});
  });
}

// The first record that is not rejected; the first if all are. Precondition: there are some.
const api::Record& usual_record(const api::Binding& binding,
                                const std::vector<api::Record>& records) {
  const auto found = std::ranges::find_if_not(
      records, [&](const api::Record& record) { return is_rejected(binding, record); });
  return found == records.end() ? records.front() : *found;
}

// The value of the path parameter `name` for the first usual record, if it is the key of that or of
// a parent; without a record, the key of the first parent.
std::optional<std::string> record_key(const api::Binding* binding, const std::string& name) {
  if (binding == nullptr || binding->collection == nullptr) {
    return std::nullopt;
  }
  static const std::vector<api::Record> kNone;
  const auto& records = binding->collection->is_seeded() ? binding->collection->records() : kNone;
  const auto keys =
      records.empty() ? api::ScopedKey{} : keys_of(*binding, usual_record(*binding, records));
  if (binding->key && is_path_parameter(*binding->key, name) && !records.empty()) {
    return keys.own;
  }
  for (std::size_t at = 0; at < binding->within.size(); ++at) {
    const api::Within& within = binding->within[at];
    if (!is_path_parameter(within.given, name)) {
      continue;
    }
    if (at < keys.parents.size()) {
      return keys.parents[at];
    }
    const bool has_first = within.in != nullptr && !within.in->is_scoped() &&
                           within.in->is_seeded() && !within.in->records().empty();
    return has_first ? std::optional(within.in->records().front().key) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<nlohmann::json> OperationUrls::generated(const Parameter& parameter) {
  if (!generator_) {
    generator_.emplace(api_.contract.schemas());
  }
  return spec::contract::write::generate_value(*generator_, parameter, {.name = parameter.name});
}

std::string OperationUrls::path_value(const Operation& operation, const std::string& name) {
  constexpr std::string_view kAnything = "1";
  const Parameter* const parameter = operation.parameter(Location::kPath, name);
  const auto key = record_key(api_.fixtures.binding(operation), name);
  if (parameter == nullptr) {
    return spec::text::percent_encode(key.value_or(std::string(kAnything)));
  }
  const auto value = key ? std::optional<nlohmann::json>(*key) : generated(*parameter);
  const auto text =
      value ? spec::contract::write::write_path(*parameter, *value, api_.contract.state().version)
            : std::nullopt;
  return text.value_or(std::string(kAnything));
}

std::string OperationUrls::url_of(const Operation& operation) {
  std::string url;
  for (std::string_view rest = operation.path; !rest.empty();) {
    const std::size_t open = std::min(rest.find('{'), rest.size());
    url += spec::contract::write::write_literal(rest.substr(0, open));
    const std::size_t close = rest.find('}', open);
    if (close == std::string_view::npos) {
      break;
    }
    url += path_value(operation, std::string(rest.substr(open + 1, close - open - 1)));
    rest.remove_prefix(close + 1);
  }
  char mark = '?';
  for (const Parameter& parameter : operation.parameters) {
    const bool is_of_query = part_of(parameter.location) == spec::contract::Part::kQuery;
    if (!is_of_query || !parameter.required) {
      continue;
    }
    const auto value = generated(parameter);
    const auto fields = value
                            ? spec::contract::write::write_fields(api_.contract, parameter, *value)
                            : std::nullopt;
    if (fields && !fields->empty()) {
      url += mark + spec::contract::write::join_fields(*fields, "&");
      mark = '&';
    }
  }
  return url;
}

using nlohmann::json;
using spec::http::MediaType;
using spec::http::Request;
using spec::http::Response;

constexpr std::size_t kTextOperations = 22;

// Tokens of the fixtures that may be sent as they are; those without restrictions first.
std::vector<std::string> tokens_of(const std::vector<api::CredentialLine>& lines) {
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
  for (const auto& name : api::scenario_names(source.api, source.session)) {
    if (const auto scenario = api::find_scenario(source.api, source.session, name)) {
      const bool is_armed =
          std::ranges::find(armed, name, &state::ArmedScenario::name) != armed.end();
      scenarios.push_back({name, scenario->description, is_armed});
    }
  }
  return scenarios;
}

// The type that Accept prefers, of JSON, HTML and plain text; text if it names none of them.
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
  api::seed_some(source.api.fixtures.collections());
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

namespace {

constexpr std::size_t kMaxNames = 12;
constexpr std::size_t kMaxUrl = 160;
constexpr std::size_t kMaxSummary = 60;

// Texts of contracts and fixtures on one line of a terminal.
std::string plain(std::string_view text, std::size_t max) {
  std::string line = spec::text::shortened(text, max);
  std::ranges::replace_if(
      line, [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; }, ' ');
  return line;
}

std::string row(std::string_view name, const std::string& text) {
  constexpr std::size_t kWidth = 14;
  std::string line = "  " + std::string(name);
  line.resize(std::max(line.size() + 1, kWidth), ' ');
  return line + text + '\n';
}

std::string title_of(const Index& index) {
  return "Counterpart mock_server " + index.version + ": " + plain(index.title, kMaxSummary) + ' ' +
         plain(index.contract_version, kMaxSummary) + " (" + plain(index.file, kMaxUrl) + ")\n";
}

std::string tokens_in_words(const Index& index) {
  if (std::ranges::none_of(index.operations, &IndexOperation::needs_credentials) &&
      index.operations.size() == index.operation_count) {
    return "none needed";
  }
  if (!index.tokens) {
    return "any that is not empty";
  }
  return index.tokens->empty() ? "those of --token" : spec::text::names_listed(*index.tokens, 5);
}

std::string records_in_words(const Index& index) {
  std::vector<std::string> names;
  for (const auto& [name, records] : index.collections) {
    names.push_back(plain(name, kMaxSummary) + " (" + std::to_string(records) + ')');
  }
  return spec::text::names_listed(names, kMaxNames);
}

std::string scenarios_in_words(const Index& index) {
  std::vector<std::string> names;
  for (const IndexScenario& scenario : index.scenarios) {
    names.push_back(plain(scenario.name, kMaxSummary) + (scenario.armed ? " (armed)" : ""));
  }
  return spec::text::names_listed(names, kMaxNames);
}

// The mock's contents and where to read more: the same at the start and in the index.
std::string facts(const Index& index, const std::string& base) {
  std::string text = row("tokens", tokens_in_words(index));
  if (!index.collections.empty()) {
    text += row("records", records_in_words(index));
  }
  if (!index.scenarios.empty()) {
    text += row("scenarios", scenarios_in_words(index));
  }
  return text + row("requests", base + "/_mock/requests") + row("contract", base + "/_mock/spec") +
         row("control API", base + "/_mock/spec/control.openapi.yaml");
}

std::string url_in(const IndexOperation& operation, std::string_view address) {
  return std::string(address) + plain(operation.url, kMaxUrl) +
         (operation.needs_credentials ? "  (needs a token)" : "");
}

// Operations that a browser can call, those without credentials first.
std::vector<const IndexOperation*> operations_to_try(const Index& index, std::size_t max) {
  std::vector<const IndexOperation*> found;
  for (const bool needs_credentials : {false, true}) {
    for (const IndexOperation& operation : index.operations) {
      if (operation.method == "GET" && operation.needs_credentials == needs_credentials &&
          found.size() < max) {
        found.push_back(&operation);
      }
    }
  }
  return found;
}

}  // namespace

std::string to_text(const Index& index, std::string_view address) {
  const std::string base = std::string(address) + index.prefix;
  std::string text = title_of(index) + '\n' + row("console", base + "/_mock/") +
                     facts(index, base) + "\noperations, each with an address to try and its id:\n";
  for (const IndexOperation& operation : index.operations) {
    const std::string id = operation.id.empty() ? "" : "  " + plain(operation.id, kMaxSummary);
    text += row(operation.method, url_in(operation, address) + id);
  }
  if (index.operation_count > index.operations.size()) {
    text += row("and", std::to_string(index.operation_count - index.operations.size()) +
                           " more: " + base + "/_mock/operations");
  }
  return text;
}

std::string start_lines(const Index& index, std::string_view address) {
  const std::string base = std::string(address) + index.prefix;
  std::string text = title_of(index) + row("console", base + "/_mock/");
  for (const IndexOperation* const operation : operations_to_try(index, 2)) {
    text += row("try", url_in(*operation, address));
  }
  return text + facts(index, base);
}

}  // namespace mock_server::control
