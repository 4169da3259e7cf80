#pragma once

// Bytes that wait for the socket: small answers gathered in one block, long bodies kept as the
// blocks they came in, so that nothing long is copied. Belongs to one thread.

#include <cstddef>
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

}  // namespace mock_server::transport
