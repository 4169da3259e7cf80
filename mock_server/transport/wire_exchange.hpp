#pragma once

// The data that a connection needs only while something is under way: parser, unread input, unsent
// output, the response that waits. Kept in a small pool, so that thousands of idle connections hold
// none.

#include "mock_server/transport/fault_script.hpp"
#include "mock_server/transport/wire_response.hpp"
#include "mock_server/transport/workers.hpp"
#include "spec/http/request_parser.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <sys/uio.h>
#include <vector>

namespace mock_server::transport {

class Output {
 public:
  void append(std::string_view bytes);
  // Takes a long block over instead of copying it.
  void append(std::string&& bytes);

  bool empty() const { return size_ == 0; }

  std::size_t size() const { return size_; }

  // Points `vectors` at the bytes that are due first; returns how many vectors were filled.
  std::size_t gather(std::span<iovec> vectors);
  // `count` bytes are sent.
  void consume(std::size_t count);
  // Gives back all memory. Precondition: empty().
  void release();
  // Forgets the bytes and gives back the memory of all but a small block.
  void clear();

 private:
  std::vector<std::string> blocks_;
  std::size_t first_ = 0;   // the block that is being sent
  std::size_t offset_ = 0;  // how much of it is sent
  std::size_t size_ = 0;
};

struct Exchange {
  explicit Exchange(const spec::http::RequestLimits& limits) : parser(limits) {}

  spec::http::RequestParser parser;
  std::string input;  // came, but its turn has not
  Output output;
  std::optional<WireResponse> delayed;
  std::optional<WireResponse> streamed;  // its body is being made
  bool stream_flows = false;             // another server's, and it had something when asked
  Script script;
  std::optional<Job> waits;                   // a request for which another server was asked
  std::optional<spec::http::Request> worked;  // the head of what a worker has
  std::size_t rate_mark = 0;                  // content that had come at the last look
  bool continued = false;                     // "100 Continue" is said
};

// Belongs to one thread.
class ExchangePool {
 public:
  explicit ExchangePool(const spec::http::RequestLimits& limits);

  std::unique_ptr<Exchange> take();
  void give_back(std::unique_ptr<Exchange> exchange) noexcept;

 private:
  const spec::http::RequestLimits& limits_;
  std::vector<std::unique_ptr<Exchange>> spare_;
};

}  // namespace mock_server::transport
