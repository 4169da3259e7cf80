#pragma once

// A server that passes requests on to the mock and changes them, or the responses, as its
// behaviours say (transform.hpp): with one fault, or in one unusual but correct way. Real sockets,
// one thread a connection. For tests of the suite alone.

#include "contract_tests/client/client.hpp"
#include "contract_tests/tests/faulty_server/transform.hpp"

#include <nlohmann/json.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace contract_tests::faulty_server {

struct ReceivedRequest {
  spec::http::Request request;
  spec::http::Response response;
};

// Counts something for as long as it lives.
class Counted {
 public:
  explicit Counted(std::atomic<std::size_t>& count) : count_(&count) { ++count; }

  ~Counted() {
    if (count_ != nullptr) {
      --*count_;
    }
  }

  Counted(Counted&& other) noexcept : count_(std::exchange(other.count_, nullptr)) {}

  Counted& operator=(Counted&&) = delete;

 private:
  std::atomic<std::size_t>* count_;
};

class FaultyServer {
 public:
  // `session` is the session of the mock that every request goes to.
  FaultyServer(client::BaseUrl mock, const client::Trust& trust, std::vector<Behaviour> behaviours,
               std::string session);
  ~FaultyServer();
  FaultyServer(const FaultyServer&) = delete;
  FaultyServer& operator=(const FaultyServer&) = delete;

  client::BaseUrl url() const;

  // The number of requests to which a behaviour was applied.
  std::size_t applied() const { return applied_; }

  // The requests, and the responses of the mock, since the last call; for a server without
  // behaviours.
  std::vector<ReceivedRequest> take_seen();

 private:
  // The state of one connection.
  struct Thread {
    client::Client mock;
    spec::http::Response previous;
    std::optional<Counted> unasked;  // until its first request
  };

  void accept_all();
  void serve(int connection, Counted unasked);
  bool write_response(int connection, const Wire& wire, const spec::http::Request& request);
  Wire respond(const spec::http::Request& request, Thread& thread);
  // True when the request before this one had the same body.
  bool is_repeated(const spec::http::Request& request);
  // The request to the mock.
  spec::http::Request plain_copy(const spec::http::Request& request) const;
  bool ignores_expect() const;
  // True if the behaviour applies to this request by its time and the requests before it.
  bool is_due(const Behaviour& behaviour, const spec::http::Request& request, bool repeated) const;
  // Holds a request of those that are sent together until so many are in flight as a behaviour
  // needs, or no other connection is about to send one.
  void await_others() const;
  // Gives `wire` to another request that is in flight, and takes that one's instead.
  void swap_in_flight(Wire& wire);
  // The steps that need more than this request and its response.
  void apply_own_steps(const Behaviour& behaviour, const spec::http::Request& request,
                       Thread& thread, Wire& wire);
  void repage(const nlohmann::json& how, const spec::http::Request& request, client::Client& mock,
              Wire& wire);
  void remember(const nlohmann::json& step, const spec::http::Request& request, Wire& wire);

  client::BaseUrl mock_;
  std::vector<Behaviour> behaviours_;
  std::string session_;
  const client::Trust& trust_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<bool> stopping_ = false;
  std::atomic<std::size_t> count_ = 0;
  std::atomic<std::size_t> applied_ = 0;
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::atomic<std::size_t> in_flight_ = 0;
  std::atomic<std::size_t> unasked_ = 0;  // connections that no request came on
  mutable std::mutex mutex_;
  std::set<std::string> raised_;  // by `raise`, for `when: {raised: ...}`
  std::condition_variable swapped_;
  std::vector<Wire*> waiting_;                    // for another to swap with
  std::map<std::string, nlohmann::json> memory_;  // path -> {pointer: value}
  spec::http::Response previous_;
  std::string last_body_;
  std::map<std::string, std::chrono::steady_clock::time_point> first_;  // request with a body
  std::vector<ReceivedRequest> seen_;
  std::vector<std::jthread> connections_;
  std::jthread acceptor_;
};

}  // namespace contract_tests::faulty_server
