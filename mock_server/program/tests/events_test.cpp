// The stream of events of the real program, as its readers see it, and what it does to those who
// are served.

#include "mock_server/transport/tests/support/client.hpp"
#include "mock_server/transport/tests/support/eventually.hpp"
#include "mock_server/transport/tests/support/process.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <memory>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <utility>
#include <vector>

namespace mock_server::program {
namespace {

using transport::testing::eventually;

struct SentEvent {
  std::string name;  // "" for none within the time
  std::string id;
  nlohmann::json data;
};

// Reads a stream of events in chunks, event by event.
class EventReader {
 public:
  explicit EventReader(int port, const std::string& query = "", const std::string& fields = "")
      : client_(port) {
    client_.send("GET /_mock/events" + query + " HTTP/1.1\r\nHost: localhost\r\n" + fields +
                 "\r\n");
  }

  // The next event that is none of `but`.
  SentEvent next(std::string_view but = "") {
    for (SentEvent event = any();; event = any()) {
      if (event.name.empty() || event.name != but) {
        return event;
      }
    }
  }

  // Up to the end of the connection; true if the body was whole.
  bool ends_whole() {
    while (read_more()) {
    }
    return raw_ == "0\r\n\r\n";
  }

  transport::testing::Client& client() { return client_; }

 private:
  SentEvent any() {
    std::size_t end = 0;
    while ((end = text_.find("\n\n")) == std::string::npos) {
      if (!read_more()) {
        return {};
      }
    }
    const std::string lines = std::exchange(text_, text_.substr(end + 2)).substr(0, end + 1);
    return {member(lines, "event: "), member(lines, "id: "),
            nlohmann::json::parse(member(lines, "data: "), nullptr, false)};
  }

  static std::string member(const std::string& lines, const std::string& name) {
    const std::size_t begin = lines.find(name);
    return begin == std::string::npos
               ? ""
               : lines.substr(begin + name.size(), lines.find('\n', begin) - begin - name.size());
  }

