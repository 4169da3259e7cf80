#pragma once

// Keys and certificates for servers in tests, made when they are needed, by libcrypto. P-256.

#include <string>
#include <vector>

namespace contract_tests::support {

// Both in PEM.
struct Identity {
  std::string certificate;
  std::string key;
};

struct IdentityOptions {
  std::string name = "Counterpart's tests";
  std::vector<std::string> hosts;  // "DNS:payments.example", "IP:127.0.0.1"
  bool authority = false;          // may sign others
  int days = 2;                    // until it ends; negative: it has ended
};

// Signed by itself.
Identity make_identity(const IdentityOptions& options);
Identity make_identity(const IdentityOptions& options, const Identity& issuer);

}  // namespace contract_tests::support
