#include "mock_server/control/control_request.hpp"
#include "mock_server/control/endpoints.hpp"
#include "mock_server/journal/journal_json.hpp"
#include "mock_server/journal/metrics.hpp"
#include "mock_server/reply/json_response.hpp"
#include "mock_server/state/journal.hpp"
#include "spec/document/text_file.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mock_server::control {

// The mock's counters in Prometheus's text form, version 0.0.4. A pure function of what was
// counted; `health` is what the health report has of other folders (transport's counters, log).

namespace {

struct Gauges {
  std::string_view version;
  std::size_t journal_limit_bytes = 0;
  std::size_t journal_used_bytes = 0;
  std::uint64_t journal_noted = 0;
  std::size_t sessions = 0;
};

using nlohmann::json;

class Page {
 public:
  void family(std::string_view name, std::string_view type, std::string_view help) {
    text_.append("# HELP counterpart_").append(name).append(" ").append(help).append("\n");
    text_.append("# TYPE counterpart_").append(name).append(" ").append(type).append("\n");
  }

  void sample(std::string_view name, std::string_view labels, std::string_view value) {
    text_.append("counterpart_").append(name);
    if (!labels.empty()) {
      text_.append("{").append(labels).append("}");
    }
    text_.append(" ").append(value).append("\n");
  }

  void sample(std::string_view name, std::string_view labels, std::uint64_t value) {
    sample(name, labels, std::to_string(value));
  }

  // A family of one sample.
  void single(std::string_view name, std::string_view type, std::string_view help,
              std::uint64_t value) {
    family(name, type, help);
    sample(name, "", value);
  }

  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

// A label's value. Source: Prometheus text format 0.0.4.
std::string label(std::string_view name, std::string_view value) {
  std::string text = std::string(name) + "=\"";
  for (const char c : value) {
    if (c == '\\' || c == '"') {
      text += '\\';
    }
    text += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return text + '"';
}

std::string seconds(double value) {
  std::array<char, 32> text{};
  const int size = std::snprintf(text.data(), text.size(), "%.9g", value);
  return {text.data(), static_cast<std::size_t>(size)};
}

void add_requests(Page& page, const journal::Metrics::Snapshot& counted) {
  page.family("requests_total", "counter",
              "Responses, by operation (empty: no operation of the contract) and status.");
  for (const auto& [id, counts] : counted.operations) {
    for (const auto& [status, count] : counts) {
      page.sample("requests_total",
                  label("operation", id) + ',' + label("status", std::to_string(status)), count);
    }
  }
  page.single("invalid_requests_total", "counter", "Requests that violated the contract.",
              counted.invalid_requests);
  page.single("violations_total", "counter", "Violations of the contract in requests.",
              counted.violations);
  page.single("invalid_responses_total", "counter",
              "Responses of the mock that violated the contract.", counted.invalid_responses);
  page.single("rejected_requests_total", "counter",
              "Requests that the transport rejected, malformed or too large.", counted.rejections);
}

void add_durations(Page& page, const journal::Metrics::Snapshot& counted) {
  constexpr std::string_view kName = "request_duration_seconds";
  page.family(kName, "histogram",
              "Time from a whole request to its response, without the network.");
  std::uint64_t sum = 0;
  const std::string bucket = std::string(kName) + "_bucket";
  for (std::size_t at = 0; at < counted.buckets.size(); ++at) {
    sum += counted.buckets[at];
    const bool is_last = at == journal::Metrics::kBoundsUs.size();
    page.sample(bucket,
                label("le", is_last ? "+Inf" : seconds(journal::Metrics::kBoundsUs[at] / 1e6)),
                sum);
  }
  page.sample(std::string(kName) + "_sum", "", seconds(static_cast<double>(counted.took_ns) / 1e9));
  page.sample(std::string(kName) + "_count", "", sum);
}

void add_state(Page& page, const journal::Metrics::Snapshot& counted, const Gauges& gauges) {
  page.family("build_info", "gauge", "Always 1; the version is a label.");
  page.sample("build_info", label("version", gauges.version), 1);
  page.single("journal_limit_bytes", "gauge", "Max size of the journal.",
              gauges.journal_limit_bytes);
  page.single("journal_used_bytes", "gauge",
              "Memory that the entries of the journal take, in bytes.", gauges.journal_used_bytes);
  page.single("journal_exchanges_total", "counter", "Exchanges that were written to the journal.",
              gauges.journal_noted);
  page.single("sessions", "gauge", "Sessions, the default one included.", gauges.sessions);
  page.family("reloads_total", "counter", "Reloads of contract and fixtures, by result.");
  page.sample("reloads_total", label("result", "ok"), counted.reloads);
  page.sample("reloads_total", label("result", "failed"), counted.failed_reloads);
}

struct TransportName {
  std::string_view member;
  std::string_view name;
  std::string_view type;
  std::string_view help;
};

constexpr std::array kTransportNames = std::to_array<TransportName>({
    {"open", "connections", "gauge", "Open connections."},
    {"opened", "connections_total", "counter", "Accepted connections."},
    {"rejected", "transport_rejections_total", "counter", "Requests that the transport rejected."},
    {"timed_out", "connections_timed_out_total", "counter", "Connections closed by a deadline."},
    {"shed", "connections_shed_total", "counter", "Idle connections closed to make room."},
    {"aborted", "connections_aborted_total", "counter", "Connections that the client aborted."},
    {"faults", "faults_total", "counter", "Responses sent with a fault."},
    {"bytes_in", "received_bytes_total", "counter", "Bytes received."},
    {"bytes_out", "sent_bytes_total", "counter", "Bytes sent."},
    {"body_memory_bytes", "body_memory_bytes", "gauge", "Memory of long bodies."},
});

void add_transport(Page& page, const json& health) {
  const auto transport = health.find("transport");
  const auto counters =
      transport == health.end() ? json() : transport->value("connections", json());
  for (const TransportName& name : kTransportNames) {
    const auto found = counters.find(name.member);
    if (found != counters.end()) {
      page.single(name.name, name.type, name.help, found->get<std::uint64_t>());
    }
  }
  if (const auto log = health.find("log"); log != health.end()) {
    page.single("log_lines_dropped_total", "counter",
                "Log lines dropped because they were not read in time.",
                log->value("dropped", std::uint64_t{0}));
  }
}

std::string metrics_text(const journal::Metrics::Snapshot& counted, const Gauges& gauges,
                         const json& health) {
  Page page;
  add_requests(page, counted);
  add_durations(page, counted);
  add_state(page, counted, gauges);
  add_transport(page, health);
  return page.take();
}

namespace fs = std::filesystem;

using api::ErrorKind;
using journal::list_assumptions;
using journal::list_operations;
using nlohmann::json;
using reply::json_response;
using spec::http::Response;

fs::path schema_folder(const ControlRequest& request) {
  return request.context.api.options.contract.parent_path() / "schemas";
}

// The service that requests of some session may be passed on to.
json upstream_of(const Settings& program) {
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
  const api::LoadedApi& api = request.context.api;
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
  response.body = Api::text();
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

}  // namespace mock_server::control
