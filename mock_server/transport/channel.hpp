#pragma once

// One accepted socket, with TLS or without: non-blocking reads and writes whose result is a value.
// Owns the descriptor. Belongs to one thread.

#include "spec/non_copyable.hpp"

#include <openssl/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <sys/uio.h>
#include <utility>

namespace mock_server::transport {

class TlsContext : spec::NonCopyable {
 public:
  // PEM files; the certificate's file may hold its chain. Throws spec::LoadError with one problem.
  TlsContext(const std::string& certificate, const std::string& key);
  ~TlsContext();

  // Connections from now on get what `other` has; open ones keep what they have.
  void take_over(TlsContext& other);

  // The server's side of a new connection on `descriptor`; nullptr when memory is short. The caller
  // frees it with SSL_free.
  SSL* accept(int descriptor) const;

 private:
  mutable std::mutex mutex_;
  SSL_CTX* context_;  // guarded by mutex_
};

struct IoResult {
  enum class Kind : std::uint8_t { kMoved, kBlocked, kEnded, kFailed };
  Kind kind = Kind::kFailed;
  std::size_t bytes = 0;  // with kMoved
};

class Channel {
 public:
  // Takes `descriptor` over, and `tls` (nullptr: none).
  explicit Channel(int descriptor, SSL* tls = nullptr) : descriptor_(descriptor), tls_(tls) {}

  ~Channel() { close(); }

  Channel(Channel&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)),
        tls_(std::exchange(other.tls_, nullptr)) {}

  Channel& operator=(Channel&&) = delete;

  int descriptor() const { return descriptor_; }

  bool is_tls() const { return tls_ != nullptr; }

  // kMoved when the handshake is done (without TLS at once), kBlocked while it needs the peer.
  IoResult shake_hands();
  // After a failed handshake: true when the peer spoke plain HTTP instead, and what is written from
  // now on goes out plain.
  bool fall_back_to_plain();
  // kEnded: the peer will send no more.
  IoResult read(std::span<char> into);
  IoResult write(std::span<const iovec> from);
  // Bytes that were written and that the peer's system has not taken yet.
  std::size_t not_taken() const;
  // From now on little waits for a peer that takes nothing, and one that does not even confirm what
  // it got for `patience` is given up: the next move fails.
  void bound_unsent(std::chrono::milliseconds patience) const;
  // Says that nothing more will be written.
  void end_writing();
  // Closes so that the peer sees a reset.
  void reset();
  void close();

 private:
  IoResult tls_result(int returned);

  int descriptor_;
  SSL* tls_;
  bool spoke_plain_ = false;
};

}  // namespace mock_server::transport
