#include "mock_server/program/tests/replicas.hpp"

#include "mock_server/transport/tests/support/client.hpp"
#include "spec/tests/paths.hpp"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <thread>
#include <utility>

namespace mock_server::program::testing {
namespace {

using transport::testing::Client;
using transport::testing::Process;
using transport::testing::Wait;

constexpr const char* kNginx = "/usr/sbin/nginx";
constexpr Wait kPatience{60'000};

std::string contract_of(const std::string& title) {
  return "openapi: 3.1.0\ninfo: {title: " + title + R"yaml(, version: "1"}
paths:
  /todos:
    get:
      operationId: list_todos
      responses:
        "200":
          description: all
          content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Todo"}}}}
    post:
      operationId: create_todo
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/NewTodo"}}}}
      responses:
        "201":
          description: made
          content: {application/json: {schema: {$ref: "#/components/schemas/Todo"}}}
  /todos/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: get_todo
      responses:
        "200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Todo"}}}}
        "404": {description: none}
    patch:
      operationId: change_todo
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/NewTodo"}}}}
      responses:
        "200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Todo"}}}}
        "404": {description: none}
components:
  schemas:
    NewTodo: {type: object, properties: {title: {type: string}}, additionalProperties: {type: string}}
    Todo:
      type: object
      required: [id, title]
      properties: {id: {type: integer}, title: {type: string}}
      additionalProperties: {type: string}
)yaml";
}

constexpr const char* kScenario = R"(description: The first call is one too many.
rules:
  - steps:
      - times: 1
        force: {status: 429, message: once}
)";

std::vector<std::string> command(const std::string& folder, const std::string& state) {
  return {test_paths::mock_server(),
          "--port",
          "0",
          "--quiet",
          "--contract",
          folder + "/contract.yaml",
          "--fixtures",
          folder + "/fixtures",
          "--seed-records",
          "0",
          "--state",
          state};
}

void write_api(const test_support::Folder& folder, const std::string& title) {
  folder.write("contract.yaml", contract_of(title));
  folder.write("fixtures/scenarios/once.yaml", kScenario);
}

std::string nginx_configuration(const std::string& folder, int port,
                                const std::vector<int>& ports) {
  std::string text = "daemon off; worker_processes 1; pid " + folder + "/pid; error_log " + folder +
                     "/errors;\nevents { worker_connections 1024; }\nhttp {\n  access_log off;\n";
  for (const char* kind : {"client_body", "proxy", "fastcgi", "uwsgi", "scgi"}) {
    text += std::string("  ") + kind + "_temp_path " + folder + "/" + kind + ";\n";
  }
  text += "  keepalive_requests 1000000;\n  upstream mocks {\n";
  for (const int one : ports) {
    text += "    server 127.0.0.1:" + std::to_string(one) + ";\n";
  }
  return text + "    keepalive 64;\n  }\n  server {\n    listen 127.0.0.1:" + std::to_string(port) +
         ";\n    location / {\n      proxy_pass http://mocks;\n      proxy_http_version 1.1;\n"
         "      proxy_set_header Connection \"\";\n      proxy_set_header Host $http_host;\n"
         "      proxy_connect_timeout 2s;\n    }\n  "
         "}\n}\n";
}

}  // namespace

struct Caller::Wire {
  Client client;
};

Caller::Caller(int port) : port_(port) {}

Caller::~Caller() = default;

spec::http::Response Caller::send(const std::string& method, const std::string& target,
                                  const std::string& json, const std::string& accept) {
  std::string bytes =
      method + ' ' + target + " HTTP/1.1\r\nHost: localhost\r\nAccept: " + accept + "\r\n";
  bytes += session_.empty() ? "" : "X-Counterpart-Session: " + session_ + "\r\n";
  bytes += json.empty() ? "" : "Content-Type: application/json\r\n";
  bytes += "Content-Length: " + std::to_string(json.size()) + "\r\n\r\n" + json;
  if (wire_ == nullptr) {
    try {
      wire_ = std::make_unique<Wire>(Wire{Client(port_)});
    } catch (const std::runtime_error&) {
      return {0, "", {}, ""};
    }
  }
  wire_->client.send(bytes);
  auto record = wire_->client.read_response(method, kPatience);
  if (!record.keep_alive) {
    wire_.reset();
  }
  if (record.ending != spec::http::Ending::kComplete) {
    wire_.reset();
    return {0, "", {}, ""};
  }
  return std::move(record.response);
}

Replicas::Replicas(state::shared::testing::RedisServer& redis, std::size_t count,
                   std::vector<std::string> flags, const std::string& state,
                   const transport::testing::Environment& environment) {
  write_api(folder_, "To do");
  auto words = command(folder_.path(), state.empty() ? redis.url(redis.empty_database()) : state);
  words.insert(words.end(), flags.begin(), flags.end());
  for (std::size_t at = 0; at < count; ++at) {
    mocks_.push_back(std::make_unique<Process>(words, environment));
    ports_.push_back(transport::testing::port_in(mocks_.back()->line()));
    if (ports_.back() == 0) {
      throw std::runtime_error("a mock did not start: " + mocks_.back()->errors());
    }
  }
}

int Replicas::balancer() {
  if (nginx_ != nullptr) {
    return balancer_;
  }
  balancer_ = state::shared::testing::free_port();
  const auto file =
      folder_.write("nginx.conf", nginx_configuration(folder_.path(), balancer_, ports_));
  nginx_ = std::make_unique<Process>(
      std::vector<std::string>{kNginx, "-p", folder_.path(), "-e", "stderr", "-c", file});
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (Caller(balancer_).send("GET", "/_mock/ready").status != 200) {
    if (std::chrono::steady_clock::now() > end) {
      throw std::runtime_error("nginx does not respond");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return balancer_;
}

void Replicas::kill(std::size_t replica) {
  mocks_.at(replica)->signal(SIGKILL);
  mocks_.at(replica)->end();
}

std::string Replicas::end(std::size_t replica) {
  mocks_.at(replica)->signal(SIGTERM);
  return mocks_.at(replica)->errors();
}

bool is_nginx_installed() {
  return std::filesystem::exists(kNginx);
}

FailedStart start_with_state(const std::string& state, const std::string& contract_title,
                             const transport::testing::Environment& environment) {
  const test_support::Folder folder;
  write_api(folder, contract_title);
  Process mock(command(folder.path(), state), environment);
  FailedStart failed;
  failed.errors = mock.errors();
  failed.code = mock.end().value_or(-1);
  return failed;
}

}  // namespace mock_server::program::testing
