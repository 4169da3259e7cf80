// The program ends while a worker is at a request that takes long: at the second signal, and
// when the grace is over; alone and as `mock_server run`.

#include "mock_server/program/tests/api_on_disk.hpp"
#include "mock_server/transport/tests/support/client.hpp"
#include "mock_server/transport/tests/support/process.hpp"
#include "spec/tests/paths.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <string>
#include <thread>
#include <vector>

namespace mock_server::program {
namespace {

using transport::testing::Client;
using transport::testing::port_in;
using transport::testing::Process;
using transport::testing::Wait;

constexpr int kParameters = 100;
constexpr int kItems = 20;  // the validator tries no more hard searches for one parameter

// An operation whose query takes thousands of searches that each hit the pattern's limit.
std::string hard_contract() {
  std::string parameters;
  for (int at = 0; at < kParameters; ++at) {
    parameters += "        - {name: q" + std::to_string(at) +
                  ", in: query, schema: {type: array, items: {type: string, pattern: "
                  "'^(?=a)(a+)+$'}}}\n";
  }
  return R"(openapi: 3.1.0
info: {title: Hard, version: "1"}
paths:
  /hard:
    post:
      parameters:
)" + parameters +
         R"(      requestBody: {content: {text/plain: {}}}
      responses: {"204": {description: done}}
)";
}

// Its body is long, so that a worker has it.
std::string hard_request() {
  std::string query;
  for (int at = 0; at < kParameters * kItems; ++at) {
    query +=
        (at == 0 ? "?q" : "&q") + std::to_string(at / kItems) + '=' + std::string(28, 'a') + '!';
  }
  const std::string body(20'000, 'x');
  return "POST /hard" + query +
         " HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::vector<std::string> limits(const std::string& contract) {
  return {"--port",        "0",    "--contract",           contract,
          "--query-pairs", "5000", "--request-line-bytes", "200000"};
}

class BusyProgram : public testing::Test {
 protected:
  BusyProgram() { files_.write_contract(hard_contract()); }

  std::vector<std::string> command(const std::vector<std::string>& more) const {
    std::vector<std::string> words{test_paths::mock_server()};
    const auto usual = limits(files_.contract());
    words.insert(words.end(), usual.begin(), usual.end());
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  // Gives a worker of the program at `port` more than it can do in time.
  static void occupy(Client& client) {
    client.send(hard_request());
    std::this_thread::sleep_for(Wait(500));
    ASSERT_EQ(client.state(Wait(0)), transport::testing::Connection::kOpen);
  }

  ApiOnDisk files_;
};

}  // namespace

TEST_F(BusyProgram, a_second_signal_ends_it) {
  Process server(command({"--drain-ms", "60000"}));
  const int port = port_in(server.line());
  ASSERT_GT(port, 0);
  Client client(port);
  occupy(client);
  server.signal(SIGTERM);
  std::this_thread::sleep_for(Wait(100));
  server.signal(SIGINT);
  std::this_thread::sleep_for(Wait(600));
  ASSERT_EQ(server.end(Wait(0)), std::nullopt) << "one signal, sent twice, waits for the request";
  server.signal(SIGTERM);

  EXPECT_EQ(server.end(), 0);
}

TEST_F(BusyProgram, the_end_of_the_grace_period_ends_it) {
  Process server(command({"--drain-ms", "300"}));
  const int port = port_in(server.line());
  ASSERT_GT(port, 0);
  Client client(port);
  occupy(client);
  server.signal(SIGTERM);

  EXPECT_EQ(server.end(), 0);
}

TEST_F(BusyProgram, a_run_ends_with_its_commands_code_after_the_report) {
  Process server(
      command({"--drain-ms", "300", "run", "--", "sh", "-c", "echo $MOCK_URL; sleep 3; exit 7"}));
  const int port = port_in(server.line());
  ASSERT_GT(port, 0);
  Client client(port);
  occupy(client);

  EXPECT_EQ(server.end(), 7);
  EXPECT_NE(server.errors().find("coverage: "), std::string::npos);
}

TEST_F(BusyProgram, a_signal_ends_the_drain_after_a_run) {
  Process server(
      command({"--drain-ms", "60000", "run", "--", "sh", "-c", "echo $MOCK_URL; sleep 2; exit 7"}));
  const int port = port_in(server.line());
  ASSERT_GT(port, 0);
  Client client(port);
  occupy(client);
  std::this_thread::sleep_for(Wait(3'500));
  ASSERT_EQ(server.end(Wait(0)), std::nullopt) << "the drain waits for the request";
  server.signal(SIGTERM);

  EXPECT_EQ(server.end(), 7);
}

}  // namespace mock_server::program
