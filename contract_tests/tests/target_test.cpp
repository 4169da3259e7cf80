// The target of a run: a mock whose requests reach more than its own memory is a service, and gets
// no change without consent.

#include "contract_tests/program/tested_server.hpp"
#include "contract_tests/tests/support/child.hpp"
#include "contract_tests/tests/support/scripted_server.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

namespace contract_tests {
namespace {

using program::MockProcess;
using support::Ended;
using support::ScriptedServer;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

const auto kSafe = testing::AnyOf("GET", "HEAD");

constexpr const char* kTasks = R"(openapi: 3.1.0
info: {title: Tasks, version: "1"}
paths:
  /tasks:
    get: {operationId: list_tasks, responses: {"200": {description: k, content: {application/json: {schema: {type: object}}}}}}
    post:
      operationId: add_task
      requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
      responses: {"200": {description: k, content: {application/json: {schema: {type: object}}}}}
  /tasks/{id}:
    put:
      operationId: change_task
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
      responses: {"200": {description: k, content: {application/json: {schema: {type: object}}}}}
)";

class TargetOfARun : public testing::Test {
 protected:
  MockProcess start(std::vector<std::string> flags) const {
    flags.insert(flags.end(), {"--port", "0", "--quiet", "--stateless", "--contract", contract_});
    auto started = MockProcess::start(test_paths::mock_server(), std::move(flags));
    EXPECT_TRUE(started) << (started ? "" : started.error());
    return std::move(started.value());
  }

  Ended run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--contract", contract_, "--token", "any"});
    return support::run_child(test_paths::contract_tests(), arguments);
  }

  // The methods of the requests that reached the service.
  std::vector<std::string> methods() const { return methods_of(service_); }

  static std::vector<std::string> methods_of(const ScriptedServer& server) {
    std::vector<std::string> methods;
    for (const auto& head : server.received()) {
      methods.push_back(head.substr(0, head.find(' ')));
    }
    return methods;
  }

  test_support::Folder folder_;
  std::string contract_ = folder_.write("tasks.yaml", kTasks).string();
  ScriptedServer service_{support::always("200 OK", "{}")};
};

TEST_F(TargetOfARun, is_a_service_behind_a_mock_that_passes_requests_on) {
  for (const std::string mode : {"observe", "fill"}) {
    const auto mock =
        start(mode == "fill" ? std::vector<std::string>{"--upstream", service_.url(), "--mode",
                                                        mode, "--fill-on", "501"}
                             : std::vector<std::string>{"--upstream", service_.url()});

    const auto ended = run({"--base-url", mock.url()});

    EXPECT_THAT(ended.out, StartsWith("target: a service at " + mock.url() +
                                      ": a mock that passes requests on (to " + service_.url() +
                                      ", mode " + mode + ")\n"));
    EXPECT_THAT(methods(), Not(IsEmpty()));
    EXPECT_THAT(methods(), Each(kSafe));
  }
}

TEST_F(TargetOfARun, is_a_service_behind_two_mocks) {
  const auto inner = start({"--upstream", service_.url()});
  const auto outer = start({"--upstream", inner.url()});

  const auto ended = run({"--base-url", outer.url()});

  EXPECT_THAT(ended.out, StartsWith("target: a service at "));
  EXPECT_THAT(methods(), Each(kSafe));
}

TEST_F(TargetOfARun, is_a_service_where_a_mock_keeps_its_state) {
  const auto mock = start({"--state", "sqlite:" + (folder_.path() / "state").string()});

  const auto ended = run({"--base-url", mock.url()});

  EXPECT_THAT(ended.out, StartsWith("target: a service at " + mock.url() +
                                    ": a mock that keeps or shares its state (sqlite)\n"));
  EXPECT_THAT(ended.out, HasSubstr("--allow-writes"));
}

TEST_F(TargetOfARun, is_a_service_where_a_mock_does_not_say_what_it_reaches) {
  const ScriptedServer older(support::always("200 OK", R"({"service": "counterpart"})"));

  const auto ended = run({"--base-url", older.url()});

  EXPECT_THAT(ended.out, StartsWith("target: a service at " + older.url() +
                                    ": a mock that passes requests on (to which"));
  EXPECT_THAT(methods_of(older), Each(kSafe));
}

TEST_F(TargetOfARun, is_the_mock_where_its_requests_end_in_its_memory) {
  const auto mock = start({});

  EXPECT_THAT(run({"--base-url", mock.url()}).out,
              StartsWith("target: the mock at " + mock.url() + "\n"));
}

TEST_F(TargetOfARun, is_not_a_live_host_behind_a_mock_without_consent) {
  const auto mock = start({"--upstream", "http://live.localhost:1"});

  const auto ended = run({"--base-url", mock.url(), "--allow-writes"});

  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.err, testing::HasSubstr("--allow-live"));
}

TEST_F(TargetOfARun, is_not_sent_a_live_key_through_a_mock_without_consent) {
  const auto mock = start({"--upstream", service_.url()});
  const std::vector<std::string> command{"--contract", contract_, "--base-url", mock.url()};

  for (auto arguments : {std::vector<std::string>{}, {"parity"}, {"--print-subjects"}}) {
    arguments.insert(arguments.end(), command.begin(), command.end());
    const auto ended = support::run_child(test_paths::contract_tests(), arguments,
                                          {{"DODO_PAYMENTS_API_KEY", "dodo_live_0123456789"}});

    EXPECT_EQ(ended.exit_code, 2);
    EXPECT_THAT(ended.err, HasSubstr("--allow-live"));
  }
  EXPECT_THAT(service_.received(), IsEmpty());
}

TEST_F(TargetOfARun, is_no_mock_to_compare_with_where_it_passes_requests_on) {
  const auto mock = start({"--upstream", service_.url()});

  const auto ended = support::run_child(
      test_paths::contract_tests(),
      {"parity", "--contract", contract_, "--base-url", service_.url(), "--mock", mock.url()},
      {{"COUNTERPART_MOCK_SERVER", test_paths::mock_server()}});

  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.err, HasSubstr("--mock: " + mock.url() + " passes requests on to a service"));
  EXPECT_THAT(methods(), Each(kSafe));
}

// Its response to GET /_mock/health: an end of the suite by a signal, or none, is a failure.
TEST_F(TargetOfARun, may_send_any_response_to_the_question_whether_it_is_the_mock) {
  using nlohmann::json;
  constexpr int kLine = 40'000;
  const json huge = {{{"send", "HTTP/1.1 200 "}}, {{"send", "x"}, {"times", kLine}}};
  const json endless = {{{"send", "HTTP/1.1 200 OK\r\n"}}, {{"forever", "X-Field: of many\r\n"}}};
  const json slow = {{{"send", "HTTP/1.1 200 OK\r\nX-Slow: "}},
                     {{"forever", "x"}, {"every_ms", 50}}};
  for (const auto& steps : {huge, endless, slow}) {
    const ScriptedServer server({{.steps = steps}});

    const auto ended = run({"--base-url", server.url(), "--deadline", "1"});

    EXPECT_GT(ended.exit_code, 0) << ended.out << ended.err;
    EXPECT_THAT(ended.out, StartsWith("target: a service at " + server.url() + '\n'));
  }
}

}  // namespace
}  // namespace contract_tests
