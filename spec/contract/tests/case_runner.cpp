#include "spec/contract/tests/case_runner.hpp"

#include "spec/contract/checking/request_credentials.hpp"
#include "spec/contract/checking/validate_message.hpp"
#include "spec/contract/contract.hpp"
#include "spec/contract/contract_state.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/json/value.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <optional>

namespace spec::contract {

namespace {

using nlohmann::json;

class CaseRunner {
 public:
  CaseRunner(const json& one, const std::filesystem::path& folder) : case_(one), folder_(folder) {}

  std::vector<std::string> run() {
    try {
      const Contract contract = load();
      expect_lines("problems", {});
      expect_lines("warnings", lines_of(contract.warnings()));
      expect_lines("openapi_violations", lines_of(contract.state().openapi_violations));
      expect_lines("assumptions", ledger_of(contract));
      expect(case_, "assumed_statements",
             std::ranges::count(contract.statements(), StatementClass::kAssumption,
                                &Statement::statement_class));
      expect_examples(contract);
      json ids = json::array();
      for (const Operation& operation : contract.operations()) {
        ids.push_back(operation.id);
      }
      expect(case_, "operations", ids);
      for (const json& step : case_.value("steps", json::array())) {
        run_step(contract, step);
      }
    } catch (const LoadError& error) {
      expect_lines("problems", lines_of(error.problems()));
      if (!case_.contains("problems")) {
        fail("does not load: " + std::string(error.what()));
      }
    }
    return std::move(failures_);
  }

 private:
  Contract load() const {
    const LoadOptions options{.document_only = case_.value("document_only", false),
                              .tolerate = case_.value("tolerate", false)};
    if (case_.contains("file")) {
      return load_contract(folder_ / case_["file"].get<std::string>(), options);
    }
    if (case_["contract"].is_string()) {
      return load_contract_text(case_["contract"].get<std::string>(), "contract.yaml", options);
    }
    json whole = json::object({{"openapi", "3.1.0"}, {"info", {{"title", "T"}, {"version", "1"}}}});
    whole.update(case_["contract"]);
    return load_contract_text(spec::json::write(whole), "contract.json", options);
  }

  static std::vector<std::string> lines_of(const std::vector<Problem>& problems) {
    std::vector<std::string> lines;
    for (const Problem& problem : problems) {
      lines.push_back(to_line(problem));
    }
    return lines;
  }

  static std::vector<std::string> ledger_of(const Contract& contract) {
    std::vector<std::string> lines;
    for (const Statement& statement : contract.assumptions()) {
      lines.push_back(statement.pointer + ": " + statement.reason);
    }
    return lines;
  }

  // Expected: the pointer of a parameter or media type, and the names and values of its examples.
  void expect_examples(const Contract& contract) {
    json actual = json::object();
    const auto collect = [&actual](const document::Node& node, const std::vector<Example>& list) {
      for (const Example& example : list) {
        actual[node.pointer()].push_back(json::array({example.name, *example.value}));
      }
    };
    for (const Operation& operation : contract.operations()) {
      for (const Parameter& parameter : operation.parameters) {
        collect(parameter.node, parameter.examples);
      }
      for (const MediaTypeObject& content : operation.body.value_or(RequestBody{}).contents) {
        collect(content.node, content.examples);
      }
      for (const Response& answer : operation.responses) {
        for (const MediaTypeObject& content : answer.contents) {
          collect(content.node, content.examples);
        }
      }
    }
    expect(case_, "examples", actual);
  }

  static http::Headers headers_of(const json& message) {
    http::Headers headers;
    const json given = message.value("headers", json::object());
    for (const auto& [name, value] : given.items()) {
      for (const json& one : value.is_array() ? value : json::array({value})) {
        headers.add(name, one.get<std::string>());
      }
    }
    return headers;
  }

  // A text is sent as it is, `bytes` are code points up to 255 as bytes, anything else as JSON.
  static std::string body_of(const json& message) {
    if (message.contains("bytes")) {
      std::string bytes;
      for (const json& byte : message["bytes"]) {
        bytes += static_cast<char>(byte.get<int>());
      }
      return bytes;
    }
    if (!message.contains("body")) {
      return "";
    }
    return message["body"].is_string() ? message["body"].get<std::string>()
                                       : spec::json::write(message["body"]);
  }

