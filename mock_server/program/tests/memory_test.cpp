// Bodies that become large trees, under a limit of the address space: what there is no memory for
// is rejected, and the program stays. Not with sanitizers, which need more address space than any
// limit.

#include "mock_server/transport/tests/support/client.hpp"
#include "mock_server/transport/tests/support/process.hpp"
#include "spec/tests/paths.hpp"
#include "spec/tests/rows.hpp"
#include "spec/tests/sanitized.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <vector>

namespace mock_server::program {
namespace {

using transport::testing::Client;
using transport::testing::port_in;
using transport::testing::Process;
using transport::testing::Wait;

constexpr std::size_t kBodyBytes = 9'000'000;
constexpr std::size_t kAddressSpace = std::size_t{600} << 20U;
constexpr int kHungryClients = 40;

using spec::tests::kIsSanitized;

struct Shape {
  std::string name;
  std::string element;
};

std::string request_of(const Shape& shape, std::size_t bytes) {
  std::string body = "[";
  while (body.size() < bytes) {
    body += shape.element + ',';
  }
  body += "0]";
  return "POST /licenses/validate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
         "Content-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

int status_of_health(int port) {
  Client client(port);
  client.send("GET /_mock/health HTTP/1.1\r\nHost: localhost\r\n\r\n");
  return client.read_response().head.status;
}

void limit_address_space() {
  const rlimit limit{kAddressSpace, kAddressSpace};
  setrlimit(RLIMIT_AS, &limit);
}

using LargeTrees = spec::tests::RowTest;

}  // namespace

TEST_P(LargeTrees, that_do_not_fit_into_memory_are_rejected_and_the_program_continues) {
  const Shape& row = GetParam();

  if (kIsSanitized) {
    GTEST_SKIP() << "a sanitizer needs the address space";
  }
  Process program({test_paths::mock_server(), "--port", "0", "--quiet", "--body-ms", "600000"},
                  limit_address_space);
  const int port = port_in(program.line());
  ASSERT_NE(port, 0);
  const std::string request = request_of(row, kBodyBytes);
  std::vector<std::unique_ptr<Client>> clients;
  for (int at = 0; at < kHungryClients; ++at) {
    clients.push_back(std::make_unique<Client>(port));
    clients.back()->send(std::string_view(request).substr(0, request.size() - 1));
  }

  for (const auto& client : clients) {
    client->send("]");
  }
  int rejected = 0;
  for (const auto& client : clients) {
    rejected += client->read_response("POST", Wait(60'000)).head.status == 503 ? 1 : 0;
  }
  clients.clear();

  EXPECT_GT(rejected, 0);
  EXPECT_EQ(status_of_health(port), 200);
  EXPECT_EQ(program.end(Wait(0)), std::nullopt);
}

// Whatever allocation fails, on whichever thread, costs the request, the log line or the reload
// that it was for. At "::", the address of a client needs memory too.
TEST(FailingMemory, fails_requests_but_does_not_end_the_program) {
  if (kIsSanitized) {
    GTEST_SKIP() << "a sanitizer allocates by itself";
  }
  Process program(
      {test_paths::mock_server(), "--host", "::", "--open-control", "--port", "0"},
      transport::testing::Environment{{"LD_PRELOAD", test_paths::preloaded("failing_memory")}});
  const int port = port_in(program.line());
  ASSERT_NE(port, 0);
  const std::vector<std::string> requests{
      "GET /customers/cus_L9xVQ2zg4mZaouqKLiMcV HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
      "Authorization: Bearer dodo_test_x\r\n\r\n",
      "GET /_mock/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
      "GET /nowhere HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
      "broken\r\n\r\n",
      request_of({"texts", R"("")"}, 20'000),
      request_of({"members", R"({"a":[0]})"}, 300'000)};
  int responses = 0;
  for (int at = 0; at < 600; ++at) {
    if (at % 20 == 0) {
      program.signal(SIGHUP);
    }
    Client client(port);
    client.send(requests[static_cast<std::size_t>(at) % requests.size()]);
    responses += client.read_response().head.status != 0 ? 1 : 0;
  }

  EXPECT_GT(responses, 0);
  EXPECT_LT(responses, 600);
  EXPECT_EQ(program.end(Wait(0)), std::nullopt);
}

const std::vector<Shape> kShapesLargeTrees = {
    {"numbers", "0"},
    {"exact_numbers", "1e0"},
    {"texts", R"("")"},
    {"objects", "{}"},
    {"members", R"({"a":0,"b":0,"c":{"d":[]}})"},
    {"deep_arrays", std::string(100, '[') + std::string(100, ']')}};

INSTANTIATE_TEST_SUITE_P(Shapes, LargeTrees,
                         testing::ValuesIn(spec::tests::rows(kShapesLargeTrees)),
                         spec::tests::kRowNames);

}  // namespace mock_server::program
