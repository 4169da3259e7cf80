#include "mock_server/transport/tls.hpp"

#include "spec/load_error.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509err.h>

#include <array>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

namespace mock_server::transport {

namespace {

// The list of protocols in the form of RFC 7301 §3.1: each with its length before it.
constexpr std::array<unsigned char, 9> kProtocols = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};

std::string last_error() {
  std::array<char, 256> text{};
  ERR_error_string_n(ERR_peek_last_error(), text.data(), text.size());
  ERR_clear_error();
  return text.data();
}

// NOLINTNEXTLINE(readability-function-size): the form that OpenSSL calls
int choose_protocol(SSL*, const unsigned char** chosen, unsigned char* size,
                    const unsigned char* offered, unsigned int offered_size, void*) {
  unsigned char* found = nullptr;
  if (SSL_select_next_proto(&found, size, kProtocols.data(), kProtocols.size(), offered,
                            offered_size) != OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  }
  *chosen = found;
  return SSL_TLSEXT_ERR_OK;
}

// A file with a passphrase must not stop the start to ask for it.
int no_passphrase(char*, int, int, void*) {
  return 0;
}

// Reading anything but a regular file, a pipe say, might never end.
void demand_file(const char* flag, const std::string& path) {
  std::error_code error;
  const auto type = std::filesystem::status(path, error).type();
  if (type == std::filesystem::file_type::not_found || type == std::filesystem::file_type::none) {
    throw spec::LoadError(
        flag, path + " cannot be read: " + error.message() + "; name a PEM file that there is");
  }
  if (type != std::filesystem::file_type::regular) {
    throw spec::LoadError(flag, path + " is not a regular file; a PEM file is needed");
  }
}

}  // namespace

TlsContext::TlsContext(const std::string& certificate, const std::string& key)
    : context_(SSL_CTX_new(TLS_server_method())) {
  if (context_ == nullptr) {
    throw spec::LoadError("--tls-cert", "TLS is not available: " + last_error());
  }
  const std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> guard(context_, SSL_CTX_free);
  SSL_CTX_set_min_proto_version(context_, TLS1_2_VERSION);
  SSL_CTX_set_options(
      context_, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_mode(context_, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                 SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(context_, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_alpn_select_cb(context_, choose_protocol, nullptr);
  SSL_CTX_set_default_passwd_cb(context_, no_passphrase);
  demand_file("--tls-cert", certificate);
  demand_file("--tls-key", key);
  if (SSL_CTX_use_certificate_chain_file(context_, certificate.c_str()) != 1) {
    throw spec::LoadError("--tls-cert",
                          certificate + " cannot be read as a PEM certificate: " + last_error());
  }
  if (SSL_CTX_use_PrivateKey_file(context_, key.c_str(), SSL_FILETYPE_PEM) != 1) {
    if (ERR_GET_REASON(ERR_peek_last_error()) == X509_R_KEY_VALUES_MISMATCH) {
      throw spec::LoadError("--tls-key", key + " is not the key of " + certificate);
    }
    throw spec::LoadError("--tls-key", key + " cannot be read as a PEM key: " + last_error());
  }
  SSL_CTX_up_ref(context_);
}

TlsContext::~TlsContext() {
  SSL_CTX_free(context_);
}

void TlsContext::take_over(TlsContext& other) {
  const std::scoped_lock lock(mutex_, other.mutex_);
  std::swap(context_, other.context_);
}

SSL* TlsContext::accept(int descriptor) const {
  SSL* tls = nullptr;
  {
    const std::lock_guard lock(mutex_);
    tls = SSL_new(context_);
  }
  if (tls == nullptr || SSL_set_fd(tls, descriptor) != 1) {
    SSL_free(tls);
    ERR_clear_error();
    return nullptr;
  }
  SSL_set_accept_state(tls);
  return tls;
}

}  // namespace mock_server::transport
