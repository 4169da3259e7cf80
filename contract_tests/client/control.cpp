#include "contract_tests/client/control.hpp"

#include "spec/json/read.hpp"

#include <httplib.h>
#include <nlohmann/json.hpp>

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

namespace contract_tests::client {

namespace {

httplib::Client caller(const BaseUrl& url, const ControlOptions& options) {
  httplib::Client client((url.tls ? "https://" : "http://") + url.authority());
  client.set_connection_timeout(options.timeout);
  client.set_read_timeout(options.timeout);
  client.set_tcp_nodelay(true);
  if (url.proxy) {
    client.set_proxy(url.proxy->host, url.proxy->port);
  }
  if (!options.ca_file.empty()) {
    client.set_ca_cert_path(options.ca_file);
  }
  return client;
}

}  // namespace

// A stranger may answer slowly or without end: whatever it does, the question is over in time.
std::optional<DoubleHealth> double_health(const BaseUrl& url, const ControlOptions& options) {
  constexpr std::size_t kLongest = 64U * 1024;
  auto client = caller(url, options);
  std::string body;
  std::mutex mutex;
  std::condition_variable_any answered;
  bool done = false;
  const std::jthread watch([&](const std::stop_token& stop) {
    std::unique_lock lock(mutex);
    if (!answered.wait_for(lock, stop, options.timeout, [&done] { return done; })) {
      client.stop();
    }
  });
  const auto answer = client.Get("/_mock/health", [&body](const char* bytes, std::size_t size) {
    body.append(bytes, size);
    return body.size() <= kLongest;
  });
  {
    const std::lock_guard lock(mutex);
    done = true;
  }
  answered.notify_all();
  if (!answer || answer->status != 200) {
    return std::nullopt;
  }
  const auto health = spec::json::read(body);
  const auto says = [&health](const char* member, const char* word) {
    const auto found = health->find(member);
    return found != health->end() && *found == word;
  };
  if (!health || !health->is_object() || !says("service", "counterpart")) {
    return std::nullopt;
  }
  return DoubleHealth{.takes_any_token = says("credentials", "any")};
}

bool reset_double(const BaseUrl& url, const ControlOptions& options) {
  const auto answer = caller(url, options).Post("/_mock/reset", "{}", "application/json");
  return answer && answer->status / 100 == 2;
}

}  // namespace contract_tests::client