  void run_step(const Contract& contract, const json& step) {
    step_ = step.value("request", step.value("operation", ""));
    http::Request request{
        .method = "GET", .target = "/", .headers = headers_of(step), .body = body_of(step)};
    const std::string line = step.value("request", step.value("operation", "GET /"));
    request.method = line.substr(0, line.find(' '));
    request.target = line.substr(line.find(' ') + 1);
    const Match match = contract.route(request.method, http::path_of(request.target));
    expect(step, "match", name_of(match.kind));
    if (step.contains("allow")) {
      expect(step, "allow", joined(match.allowed));
    }
    if (match.kind != Match::Kind::kFound) {
      if (!step.contains("match")) {
        fail("must be routed, but is " + name_of(match.kind));
      }
      return;
    }
    expect(step, "routed", match.operation->name);
    if (step.contains("response")) {
      run_response(contract, *match.operation, step, request.method == "HEAD");
    } else {
      run_request(contract, match, request, step);
    }
  }

  void run_request(const Contract& contract, const Match& match, const http::Request& request,
                   const json& step) {
    const RequestReading reading =
        validate_request(contract, *match.operation, request, match.path_values);
    expect(step, "path", reading.path);
    expect(step, "query", reading.query);
    expect(step, "header", reading.header);
    expect(step, "cookie", reading.cookie);
    if (step.contains("read_body")) {
      expect(step, "read_body", reading.body.value_or("(nothing)"));
    }
    expect_violations(contract, reading.violations, step);
    const Credentials credentials = read_credentials(*match.operation, request);
    expect(step, "anyone", credentials.satisfied_by_anyone);
    json given = json::array();
    for (const auto& alternative : credentials.given) {
      json& object = given.emplace_back(json::object());
      for (const auto& [scheme, value] : alternative) {
        object[scheme->name] = value;
      }
    }
    expect(step, "credentials", given);
  }

  void run_response(const Contract& contract, const Operation& operation, const json& step,
                    bool is_head) {
    const http::Response response{.status = step["response"].get<int>(),
                                  .reason = "",
                                  .headers = headers_of(step),
                                  .body = body_of(step)};
    expect_violations(contract, validate_response(contract, operation, response, {.head = is_head}),
                      step);
  }

  // Expected: "query/page_size maximum", and after ": " the message if it matters.
  void expect_violations(const Contract& contract, const std::vector<Violation>& violations,
                         const json& step) {
    const json expected = step.value("violations", json::array());
    bool same = expected.size() == violations.size();
    std::string shown;
    for (std::size_t i = 0; i < violations.size(); ++i) {
      const Violation& one = violations[i];
      const std::string brief = std::string(to_text(one.part)) + one.instance + ' ' + one.rule;
      const std::string full = brief + ": " + one.message.text();
      const std::string place = brief + " [" + contract.statement(one.statement).pointer + ']';
      const std::string wanted = i < expected.size() ? expected[i].get<std::string>() : "";
      same = same && (wanted == brief || wanted == full || wanted == place);
      shown += "\n    " + full + " [" + contract.statement(one.statement).pointer + ']';
    }
    if (!same) {
      fail("expected " + expected.dump() + ", but got" + (shown.empty() ? " nothing" : shown));
    }
  }

  // Each expected line must be part of the line at its place.
  void expect_lines(const std::string& key, const std::vector<std::string>& lines) {
    if (!case_.contains(key)) {
      return;
    }
    const json& expected = case_[key];
    bool same = expected.size() == lines.size();
    std::string shown;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      same = same && lines[i].find(expected.at(i).get<std::string>()) != std::string::npos;
      shown += "\n    " + lines[i];
    }
    if (!same) {
      fail(key + " expected " + expected.dump() + ", but got" + (shown.empty() ? " none" : shown));
    }
  }

  void expect(const json& step, const std::string& key, const json& actual) {
    if (step.contains(key) && !spec::json::equal(step[key], actual)) {
      fail(key + " expected " + spec::json::write(step[key]) + ", but got " +
           spec::json::write(actual));
    }
  }

  static std::string name_of(Match::Kind kind) {
    switch (kind) {
      case Match::Kind::kFound: return "found";
      case Match::Kind::kUnknownPath: return "unknown path";
      case Match::Kind::kWrongMethod: return "wrong method";
      case Match::Kind::kMalformed: return "malformed";
    }
    return "";
  }

  static std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
      text += (text.empty() ? "" : ", ") + word;
    }
    return text;
  }

  void fail(const std::string& message) {
    failures_.push_back(step_ + (step_.empty() ? "" : ": ") + message);
  }

  json case_;
  std::filesystem::path folder_;
  std::string step_;
  std::vector<std::string> failures_;
};

}  // namespace

std::vector<std::string> run_case(const json& one, const std::filesystem::path& folder) {
  return CaseRunner(one, folder).run();
}

}  // namespace spec::contract
