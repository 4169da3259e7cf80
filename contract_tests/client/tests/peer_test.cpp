// The suite's clients with a server of another make: cpp-httplib's.

#include "contract_tests/client/client.hpp"
#include "contract_tests/client/mock_health.hpp"

#include <gmock/gmock.h>
#include <httplib.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <thread>

namespace contract_tests::client {
namespace {

constexpr std::size_t kLongBody = 300'000;

class Peer : public testing::Test {
 protected:
  Peer() {
    server_.Get("/long", [](const httplib::Request&, httplib::Response& response) {
      response.set_content(std::string(kLongBody, 'b'), "text/plain");
    });
    server_.Get("/chunked", [](const httplib::Request&, httplib::Response& response) {
      response.set_chunked_content_provider("text/plain",
                                            [](std::size_t offset, httplib::DataSink& sink) {
                                              sink.write("piece;", 6);
                                              if (offset > 0) {
                                                sink.done();
                                              }
                                              return true;
                                            });
    });
    server_.Post("/echo", [](const httplib::Request& request, httplib::Response& response) {
      response.status = 201;
      response.set_content(request.body, request.get_header_value("Content-Type"));
    });
    url_.host = "127.0.0.1";
    url_.port = server_.bind_to_any_port("127.0.0.1");
  }

  ~Peer() override {
    server_.stop();
    thread_.join();
  }

  void serve() {
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) {
      std::this_thread::yield();
    }
  }

  std::optional<MockHealth> health() const {
    const Trust trust;
    return mock_health(url_, trust, std::chrono::steady_clock::now() + std::chrono::seconds(60));
  }

  void response_health_with(const std::string& body) {
    server_.Get("/_mock/health", [body](const httplib::Request&, httplib::Response& response) {
      response.set_content(body, "application/json");
    });
    serve();
  }

  httplib::Server server_;
  std::thread thread_;
  BaseUrl url_;
};

TEST_F(Peer, sends_responses_with_a_length_and_with_chunks) {
  serve();
  const Trust trust;
  Client client(url_, trust);

  const auto whole = client.send({"GET", "/long", {}, ""});
  const auto chunked = client.send({"GET", "/chunked", {}, ""});

  EXPECT_EQ(whole.response.body, std::string(kLongBody, 'b'));
  EXPECT_EQ(chunked.response.body, "piece;piece;");
}

TEST_F(Peer, understands_what_is_sent_whole_in_chunks_and_after_a_100) {
  serve();
  const Trust trust;
  Client client(url_, trust);
  const spec::http::Request request{"POST", "/echo", {{"Content-Type", "text/csv"}}, "a,b\r\n"};
  constexpr int kCreated = 201;

  for (const SendOptions& options :
       {SendOptions{}, SendOptions{.chunked = true}, SendOptions{.expect_continue = true}}) {
    const auto exchange = client.send(request, options);

    EXPECT_EQ(exchange.response.status, kCreated);
    EXPECT_EQ(exchange.response.body, request.body);
    EXPECT_EQ(exchange.response.headers.find("Content-Type"), "text/csv");
  }
}

TEST_F(Peer, gets_a_request_after_what_its_sender_waits_for) {
  std::atomic<int> calls = 0;
  server_.Get("/calls", [&calls](const httplib::Request&, httplib::Response& response) {
    response.set_content(std::to_string(calls), "text/plain");
  });
  serve();
  const Trust trust;
  auto nowhere = url_;
  nowhere.port = 1;
  const SendOptions options{.before_request = [&calls] { ++calls; }};

  const auto sent = Client(url_, trust).send({"GET", "/calls", {}, ""}, options);
  const auto unsent = Client(nowhere, trust).send({"GET", "/calls", {}, ""}, options);

  EXPECT_EQ(sent.response.body, "1");
  EXPECT_EQ(unsent.ending, Ending::kNoConnection);
  EXPECT_EQ(calls, 2);
}

TEST_F(Peer, that_rejects_a_body_before_it_is_sent_gets_the_next_request_anew) {
  server_.set_expect_100_continue_handler(
      [](const httplib::Request&, httplib::Response&) { return 417; });
  serve();
  const Trust trust;
  Client client(url_, trust);

  const auto rejected =
      client.send({"POST", "/echo", {}, "body"}, SendOptions{.expect_continue = true});
  const auto next = client.send({"GET", "/long", {}, ""});

  EXPECT_EQ(rejected.response.status, 417);
  EXPECT_EQ(next.response.status, 200);
  EXPECT_FALSE(next.reused_connection);
}

TEST_F(Peer, is_the_mock_if_its_health_says_so) {
  response_health_with(
      R"({"service": "counterpart", "credentials": "any", "records": {"pets": 0},
           "upstream": null, "state": {"kind": "memory"}})");

  for (const auto& found : {health(), health_of_own_mock(url_)}) {
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->takes_any_token);
    EXPECT_TRUE(found->keeps_records);
    EXPECT_TRUE(found->is_alone());
  }
}

TEST_F(Peer, is_the_mock_behind_a_proxy_that_requires_credentials) {
  server_.Get(".*", [](const httplib::Request& request, httplib::Response& response) {
    const auto given = request.get_header_value("Proxy-Authorization");
    response.status = given == "Basic bWU6d29yZA==" ? 200 : 407;
    response.set_content(R"({"service": "counterpart"})", "application/json");
  });
  serve();
  url_.proxy = Proxy{.host = url_.host, .port = url_.port, .authorization = "Basic bWU6d29yZA=="};
  url_.host = "payments.example";

  EXPECT_TRUE(health());
}

TEST_F(Peer, is_not_the_mock_without_such_a_path) {
  serve();

  EXPECT_FALSE(health());
}

TEST_F(Peer, is_not_the_mock_if_it_says_something_else) {
  response_health_with(R"(["counterpart"])");

  EXPECT_FALSE(health());
}

TEST_F(Peer, is_no_mock_alone_unless_its_health_says_so) {
  response_health_with(
      R"({"service": "counterpart", "upstream": {"url": 1}, "state": {"kind": "redis"}})");

  const auto found = health();

  ASSERT_TRUE(found);
  EXPECT_FALSE(found->is_alone());
  EXPECT_EQ(found->state, "redis");
}

TEST_F(Peer, is_not_the_mock_if_its_response_never_ends) {
  server_.Get("/_mock/health", [](const httplib::Request&, httplib::Response& response) {
    response.set_chunked_content_provider("application/json",
                                          [](std::size_t, httplib::DataSink& sink) {
                                            std::this_thread::yield();
                                            return sink.write(" ", 1);
                                          });
  });
  serve();

  EXPECT_FALSE(health());  // ends at the limit of its size
}

}  // namespace
}  // namespace contract_tests::client
