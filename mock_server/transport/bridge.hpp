#pragma once

// Leads one complete, vetted request through cpp-httplib and catches the answer in memory.
// cpp-httplib dispatches (its pre-routing hook calls the service) and writes status line, length
// and body by its rules for HEAD; it never sees a socket, nor a byte that the parser has not
// vetted. One bridge belongs to one thread.

#include "mock_server/service/reply.hpp"
#include "mock_server/transport/answer.hpp"
#include "mock_server/transport/clock.hpp"

#include <memory>

namespace mock_server::transport {

class Bridge {
 public:
  // `handler` must outlive the bridge.
  explicit Bridge(const service::Handler& handler);
  ~Bridge();
  Bridge(const Bridge&) = delete;
  Bridge& operator=(const Bridge&) = delete;

  // What the handler throws becomes a 500, but for std::bad_alloc, which is thrown on. The answer
  // is valid until the next call; the caller may move from it.
  Answer& answer(const spec::http::Request& request, const service::Peer& peer,
                 Persistence persistence);

  // Asks for an answer that was still to come; a null pointer when it still is. `last`: it must
  // come now. Precondition: `waiting.later` is set.
  Answer* ask_again(const Answer& waiting, bool last);

 private:
  class Server;
  std::unique_ptr<Server> server_;
};

}  // namespace mock_server::transport
