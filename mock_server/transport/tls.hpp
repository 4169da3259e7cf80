#pragma once

// Certificate, key and rules of the TLS side: TLS 1.2 and 1.3, "http/1.1" as the only protocol that
// is negotiated, no renegotiation. Thread-safe.

#include "spec/non_copyable.hpp"

#include <openssl/types.h>

#include <mutex>
#include <string>

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

}  // namespace mock_server::transport