  bool read_more() {
    const std::string bytes = client_.read(transport::testing::Wait(20'000));
    raw_ += bytes;
    if (!has_head_ && raw_.find("\r\n\r\n") != std::string::npos) {
      has_head_ = true;
      raw_.erase(0, raw_.find("\r\n\r\n") + 4);
    }
    while (has_head_ && take_chunk()) {
    }
    return !bytes.empty();
  }

  bool take_chunk() {
    const std::size_t line = raw_.find("\r\n");
    if (line == std::string::npos) {
      return false;
    }
    const std::size_t size = std::stoul(raw_.substr(0, line), nullptr, 16);
    if (size == 0 || raw_.size() < line + 2 + size + 2) {
      return false;
    }
    text_ += raw_.substr(line + 2, size);
    raw_.erase(0, line + 2 + size + 2);
    return true;
  }

  transport::testing::Client client_;
  std::string raw_;
  std::string text_;
  bool has_head_ = false;
};

class ProgramEvents : public ::testing::Test {
 protected:
  void start(const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{test_paths::mock_server(), "--port", "0", "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    server_ = std::make_unique<transport::testing::Process>(words);
    port_ = transport::testing::port_in(server_->line());
  }

  // Gives the status; 0 if there is none.
  int send(const std::string& request_line, const std::string& fields = "",
           const std::string& json = "") const {
    transport::testing::Client client(port_);
    client.send(request_line + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + fields +
                "Content-Type: application/json\r\nContent-Length: " + std::to_string(json.size()) +
                "\r\n\r\n" + json);
    return client.read_response().head.status;
  }

  nlohmann::json connections() const {
    transport::testing::Client client(port_);
    client.send("GET /_mock/health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const auto health = nlohmann::json::parse(client.read_response().response.body, nullptr, false);
    return health.at("transport").at("connections");
  }

  std::unique_ptr<transport::testing::Process> server_;
  int port_ = 0;
};

TEST_F(ProgramEvents, tell_of_requests_also_of_those_with_a_fault) {
  start();
  EventReader reader(port_);
  const SentEvent hello = reader.next();

  EXPECT_EQ(send("GET /customers/cus_none", "Authorization: Bearer dodo_test_a\r\n"), 404);
  EXPECT_EQ(send("GET /customers/cus_none", "Prefer: fault=reset\r\n"), 0);
  const SentEvent found = reader.next("change");
  const SentEvent broken = reader.next("change");

  EXPECT_EQ(hello.name, "hello");
  EXPECT_EQ(hello.data.at("newest"), 0);
  EXPECT_EQ(found.name, "request");
  EXPECT_EQ(found.id, "1");
  EXPECT_EQ(found.data.at("target"), "/customers/cus_none");
  EXPECT_EQ(found.data.at("status"), 404);
  EXPECT_EQ(found.data.at("session"), "");
  EXPECT_EQ(broken.id, "2");
  EXPECT_EQ(broken.data.at("fault"), "reset");
}

TEST_F(ProgramEvents, tell_of_changes_and_reloads) {
  start();
  EventReader reader(port_, "?session=*");
  reader.next();

  EXPECT_EQ(send("PUT /_s/w1/_mock/clock", "", R"({"now": "2027-01-01T00:00:00Z"})"), 200);
  SentEvent change = reader.next();
  if (change.data.at("what").dump().find("clock") == std::string::npos) {
    change = reader.next();  // the session was made in another part of a second
  }
  EXPECT_EQ(change.name, "change");
  EXPECT_EQ(change.data.at("session"), "w1");
  EXPECT_THAT(change.data.at("what").dump(), ::testing::HasSubstr("clock"));

  server_->signal(SIGHUP);
  EXPECT_EQ(reader.next().name, "reload");
}

TEST_F(ProgramEvents, go_on_where_a_reader_was_cut_off) {
  start();
  send("GET /one");
  send("GET /two");
  send("GET /three");

  EventReader by_header(port_, "?after=0", "Last-Event-ID: 1\r\n");
  EventReader by_query(port_, "?after=2");

  EXPECT_EQ(by_header.next().id, "1");
  EXPECT_EQ(by_header.next().data.at("target"), "/two");
  EXPECT_EQ(by_header.next().data.at("target"), "/three");
  EXPECT_EQ(by_query.next().id, "2");
  EXPECT_EQ(by_query.next().data.at("target"), "/three");
}

TEST_F(ProgramEvents, name_another_start_after_a_restart) {
  start();
  const auto first = EventReader(port_).next();
  start();
  const auto second = EventReader(port_).next();

  EXPECT_NE(first.data.at("boot"), second.data.at("boot"));
}

TEST_F(ProgramEvents, of_http_1_0_end_with_the_connection) {
  start();
  transport::testing::Client client(port_);
  client.send("GET /_mock/events HTTP/1.0\r\n\r\n");
  client.end_writing();

  const auto record = client.read_response();

  EXPECT_EQ(record.ending, spec::http::Ending::kComplete);
  EXPECT_THAT(record.response.body, ::testing::StartsWith("event: hello\n"));
  EXPECT_EQ(record.response.headers.find("Content-Type"), "text/event-stream");
}

// Each of 200 readers gets every request, others are served meanwhile, and the end of the program
// ends them all at once.
TEST_F(ProgramEvents, reach_many_readers_and_end_with_the_program) {
  constexpr int kReaders = 200;
  constexpr int kCalls = 10;
  start();
  std::vector<std::unique_ptr<EventReader>> readers;
  for (int at = 0; at < kReaders; ++at) {
    readers.push_back(std::make_unique<EventReader>(port_, "?session=*"));
    EXPECT_EQ(readers.back()->next().name, "hello");
  }
  for (int at = 0; at < kCalls; ++at) {
    EXPECT_EQ(send("GET /call/" + std::to_string(at)), 404);
  }

  int right = 0;
  for (const auto& reader : readers) {
    for (int at = 0; at < kCalls; ++at) {
      right += reader->next("change").data.value("target", "") == "/call/" + std::to_string(at);
    }
  }
  EXPECT_EQ(right, kReaders * kCalls);
  server_->signal(SIGTERM);
  int whole = 0;
  for (const auto& reader : readers) {
    whole += reader->ends_whole() ? 1 : 0;
    reader->client().close();
  }
  EXPECT_EQ(whole, kReaders);
  EXPECT_EQ(server_->end(std::chrono::seconds(8)), 0);
}

TEST_F(ProgramEvents, of_a_reader_that_does_not_read_end_alone) {
  start({"--write-progress-ms", "300"});
  EventReader stuck(port_);
  const int little = 4'096;
  setsockopt(stuck.client().descriptor(), SOL_SOCKET, SO_RCVBUF, &little, sizeof little);
  EventReader reader(port_);
  reader.next();
  const std::string target = "GET /" + std::string(7'000, 'x');

  EXPECT_TRUE(eventually([&] {
    for (int at = 0; at < 20; ++at) {
      EXPECT_EQ(send(target), 404);
    }
    return connections().at("timed_out") == 1;
  }));

  EXPECT_EQ(connections().at("streams"), 1);
  EXPECT_EQ(reader.next("change").name, "request");
}

TEST_F(ProgramEvents, of_readers_that_die_are_freed) {
  start();
  for (int at = 0; at < 10; ++at) {
    EventReader reader(port_);
    reader.next();
    if (at % 2 == 0) {
      reader.client().reset();
    }
  }

  EXPECT_TRUE(eventually([&] { return connections().at("streams") == 0; }));
}

}  // namespace
}  // namespace mock_server::program
