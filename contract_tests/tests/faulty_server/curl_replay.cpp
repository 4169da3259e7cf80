#include "contract_tests/tests/faulty_server/curl_replay.hpp"

#include "contract_tests/client/http_exchange.hpp"
#include "contract_tests/run/case_run.hpp"
#include "contract_tests/tests/faulty_server/recorded.hpp"
#include "contract_tests/tests/support/child.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/tests/folder.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>

namespace contract_tests::faulty_server {

using client::Exchange;

namespace {

// "http://127.0.0.1:4010": where the request was sent.
std::string origin_of(const Exchange& exchange) {
  return exchange.url.substr(0, exchange.url.size() - exchange.sent.target.size());
}

// The line with the server of now, for a shell that keeps the bytes of the last response: as many,
// and as long, as the suite reads of one.
std::string script_of(const checks::Finding& finding, const run::Settings& settings) {
  auto line = finding.curl;
  const auto origin = origin_of(*finding.shown);
  for (auto at = line.find(origin); at != std::string::npos; at = line.find(origin, at + 1)) {
    line.replace(at, origin.size(), "http://" + settings.url.authority());
  }
  const auto blocks = settings.limits.response.body_bytes / 512 + 1;
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(settings.limits.whole).count();
  return "ulimit -f " + std::to_string(blocks) + "; curl() { command curl --raw --max-time " +
         std::to_string(seconds) + " \"$@\" >response; }; " + line;
}

struct ByShell {
  Exchange exchange;
  int exit_code = 0;

  // curl itself says that it is no valid HTTP, is cut, too long, or late.
  bool is_rejected() const {
    constexpr int kTooLong = 128 + SIGXFSZ;
    static constexpr std::array<int, 9> kCodes{1, 8, 18, 23, 27, 28, 52, 56, kTooLong};
    return std::ranges::find(kCodes, exit_code) != kCodes.end();
  }
};

ByShell by_shell(const run::Settings& settings, const checks::Finding& finding) {
  const test_support::Folder folder;
  std::map<std::string, std::string> environment;
  for (const auto& [name, value] : settings.secrets.variables()) {
    environment[name] = value;
  }
  const auto script = "cd '" + folder.path().string() + "' && " + script_of(finding, settings);
  const auto ended =
      support::run_child("/bin/sh", {folder.write("line.sh", script).string()}, environment);
  const auto file = (folder.path() / "response").string();
  return {received(*finding.shown, test_support::read_file(file)), ended.exit_code};
}

// True if the suite finds the same in a response to the case's request.
bool shows(const run::Settings& settings, const run::Plan& plan, const checks::Finding& finding,
           const Exchange& exchange) {
  const auto item = std::ranges::find(plan.cases, finding.case_id, &run::Case::id);
  const auto found = validate(settings, {{&*item, exchange}});
  return std::ranges::any_of(found, [&finding](const checks::Finding& other) {
    return key_of(other, checks::KeyScope::kViolation) ==
           key_of(finding, checks::KeyScope::kViolation);
  });
}

// True if two JSON bodies have the same at the place: other cases changed the rest of a record.
bool same_at(std::string_view place, const std::string& one, const std::string& other) {
  const auto first = spec::json::read(one);
  const auto second = spec::json::read(other);
  if (!place.starts_with("body/") || !first || !second) {
    return false;
  }
  const auto* was = spec::json::find(first.value(), std::string(place.substr(4)));
  const auto* is = spec::json::find(second.value(), std::string(place.substr(4)));
  return was == nullptr || is == nullptr ? was == is : *was == *is;
}

}  // namespace

std::string difference_by_curl(const run::Settings& settings, const run::Plan& plan,
                               const checks::Finding& finding) {
  const auto got = by_shell(settings, finding);
  const auto& exchange = got.exchange;
  if (finding.rule.starts_with("http/") && got.is_rejected()) {
    return "";
  }
  if (exchange.status() != finding.status) {
    return "the status is " + std::to_string(exchange.status()) + " instead of " +
           std::to_string(finding.status) + ": " + finding.curl;
  }
  const auto body = settings.secrets.redacted(exchange.response.body);
  const auto& was = *finding.shown;
  // Keys of an encrypted file are others each time.
  const bool same_body = exchange.response.body.size() == was.body_bytes &&
                         (body.starts_with(was.response.body) || body.starts_with("%PDF-"));
  return same_body || same_at(finding.place, was.response.body, body) ||
                 shows(settings, plan, finding, exchange)
             ? ""
             : "another body, without " + finding.rule + ": " + finding.curl;
}

}  // namespace contract_tests::faulty_server
