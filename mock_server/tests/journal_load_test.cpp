// Many requests with long bodies: the journal stays within its bytes and the program within its
// memory, and what went out of the journal is never counted as if it had been looked at.
// 20,000 as released; COUNTERPART_JOURNAL_REQUESTS says another number, scripts/soak.sh --journal a
// million.

#include "mock_server/tests/server_process.hpp"
#include "spec/json/read.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/paths.hpp"
#include "spec/tests/sanitized.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <arpa/inet.h>
#include <array>
#include <atomic>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace mock_server::tests {
namespace {

using nlohmann::json;

constexpr std::size_t kBodyBytes = 100'000;
constexpr std::size_t kBatch = 2'000;  // requests on one connection
constexpr std::size_t kSenders = 2;
constexpr std::size_t kJournalBytes = 3 * 1024 * 1024;
constexpr std::size_t kMemoryBytes = 48 * 1024 * 1024;  // above what it had before

// Programs for debugging and those with sanitizers take a hundred times as long over each body.
#ifdef NDEBUG
constexpr std::size_t kRequests = 20'000;
#else
constexpr std::size_t kRequests = 500;
#endif

std::size_t wanted_requests() {
  const char* const text = std::getenv("COUNTERPART_JOURNAL_REQUESTS");
  return text != nullptr ? std::stoul(text) : kRequests;
}

int connect_for_load(int port) {
  const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the sockets API wants it so.
  if (connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    close(descriptor);
    return -1;
  }
  return descriptor;
}

// Counts the responses that come until the connection ends.
std::size_t count_responses(int descriptor) {
  constexpr std::string_view kStart = "HTTP/1.1 404";
  std::array<char, 65'536> buffer{};
  std::string held;
  std::size_t count = 0;
  for (ssize_t got = 0; (got = recv(descriptor, buffer.data(), buffer.size(), 0)) > 0;) {
    held.append(buffer.data(), static_cast<std::size_t>(got));
    std::size_t at = 0;
    for (; (at = held.find(kStart, at)) != std::string::npos; at += kStart.size()) {
      ++count;
    }
    held.erase(0, held.size() - std::min(held.size(), kStart.size() - 1));
  }
  return count;
}

bool send_bytes(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) {
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

// Sends `count` requests on a connection of its own and gives the number of responses.
std::size_t send_batch(int port, std::size_t count) {
  const int descriptor = connect_for_load(port);
  std::size_t responses = 0;
  std::jthread reader([&] { responses = count_responses(descriptor); });
  const std::string head =
      "POST /load HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: " +
      std::to_string(kBodyBytes) + "\r\n";
  const std::string body(kBodyBytes, 'x');
  for (std::size_t at = 1; at <= count; ++at) {
    send_bytes(descriptor, head + (at == count ? "Connection: close\r\n\r\n" : "\r\n") + body);
  }
  reader.join();
  close(descriptor);
  return responses;
}

std::size_t send_requests(int port, std::size_t count) {
  std::atomic<std::size_t> left{count};
  std::atomic<std::size_t> responses{0};
  std::vector<std::jthread> senders;
  for (std::size_t sender = 0; sender < kSenders; ++sender) {
    senders.emplace_back([&] {
      while (true) {
        const std::size_t before = left.load();
        const std::size_t batch = std::min(before, kBatch);
        std::size_t expected = before;
        if (batch == 0) {
          return;
        }
        if (left.compare_exchange_strong(expected, before - batch)) {
          responses += send_batch(port, batch);
        }
      }
    });
  }
  senders.clear();
  return responses.load();
}

class JournalLoad : public testing::Test {
 protected:
  json verify(const ServerProcess& server, const json& wanted) const {
    const std::string body = wanted.dump();
    const auto record = server.exchange(
        "POST",
        "POST /_mock/requests/verify HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        "Content-Type: application/json\r\nContent-Length: " +
            std::to_string(body.size()) + "\r\n\r\n" + body);
    return *spec::json::read(record.response.body);
  }

  test_support::Folder folder_;
};

TEST_F(JournalLoad, stays_within_its_bounds_and_counts_correctly) {
  const std::size_t requests = wanted_requests();
  ServerProcess server({test_paths::mock_server(), {"--port", "0", "--quiet"}, {}, folder_.path()});
  ASSERT_TRUE(server.wait_until_listening(std::chrono::seconds(60)));
  ASSERT_EQ(send_requests(server.port(), kSenders), kSenders);
  const std::size_t before = server.memory_bytes();

  ASSERT_EQ(send_requests(server.port(), requests - kSenders), requests - kSenders);

  if (!spec::tests::kIsSanitized) {
    EXPECT_LE(server.memory_bytes(), before + kMemoryBytes);
  }
  const json exact = verify(server, {{"match", {{"path", "/load"}}}, {"exactly", requests}});
  EXPECT_EQ(exact["verdict"], "inconclusive");
  EXPECT_EQ(exact["window"]["noted"], requests);
  EXPECT_EQ(exact["matched"].get<std::size_t>() + exact["lost"].get<std::size_t>(), requests);
  EXPECT_LE(exact["matched"].get<std::size_t>() * kBodyBytes, kJournalBytes);
  EXPECT_GT(exact["matched"].get<std::size_t>(), 10U);
  EXPECT_EQ(verify(server, {{"match", {{"path", "/load"}}}, {"at_least", 10}})["verdict"], "pass");
  EXPECT_EQ(verify(server, {{"match", {{"path", "/load"}}}, {"at_least", requests + 1}})["verdict"],
            "fail");
  EXPECT_EQ(verify(server, {{"match", {{"path", "/other"}}}, {"exactly", 0}})["verdict"],
            "inconclusive");
  EXPECT_EQ(server.terminate(), 0);
}

}  // namespace
}  // namespace mock_server::tests
