// Reloads of the real program under load: contract of two files, fixtures, certificates; saved well
// and broken; ordered by SIGHUP and noticed on disk.

#include "mock_server/program/tests/api_on_disk.hpp"
#include "mock_server/transport/tests/support/certificate.hpp"
#include "mock_server/transport/tests/support/client.hpp"
#include "mock_server/transport/tests/support/process.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <functional>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <vector>

namespace mock_server::program {
namespace {

using nlohmann::json;
using transport::testing::Certificate;
using transport::testing::Client;
using transport::testing::port_in;
using transport::testing::Process;
using transport::testing::Wait;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kAsk = "GET /meters/one HTTP/1.1\r\nHost: a\r\n\r\n";
constexpr Wait kReloadDeadline{20'000};

json get(int port, const std::string& path) {
  Client client(port);
  client.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  return json::parse(client.read_response().response.body, nullptr, false);
}

// The health report's "reload" once `count` reloads are over, well or not.
json report_after(int port, std::uint64_t count) {
  const auto end = Clock::now() + kReloadDeadline;
  json reload;
  do {
    reload = get(port, "/_mock/health").at("reload");
    if (reload.at("done").get<std::uint64_t>() + reload.at("rejected").get<std::uint64_t>() >=
        count) {
      return reload;
    }
    std::this_thread::sleep_for(Wait(2));
  } while (Clock::now() < end);
  return reload;
}

// Waits until `what` holds.
bool comes_true(const std::function<bool()>& what) {
  const auto end = Clock::now() + kReloadDeadline;
  while (Clock::now() < end) {
    if (what()) {
      return true;
    }
    std::this_thread::sleep_for(Wait(5));
  }
  return false;
}

bool shows(int port, const std::string& unit, const std::string& key = "one") {
  return comes_true([&] { return get(port, "/meters/" + key).value("unit", "") == unit; });
}

bool has_rejected(int port) {
  return comes_true([&] { return get(port, "/_mock/health").at("reload").at("rejected") > 0; });
}

// Clients that ask on, each on one connection that it never lets go, until the object ends.
class Load {
 public:
  Load(int port, int clients) {
    for (int at = 0; at < clients; ++at) {
      threads_.emplace_back([this, port](const std::stop_token& stop) { ask(port, stop); });
    }
  }

  void end() { threads_.clear(); }

  int asked() const { return asked_; }

  // The number of requests without 200 and a whole body on the same connection.
  int failed() const { return failed_; }

 private:
  void ask(int port, const std::stop_token& stop) {
    Client client(port);
    while (!stop.stop_requested()) {
      client.send(kAsk);
      const auto record = client.read_response("GET", kReloadDeadline);
      const bool is_good = record.head.status == 200 && record.keep_alive &&
                           record.ending == spec::http::Ending::kComplete;
      ++(is_good ? asked_ : failed_);
      if (!is_good) {
        return;
      }
    }
  }

  std::atomic<int> asked_{0};
  std::atomic<int> failed_{0};
  std::vector<std::jthread> threads_;
};

// The fingerprint of the certificate that a new connection gets; "" for none.
std::string print_of_fresh_connection(int port) {
  Client client(port);
  return client.start_tls() ? client.peer_print() : "";
}

class Reload : public ::testing::Test {
 protected:
  std::vector<std::string> command(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{
        test_paths::mock_server(), "--port", "0", "--contract", disk_.contract(), "--fixtures",
        disk_.fixtures()};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  ApiOnDisk disk_;
};

}  // namespace

TEST_F(Reload, two_hundred_times_under_load_fails_no_request) {
  constexpr int kReloads = 200;
  // On a busy machine it takes long enough for a client to send more than the usual limit.
  Process server(command({"--quiet", "--requests-per-connection", "1000000000"}));
  const int port = port_in(server.line());
  ASSERT_GT(port, 0);
  Load load(port, 4);
  int rejected = 0;
  for (int at = 1; at <= kReloads; ++at) {
    const bool is_broken = at % 5 == 0;
    rejected += is_broken ? 1 : 0;
    is_broken ? disk_.break_one(at / 5) : disk_.write_version(at);
    server.signal(SIGHUP);
    const json reload = report_after(port, static_cast<std::uint64_t>(at));
    ASSERT_EQ(reload.at("rejected"), rejected) << reload.dump(1);
    const int good = is_broken ? at - 1 : at;
    ASSERT_EQ(get(port, "/meters/one").value("unit", ""), ApiOnDisk::unit_of(good));
  }
  load.end();

  EXPECT_EQ(load.failed(), 0);
  EXPECT_GT(load.asked(), kReloads);
  server.signal(SIGTERM);
  EXPECT_EQ(server.end(), 0);
}

TEST_F(Reload, reports_the_place_of_a_problem) {
  Process server(command());
  const int port = port_in(server.line());
  ASSERT_GT(port, 0);
  disk_.write_contract("openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {/a: {get: 5}}\n");
  server.signal(SIGHUP);
  const json last = report_after(port, 1).at("last");
  server.signal(SIGTERM);

  EXPECT_EQ(last.at("outcome"), "rejected");
  const json& problem = last.at("problems").at(0);
  EXPECT_EQ(problem.at("file"), disk_.contract());
  EXPECT_EQ(problem.at("line"), 3);
  EXPECT_EQ(problem.at("pointer"), "/paths/~1a/get");
  EXPECT_THAT(server.errors(),
              ::testing::HasSubstr("reload: " + problem.at("text").get<std::string>()));
}

TEST_F(Reload, rejects_files_that_may_never_end) {
  Process server(command());
  const int port = port_in(server.line());
  ASSERT_GT(port, 0);
  std::filesystem::remove(disk_.contract());
  ASSERT_EQ(mkfifo(disk_.contract().c_str(), S_IRUSR | S_IWUSR), 0);
  server.signal(SIGHUP);
  const json last = report_after(port, 1).at("last");
  server.signal(SIGTERM);

  EXPECT_THAT(last.at("problems").at(0).at("message"), ::testing::HasSubstr("regular file"));
  EXPECT_EQ(server.end(), 0);
}

TEST_F(Reload, keeps_the_changes_of_sessions) {
  Process server(command());
  const int port = port_in(server.line());
  ASSERT_GT(port, 0);
  Client client(port);
  client.send(
      "PATCH /meters/one HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
      "Content-Length: 16\r\n\r\n{\"unit\": \"mine\"}");
  ASSERT_EQ(client.read_response("PATCH").head.status, 200);
  disk_.write_version(7);
  server.signal(SIGHUP);
  ASSERT_EQ(report_after(port, 1).at("done"), 1);

  EXPECT_EQ(get(port, "/meters/one").value("unit", ""), "mine");
  client.send(kAsk);
  EXPECT_EQ(client.read_response().head.status, 200) << "the connection from before the reload";
}

TEST_F(Reload, watching_sees_every_kind_of_file) {
  Process server(command({"--watch"}));
  const int port = port_in(server.line());
  ASSERT_GT(port, 0);

  disk_.write_fixtures("f1");
  EXPECT_TRUE(shows(port, "f1")) << "a fixture written in place";
  disk_.write_fixtures("f2", ApiOnDisk::How::kMovedIn);
  EXPECT_TRUE(shows(port, "f2")) << "a fixture moved in place";
  disk_.write_schema("maxLength: 1");
  EXPECT_TRUE(has_rejected(port)) << "a referenced file whose rule no record keeps";
  disk_.write_fixtures("x");
  EXPECT_TRUE(shows(port, "x")) << "good again";
  disk_.add_fixture("meters/two.json", R"({"id": "two", "unit": "n"})");
  EXPECT_TRUE(shows(port, "n", "two")) << "a fixture in a new folder";
}

TEST_F(Reload, watching_sees_missing_files_appear) {
  const auto refer_to = [](const std::string& file) {
    return "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n"
           "  /a: {get: {responses: {'204': {description: d}}}}\n"
           "  /b: {get: {responses: {'200': {description: d, content: {application/json: "
           "{schema: {$ref: " +
           file + "}}}}}}}\n";
  };
  disk_.write_contract(refer_to("later/first.yaml"));
  Process server({test_paths::mock_server(), "--port", "0", "--contract", disk_.contract(),
                  "--watch", "--tolerate"});
  const int port = port_in(server.line());
  ASSERT_GT(port, 0);
  server.signal(SIGHUP);  // or the contract, written just now, would soon be read again anyway
  report_after(port, 1);
  disk_.write("later/first.yaml", "const: first");
  EXPECT_TRUE(comes_true([&] { return get(port, "/b") == "first"; })) << "missing at the start";

  Process strict(
      {test_paths::mock_server(), "--port", "0", "--contract", disk_.contract(), "--watch"});
  const int strict_port = port_in(strict.line());
  ASSERT_GT(strict_port, 0);
  disk_.write_contract(refer_to("later/second.yaml"));
  EXPECT_TRUE(has_rejected(strict_port));
  disk_.write("later/second.yaml", "const: second");
  EXPECT_TRUE(comes_true([&] { return get(strict_port, "/b") == "second"; }))
      << "missing in a reload that was rejected";
}

TEST_F(Reload, certificates_are_read_again) {
  const Certificate first;
  const Certificate second;
  namespace fs = std::filesystem;
  const std::string certificate = disk_.folder() + "/certificate.pem";
  const std::string key = disk_.folder() + "/key.pem";
  fs::copy_file(first.certificate_file(), certificate);
  fs::copy_file(first.key_file(), key);
  Process server(command({"--tls-cert", certificate, "--tls-key", key}));
  const int port = port_in(server.line());
  ASSERT_GT(port, 0);
  Client before(port);
  ASSERT_TRUE(before.start_tls());
  const std::string old_print = before.peer_print();

  fs::copy_file(second.certificate_file(), certificate, fs::copy_options::overwrite_existing);
  server.signal(SIGHUP);  // the key is still the first one's: rejected
  std::this_thread::sleep_for(Wait(200));
  EXPECT_EQ(print_of_fresh_connection(port), old_print);
  fs::copy_file(second.key_file(), key, fs::copy_options::overwrite_existing);
  server.signal(SIGHUP);

  EXPECT_TRUE(comes_true([&] { return print_of_fresh_connection(port) != old_print; }));
  before.send(kAsk);
  EXPECT_EQ(before.read_response().head.status, 200) << "the connection from before";
}

}  // namespace mock_server::program
