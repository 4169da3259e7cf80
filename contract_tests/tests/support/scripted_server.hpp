#pragma once

// A server that sends the bytes of a script at the speed of the script: bodies that never end,
// bombs, resets. For tests of clients.

#include "contract_tests/tests/support/listener.hpp"

#include <nlohmann/json.hpp>

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

namespace contract_tests::support {

// A script is an array of steps that run after a request was read:
//   {send: TEXT, times: N}        N times, once by default
//   {forever: TEXT, every_ms: N}  until the peer closes
//   {bomb: gzip|deflate|br, megabytes: N}  so many zeros, compressed
//   {hang: true}                  nothing more, with the connection open
//   {reset: true}                 the connection is reset
// At its end the connection is closed. `deaf` starts without reading a request, `keep` reads the
// next request of the connection instead of closing it.
struct Script {
  nlohmann::json steps;
  bool deaf = false;
  bool keep = false;
};

// Steps that send a response of JSON; `status` is as in the status line: "200 OK".
nlohmann::json json_response(const std::string& status, const std::string& body);

// The same for every request of a connection.
std::vector<Script> always(const std::string& status, const std::string& body);

class ScriptedServer {
 public:
  // The first request gets the first script, and so on; the last one is for all that follow.
  explicit ScriptedServer(std::vector<Script> scripts);

  int port() const { return listener_.port(); }

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port()); }

  // The number of connections so far.
  std::size_t connections() const { return listener_.connections(); }

  // Heads of the requests so far, as they came.
  std::vector<std::string> received() const;

  // Waits until so many requests have come; false if that takes too long.
  bool wait_for_requests(std::size_t count) const;

 private:
  void serve(int socket);
  const Script& next_script(std::string head);

  std::vector<Script> scripts_;
  mutable std::mutex mutex_;
  mutable std::condition_variable came_;
  std::vector<std::string> received_;
  Listener listener_;  // ends before what its threads use
};

}  // namespace contract_tests::support
