#pragma once

// Sends requests to the real service and reads its responses as strictly as a proxy must: what a
// client could read in two ways is not passed on. Keeps connections for the next request; follows
// no redirect, decompresses nothing. send() blocks: never call it on an event loop before the
// exchange is done. Safe from any thread.

#include "mock_server/reply/reply.hpp"
#include "mock_server/upstream/exchange.hpp"
#include "spec/http/message.hpp"
#include "spec/net/base_url.hpp"
#include "spec/net/stream.hpp"
#include "spec/result.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace mock_server::upstream {

struct GatewayOptions {
  std::string ca_file;                       // PEM, besides the system's certificates
  std::chrono::milliseconds connect{5'000};  // and the TLS handshake
  ExchangeLimits exchange;
};

struct Answer {
  spec::http::Response response;  // end-to-end fields; the body with its content coding
  std::vector<spec::http::Response> interim;
  // If set, the body is longer than what is kept: this makes all of it.
  reply::Stream rest{};
};

enum class FailureKind : std::uint8_t { kConnect, kUntrusted, kTimeout, kBroken };

struct Failure {
  FailureKind kind = FailureKind::kConnect;
  std::string message;  // what happened, and a remedy where there is one
};

class Gateway {
 public:
  // Throws spec::LoadError when the CA file cannot be read.
  explicit Gateway(GatewayOptions options);

  // Our name in Via; another one in each process.
  const std::string& pseudonym() const { return pseudonym_; }

  // Sends `request`, made by to_service(), to `url`, unless `exchange` did, and reads the response,
  // again on another connection if one ended before a byte of it came. If `may_leave`: nothing, as
  // soon as it is sent and there is something to wait for, which `exchange` is for.
  spec::Result<std::optional<Answer>, Failure> send(const spec::net::BaseUrl& url,
                                                    const spec::http::Request& request,
                                                    std::optional<Exchange>& exchange,
                                                    bool may_leave);
  // Sends it and never blocks: nothing where no connection was kept, or where it does not take the
  // request at once.
  std::optional<Exchange> begin(const spec::net::BaseUrl& url, const spec::http::Request& request);

 private:
  spec::Result<Exchange, Failure> open(const spec::net::BaseUrl& url,
                                       const spec::http::Request& request);
  std::optional<Exchange> open_kept(const spec::net::BaseUrl& url,
                                    const spec::http::Request& request);
  spec::Result<Answer, Failure> finish(const spec::net::BaseUrl& url, Exchange& exchange);
  std::optional<spec::net::Stream> take_kept(const std::string& key);
  void keep(const std::string& key, spec::net::Stream stream);

  const GatewayOptions options_;
  const spec::net::Trust trust_;
  const std::string pseudonym_;
  std::mutex mutex_;
  std::map<std::string, std::vector<spec::net::Stream>> kept_;  // by authority
};

}  // namespace mock_server::upstream
