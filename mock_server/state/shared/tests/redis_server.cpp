#include "mock_server/state/shared/tests/redis_server.hpp"

#include "mock_server/state/cells.hpp"

#include <arpa/inet.h>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <netinet/in.h>
#include <sstream>
#include <stdexcept>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace mock_server::state::shared::testing {
namespace {

constexpr std::chrono::seconds kPatience{20};
constexpr int kDatabases = 16;

}  // namespace

int free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  const bool is_bound = bind(socket, any, size) == 0 && getsockname(socket, any, &size) == 0;
  close(socket);
  if (!is_bound) {
    throw std::runtime_error("no port is free");
  }
  return ntohs(address.sin_port);
}

bool RedisServer::is_installed() {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (std::filesystem::exists(std::filesystem::path(folder) / "redis-server")) {
      return true;
    }
  }
  return false;
}

RedisServer::RedisServer(std::vector<std::string> flags)
    : flags_(std::move(flags)), port_(free_port()) {
  start();
}

RedisServer::RedisServer(const std::string& certificate, const std::string& key)
    : flags_{"--tls-cert-file",    certificate, "--tls-key-file",     key,
             "--tls-ca-cert-file", certificate, "--tls-auth-clients", "no"},
      certificate_(certificate),
      port_(free_port()) {
  start();
}

void RedisServer::start() {
  const std::string port = std::to_string(port_);
  const bool is_plain = certificate_.empty();
  std::vector<std::string> words{
      "redis-server", "--port", is_plain ? port : "0", "--bind", "127.0.0.1",
      "--save",       "",       "--appendonly",        "no",     "--dir",
      "/tmp"};
  if (!is_plain) {
    words.insert(words.end(), {"--tls-port", port});
  }
  words.insert(words.end(), flags_.begin(), flags_.end());
  const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  auto child = spec::process::Child::start({.words = words, .output = nothing, .errors = nothing});
  close(nothing);
  if (!child) {
    throw std::runtime_error(child.error().message);
  }
  child_.emplace(std::move(child.value()));
  const auto end = std::chrono::steady_clock::now() + kPatience;
  for (;;) {
    try {
      ask({"PING"});
      return;
    } catch (const Unavailable& away) {
      if (std::chrono::steady_clock::now() > end || child_->has_ended()) {
        throw std::runtime_error(std::string("redis-server does not respond: ") + away.what());
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
}

RedisAddress RedisServer::address(int database) const {
  return {certificate_.empty() ? "127.0.0.1" : "localhost", port_, database, password,
          !certificate_.empty()};
}

std::string RedisServer::url(int database) const {
  return address(database).text();
}

int RedisServer::empty_database() {
  const int database = next_database_++ % kDatabases;
  ask({"FLUSHDB"}, database);
  return database;
}

Value RedisServer::ask(const Words& command, int database) const {
  const Deadline end = std::chrono::steady_clock::now() + kPatience;
  RedisConnection connection(address(), spec::net::Trust({certificate_}), end);
  std::vector<Words> commands;
  if (!password.empty()) {
    commands.push_back({"AUTH", password});
  }
  commands.push_back({"SELECT", std::to_string(database)});
  commands.push_back(command);
  return connection.ask(commands, end).back();
}

void RedisServer::kill() {
  child_.reset();
}

void RedisServer::freeze() const {
  child_->signal(SIGSTOP);
}

void RedisServer::thaw() const {
  child_->signal(SIGCONT);
}

}  // namespace mock_server::state::shared::testing
