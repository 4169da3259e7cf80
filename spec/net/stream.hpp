#pragma once

// A byte stream to a server, plain or TLS, on which every step has an absolute deadline. Owns its
// socket; not for several threads at once. Its caller parses the bytes.

#include "spec/net/base_url.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace spec::net {

using Deadline = std::chrono::steady_clock::time_point;

struct TrustOptions {
  std::string ca_file;   // PEM, besides the system's; "" for the system's alone
  bool verifies = true;  // false: any certificate will do
};

// The TLS settings of a run: verification of chain and host name, http/1.1 alone offered.
class Trust {
 public:
  // Throws LoadError when the CA file cannot be read.
  explicit Trust(const TrustOptions& options = {});
  ~Trust();
  Trust(Trust&&) noexcept;
  Trust& operator=(Trust&&) noexcept;

  struct State;

  State& state() const { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

// The result of a read or write. `bytes` is 0 at the end of the stream.
struct Progress {
  enum class Kind : std::uint8_t { kBytes, kEnd, kReset, kDeadline };
  Kind kind = Kind::kBytes;
  std::size_t bytes = 0;
};

class Stream {
 public:
  ~Stream();
  Stream(Stream&&) noexcept;
  Stream& operator=(Stream&&) noexcept;

  // Reads at most `size` bytes, as soon as there is one.
  Progress read(char* into, std::size_t size, Deadline deadline);
  // Writes all of `bytes`, unless the stream fails first.
  Progress write(std::string_view bytes, Deadline deadline);
  // Writes like write(), but returns early if the server takes no more and has sent something: it
  // may respond, and read no further, before it has the whole request. Call it again with the rest,
  // once the received bytes were read. Source: RFC 9112 §9.5.
  Progress write_until_readable(std::string_view bytes, Deadline deadline);

  // The socket, to poll it with others.
  int descriptor() const;

  struct State;
  explicit Stream(std::unique_ptr<State> state);

  State* state() { return state_.get(); }

 private:
  std::unique_ptr<State> state_;
};

enum class OpenProblem : std::uint8_t {
  kNoConnection,
  kDeadline,
  kUntrusted  // the TLS handshake failed, or the certificate is not trusted
};

struct OpenFailure {
  OpenProblem problem = OpenProblem::kNoConnection;
  std::string message;           // "cannot connect to 127.0.0.1:1: Connection refused"
  bool has_certificate = false;  // the server sent one, which is not trusted
};

// Connects, directly or by the URL's proxy, tries every address of the name in turn, and performs
// the TLS handshake for https.
Result<Stream, OpenFailure> open_stream(const BaseUrl& url, const Trust& trust, Deadline deadline);
// Connects to the Unix socket at `path`.
Result<Stream, OpenFailure> open_unix_stream(const std::string& path, Deadline deadline);

}  // namespace spec::net
