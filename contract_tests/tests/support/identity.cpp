#include "contract_tests/tests/support/identity.hpp"

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <atomic>
#include <memory>

namespace contract_tests::support {

namespace {

constexpr long kDay = 24L * 60 * 60;

template <auto kFree>
struct Free {
  template <typename T>
  void operator()(T* object) const {
    kFree(object);
  }
};

using Bio = std::unique_ptr<BIO, Free<BIO_free_all>>;
using Key = std::unique_ptr<EVP_PKEY, Free<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Free<X509_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, Free<X509_EXTENSION_free>>;

std::string text_of(const Bio& bio) {
  char* bytes = nullptr;
  const auto size = BIO_get_mem_data(bio.get(), &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

Bio reader(const std::string& pem) {
  return Bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
}

void extend(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context{};
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const Extension extension(X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()));
  X509_add_ext(certificate, extension.get(), -1);
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) {
    text += (text.empty() ? "" : ",") + word;
  }
  return text;
}

Certificate blank(const IdentityOptions& options, EVP_PKEY* key) {
  static std::atomic<long> serial = 1;
  Certificate made(X509_new());
  X509_set_version(made.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(made.get()), serial++);
  X509_gmtime_adj(X509_getm_notBefore(made.get()), -10 * kDay);
  X509_gmtime_adj(X509_getm_notAfter(made.get()), options.days * kDay);
  X509_set_pubkey(made.get(), key);
  const auto* name = reinterpret_cast<const unsigned char*>(options.name.c_str());
  X509_NAME_add_entry_by_txt(X509_get_subject_name(made.get()), "CN", MBSTRING_UTF8, name, -1, -1,
                             0);
  return made;
}

// `issuer` is nullptr for what signs itself.
Identity make(const IdentityOptions& options, X509* issuer, EVP_PKEY* issuer_key) {
  const Key key(EVP_EC_gen("P-256"));
  const auto made = blank(options, key.get());
  auto* signer = issuer == nullptr ? made.get() : issuer;
  X509_set_issuer_name(made.get(), X509_get_subject_name(signer));
  extend(made.get(), signer, NID_basic_constraints,
         options.authority ? "critical,CA:TRUE" : "critical,CA:FALSE");
  extend(made.get(), signer, NID_subject_key_identifier, "hash");
  if (!options.hosts.empty()) {
    extend(made.get(), signer, NID_subject_alt_name, joined(options.hosts));
  }
  X509_sign(made.get(), issuer == nullptr ? key.get() : issuer_key, EVP_sha256());
  const Bio certificate(BIO_new(BIO_s_mem()));
  PEM_write_bio_X509(certificate.get(), made.get());
  const Bio secret(BIO_new(BIO_s_mem()));
  PEM_write_bio_PrivateKey(secret.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  return {.certificate = text_of(certificate), .key = text_of(secret)};
}

}  // namespace

Identity make_identity(const IdentityOptions& options) {
  return make(options, nullptr, nullptr);
}

Identity make_identity(const IdentityOptions& options, const Identity& issuer) {
  const Certificate certificate(
      PEM_read_bio_X509(reader(issuer.certificate).get(), nullptr, nullptr, nullptr));
  const Key key(PEM_read_bio_PrivateKey(reader(issuer.key).get(), nullptr, nullptr, nullptr));
  return make(options, certificate.get(), key.get());
}

}  // namespace contract_tests::support
