#include "mock_server/control/journal/metrics_text.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>

namespace mock_server::control::journal {
namespace {

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

void add_requests(Page& page, const state::Metrics::Snapshot& counted) {
  page.family("requests_total", "counter",
              "Responses, by operation (empty: no operation of the contract) and status.");
  for (const auto& [id, counts] : counted.operations) {
    for (const auto& [status, count] : counts) {
      page.sample("requests_total",
                  label("operation", id) + ',' + label("status", std::to_string(status)), count);
    }
  }
  page.single("broken_requests_total", "counter", "Requests that violated the contract.",
              counted.invalid_requests);
  page.single("violations_total", "counter", "Violations of the contract in requests.",
              counted.violations);
  page.single("broken_answers_total", "counter",
              "Responses of the mock that violated the contract.", counted.invalid_responses);
  page.single("rejected_requests_total", "counter",
              "Requests that the transport rejected, malformed or too large.", counted.rejections);
}

void add_durations(Page& page, const state::Metrics::Snapshot& counted) {
  constexpr std::string_view kName = "request_duration_seconds";
  page.family(kName, "histogram",
              "Time from a whole request to its response, without the network.");
  std::uint64_t sum = 0;
  const std::string bucket = std::string(kName) + "_bucket";
  for (std::size_t at = 0; at < counted.buckets.size(); ++at) {
    sum += counted.buckets[at];
    const bool is_last = at == state::Metrics::kBoundsUs.size();
    page.sample(bucket,
                label("le", is_last ? "+Inf" : seconds(state::Metrics::kBoundsUs[at] / 1e6)), sum);
  }
  page.sample(std::string(kName) + "_sum", "", seconds(static_cast<double>(counted.took_ns) / 1e9));
  page.sample(std::string(kName) + "_count", "", sum);
}

void add_state(Page& page, const state::Metrics::Snapshot& counted, const Gauges& gauges) {
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

}  // namespace

std::string metrics_text(const state::Metrics::Snapshot& counted, const Gauges& gauges,
                         const json& health) {
  Page page;
  add_requests(page, counted);
  add_durations(page, counted);
  add_state(page, counted, gauges);
  add_transport(page, health);
  return page.take();
}

}  // namespace mock_server::control::journal
