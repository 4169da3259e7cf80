#include "mock_server/transport/tests/support/certificate.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <cstdio>
#include <memory>

namespace mock_server::transport::testing {

namespace {

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

constexpr long kOneDay = 24L * 60 * 60;

File open_to_write(const std::string& path) {
  return {std::fopen(path.c_str(), "w"), std::fclose};
}

}  // namespace

Certificate::Certificate() {
  const Key key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(X509_new(), X509_free);
  X509_set_version(certificate.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -kOneDay);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), kOneDay);
  X509_set_pubkey(certificate.get(), key.get());
  X509_NAME* name = X509_get_subject_name(certificate.get());
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>("localhost"), -1, -1, 0);
  X509_set_issuer_name(certificate.get(), name);
  X509_sign(certificate.get(), key.get(), EVP_sha256());
  PEM_write_X509(open_to_write(certificate_file()).get(), certificate.get());
  PEM_write_PrivateKey(open_to_write(key_file()).get(), key.get(), nullptr, nullptr, 0, nullptr,
                       nullptr);
}

}  // namespace mock_server::transport::testing
