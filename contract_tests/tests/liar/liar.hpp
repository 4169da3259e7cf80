#pragma once

// A server that stands before an honest one and tells one lie, or varies in one honest way: its
// behaviour is a value (see transform.hpp). Real sockets, one thread a connection. For tests of the
// suite alone.

#include "contract_tests/client/base_url.hpp"
#include "contract_tests/client/client.hpp"

#include <nlohmann/json.hpp>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace contract_tests::liar {

// One kind of request and what is done to it.
struct Behaviour {
  nlohmann::json when;
  nlohmann::json request;  // steps
  nlohmann::json answer;   // steps
};

class Liar {
 public:
  Liar(client::BaseUrl honest, std::vector<Behaviour> behaviours);
  ~Liar();
  Liar(const Liar&) = delete;
  Liar& operator=(const Liar&) = delete;

  client::BaseUrl url() const;

 private:
  void accept_all();
  void serve(int connection);
  // The bytes of the answer; `close` is set when the connection must end after them.
  std::string answer(spec::http::Request request, client::Client& honest, bool& close);

  client::BaseUrl honest_;
  std::vector<Behaviour> behaviours_;
  client::Trust trust_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<bool> stopping_ = false;
  std::atomic<std::size_t> count_ = 0;
  std::vector<std::jthread> connections_;
  std::jthread acceptor_;
};

}  // namespace contract_tests::liar
