// A thousand clients that listen to one stream: each gets what is pushed, and when they leave
// nothing is left of them.

#include "mock_server/tests/server_process.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/paths.hpp"
#include "spec/tests/sanitized.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <chrono>
#include <cstdint>
#include <netinet/in.h>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace mock_server::tests {
namespace {

constexpr std::size_t kStreams = 1'000;
constexpr time_t kPatienceSeconds = 60;
constexpr std::size_t kMemoryPerStream = 32UL * 1024;

constexpr const char* kContract = R"(
openapi: 3.1.0
info: {title: News, version: "1"}
paths:
  /news:
    get:
      operationId: news
      responses:
        "200":
          description: ok
          content:
            text/event-stream:
              schema: {type: object, required: [n], properties: {n: {type: integer}}}
              example: [{n: 1}]
)";

// A client that reads a stream.
class Listener {
 public:
  explicit Listener(int port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval patience{kPatienceSeconds, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the sockets API wants it so.
    if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
      constexpr std::string_view kGet = "GET /news?__end=open HTTP/1.1\r\nHost: localhost\r\n\r\n";
      send(socket_, kGet.data(), kGet.size(), MSG_NOSIGNAL);
    }
  }

  Listener(Listener&& other) noexcept
      : socket_(std::exchange(other.socket_, -1)), came_(std::move(other.came_)) {}

  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  Listener& operator=(Listener&&) = delete;

  ~Listener() {
    if (socket_ >= 0) {
      close(socket_);
    }
  }

  bool gets(std::string_view text) {
    std::array<char, 4096> buffer{};
    while (came_.find(text) == std::string::npos) {
      const ssize_t got = recv(socket_, buffer.data(), buffer.size(), 0);
      if (got <= 0) {
        return false;
      }
      came_.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return true;
  }

 private:
  int socket_;
  std::string came_;
};

class OpenStreamsTest : public testing::Test {
 protected:
  void SetUp() override {
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    ASSERT_GT(files.rlim_cur, kStreams + 100);
    folder_.write("contract.yaml", kContract);
  }

  std::string control(const ServerProcess& server, const std::string& method,
                      const std::string& path, const std::string& body = "") const {
    return server
        .exchange(method, method + " /_mock/" + path +
                              " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                              "Content-Type: application/json\r\nContent-Length: " +
                              std::to_string(body.size()) + "\r\n\r\n" + body)
        .response.body;
  }

  // True when none is open any more.
  bool are_gone(const ServerProcess& server) const {
    for (int at = 0; at < kPatienceSeconds * 20; ++at) {
      if (control(server, "GET", "streams").find(R"("streams":[])") != std::string::npos) {
        return true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return false;
  }

  test_support::Folder folder_;
};

TEST_F(OpenStreamsTest, of_a_thousand_clients_all_get_what_is_pushed) {
  ServerProcess server(
      {test_paths::mock_server(),
       {"--port", "0", "--quiet", "--contract", (folder_.path() / "contract.yaml").string()},
       {},
       folder_.path()});
  ASSERT_TRUE(server.wait_until_listening(std::chrono::seconds(60)));
  const std::size_t before = server.memory_bytes();
  std::vector<Listener> listeners;
  for (std::size_t at = 0; at < kStreams; ++at) {
    listeners.emplace_back(server.port());
  }
  const auto all_get = [&](std::string_view text) {
    return std::ranges::all_of(listeners, [&](Listener& one) { return one.gets(text); });
  };
  ASSERT_TRUE(all_get("data: {\"n\":1}\n\n"));

  const std::string pushed = control(server, "POST", "streams/news", R"({"n": 7})");

  EXPECT_THAT(pushed, testing::HasSubstr(R"("streams":1000)"));
  EXPECT_TRUE(all_get("data: {\"n\":7}\n\n"));
  if (!spec::tests::kIsSanitized) {
    EXPECT_LT(server.memory_bytes(), before + kStreams * kMemoryPerStream);
  }
  listeners.clear();
  EXPECT_TRUE(are_gone(server));
  EXPECT_EQ(server.terminate(), 0);
}

TEST_F(OpenStreamsTest, end_properly_with_the_mock) {
  ServerProcess server(
      {test_paths::mock_server(),
       {"--port", "0", "--quiet", "--contract", (folder_.path() / "contract.yaml").string()},
       {},
       folder_.path()});
  ASSERT_TRUE(server.wait_until_listening(std::chrono::seconds(60)));
  Listener listener(server.port());
  ASSERT_TRUE(listener.gets("data: {\"n\":1}\n\n"));

  EXPECT_EQ(server.terminate(), 0);
  EXPECT_TRUE(listener.gets("\r\n0\r\n\r\n"));
}

}  // namespace
}  // namespace mock_server::tests
