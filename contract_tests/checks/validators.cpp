// Fields that speak of the content: the digest must be its own, deflate be zlib, the last change
// lie before the response.

#include "contract_tests/checks/wire.hpp"
#include "spec/text/encoding.hpp"
#include "spec/time/instant.hpp"

#include <openssl/evp.h>

#include <array>
#include <ctime>
#include <optional>

namespace contract_tests::checks {

using client::Exchange;

namespace {

std::string base64_of_sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr);
  return spec::text::to_base64(std::string(digest.begin(), digest.begin() + size));
}

// The SHA-256 that a field such as "sha-512=:...:, sha-256=:...:" declares.
std::optional<std::string_view> declared_sha256(std::string_view field) {
  constexpr std::string_view kMember = "sha-256=:";
  const auto at = field.find(kMember);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  const auto rest = field.substr(at + kMember.size());
  return rest.substr(0, rest.find(':'));
}

std::optional<std::int64_t> time_of(const Exchange& exchange, std::string_view field) {
  const auto text = exchange.response.headers.find(field);
  return text ? spec::time::parse_http_date(*text) : std::nullopt;
}

// Source: RFC 9530 §2, §3. Of a part, the digest of the whole cannot be known.
void check_digest(const Exchange& exchange, std::string_view name, RuleViolations& violations) {
  const auto field = exchange.response.headers.find(name);
  const auto declared = field ? declared_sha256(*field) : std::nullopt;
  if (!declared || !exchange.whole() || exchange.sent.method == "HEAD" ||
      exchange.status() != 200) {
    return;
  }
  const auto own = base64_of_sha256(exchange.record.response.body);
  if (*declared != own) {
    violations.push_back({"http/digest", "header/" + std::string(name),
                          "must be the digest of the content, sha-256=:" + own + ":",
                          "is " + std::string(*field)});
  }
}

// "" where there is none.
std::string strong_tag(const Exchange& exchange) {
  const auto tag = exchange.response.headers.find("ETag").value_or("");
  return tag.starts_with('"') ? std::string(tag) : std::string{};
}

// Deflate is the zlib format; the bare stream is not, though some send it and some read it.
// Source: RFC 9110 §8.4.1.2, RFC 1950 §2.2.
void check_deflate(const Exchange& exchange, RuleViolations& violations) {
  const auto& body = exchange.record.response.body;
  const bool called_deflate =
      exchange.record.response.headers.find("Content-Encoding") == "deflate";
  if (!called_deflate || exchange.coding_error || body.size() < 2) {
    return;
  }
  const unsigned first = static_cast<unsigned char>(body[0]);
  const unsigned second = static_cast<unsigned char>(body[1]);
  if ((first & 15U) != 8 || (first * 256 + second) % 31 != 0) {
    violations.push_back({"http/deflate", "header/Content-Encoding",
                          "deflate must be in the zlib format", "is a raw stream"});
  }
}

}  // namespace

RuleViolations check_validators(const Exchange& exchange) {
  RuleViolations violations;
  check_digest(exchange, "Content-Digest", violations);
  check_digest(exchange, "Repr-Digest", violations);
  check_deflate(exchange, violations);
  const auto changed = time_of(exchange, "Last-Modified");
  const auto sent = time_of(exchange, "Date");
  if (changed && sent && *changed > *sent) {
    const auto& headers = exchange.response.headers;
    violations.push_back(
        {"http/last-modified", "header/Last-Modified",
         "must not be later than the response's Date, " + std::string(*headers.find("Date")),
         "is " + std::string(*headers.find("Last-Modified"))});
  }
  return violations;
}

RuleViolations check_tags(const Exchange& first, const Exchange& second) {
  const auto tag = strong_tag(first);
  if (tag.empty() || tag != strong_tag(second) || first.response.body == second.response.body) {
    return {};
  }
  return {{"http/etag-reused", "header/ETag", "must differ for different bodies",
           tag + " is the tag of both"}};
}

}  // namespace contract_tests::checks
