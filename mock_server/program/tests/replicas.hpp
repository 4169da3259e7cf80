#pragma once

// Several mocks of one to-do contract with one Redis, and nginx before them, all of them real; gone
// with the object.

#include "mock_server/state/shared/tests/redis_server.hpp"
#include "mock_server/transport/tests/support/process.hpp"
#include "spec/http/message.hpp"
#include "spec/tests/folder.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mock_server::program::testing {

// One client with a connection of its own, made anew when it is gone.
class Caller {
 public:
  explicit Caller(int port);
  ~Caller();
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

  // Status 0 when no whole response came.
  spec::http::Response send(const std::string& method, const std::string& target,
                            const std::string& json = "", const std::string& accept = "*/*");

  // In the session of that name from now on.
  void use_session(const std::string& name) { session_ = name; }

 private:
  struct Wire;

  int port_;
  std::string session_;
  std::unique_ptr<Wire> wire_;
};

class Replicas {
 public:
  // `state` is where they keep it, if not simply in `redis`.
  Replicas(state::shared::testing::RedisServer& redis, std::size_t count,
           std::vector<std::string> flags = {}, const std::string& state = "",
           const transport::testing::Environment& environment = {});

  // The port of one of them; of nginx.
  int port(std::size_t replica) const { return ports_.at(replica); }

  int balancer();

  void kill(std::size_t replica);
  // Ends it as it should end; gives all that it wrote to standard error.
  std::string end(std::size_t replica);

  std::size_t count() const { return ports_.size(); }

 private:
  test_support::Folder folder_;
  std::vector<std::unique_ptr<transport::testing::Process>> mocks_;
  std::vector<int> ports_;
  std::unique_ptr<transport::testing::Process> nginx_;
  int balancer_ = 0;
};

bool is_nginx_installed();

// The exit code, and what a mock says on standard error that cannot start with that state.
struct FailedStart {
  int code = 0;
  std::string errors;
};

FailedStart start_with_state(const std::string& state, const std::string& contract_title = "To do",
                             const transport::testing::Environment& environment = {});

}  // namespace mock_server::program::testing
