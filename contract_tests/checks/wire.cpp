#include "contract_tests/checks/wire.hpp"

#include "contract_tests/checks/header_fields.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/quote.hpp"
#include "spec/time/instant.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <iterator>
#include <optional>

namespace contract_tests::checks {

using client::Ending;
using client::Exchange;
using spec::http::ParseError;

namespace {

std::string rule_of(ParseError error, const Exchange& exchange) {
  switch (error) {
    case ParseError::kBareLf: return "http/bare-lf";
    case ParseError::kEmptyLineFirst:
    case ParseError::kStatusLine:
    case ParseError::kVersion:
    case ParseError::kStatus: return "http/status-line";
    case ParseError::kNoColon:
    case ParseError::kFieldName:
    case ParseError::kBlankBeforeColon:
    case ParseError::kFieldValue:
    case ParseError::kFoldedLine: return "http/field-line";
    case ParseError::kLength:
    case ParseError::kRepeatedLength:
    case ParseError::kContradictoryLength: return "http/length";
    case ParseError::kLengthAndCoding: return "http/length-and-coding";
    case ParseError::kForbiddenLength:
    case ParseError::kForbiddenCoding: return "http/framing-of-bodiless";
    case ParseError::kCoding: return "http/transfer-coding";
    case ParseError::kChunkSize:
    case ParseError::kChunkExtension:
    case ParseError::kChunkEnd: return "http/chunk";
    case ParseError::kForbiddenTrailer: return "http/trailer";
    case ParseError::kSurplus:
      return exchange.sent.method == "HEAD" ? "http/head-body" : "http/surplus";
    case ParseError::kCut: return "http/cut-short";
  }
  return "http/malformed";
}

// Reports how the response ended, unless a deviation of the parser has reported it.
RuleViolations check_ending(const Exchange& exchange) {
  switch (exchange.ending) {
    case Ending::kNothing:
      return {
          {"http/no-response", "wire", "must get a response", "the connection closes without one"}};
    case Ending::kCut:
      return {
          {"http/cut-short", "wire", "must be complete", "the connection closes in the middle"}};
    case Ending::kDeadline:
      return {
          {"http/deadline", "wire", "must be complete in time", "is late: " + exchange.failure}};
    case Ending::kTooLarge:
      return {{"http/endless", "wire", "must end",
               "continues after " + std::to_string(exchange.record.bytes) + " bytes"}};
    case Ending::kMalformed:
      return {{"http/malformed", "wire", "must be HTTP", "cannot be parsed"}};
    case Ending::kKeptOpen:
    case Ending::kClosed:
    case Ending::kLeftOpen:
    case Ending::kNoConnection:
    case Ending::kUntrusted: break;
  }
  return {};
}

RuleViolation coding_violation(const spec::http::CodingError& error) {
  const auto* rule = "http/coding-corrupt";
  if (error.kind == spec::http::CodingErrorKind::kUnknown) {
    rule = "http/coding-unknown";
  } else if (error.kind == spec::http::CodingErrorKind::kTooLarge) {
    rule = "http/bomb";
  }
  return {rule, "header/Content-Encoding", error.message.must, error.message.is};
}

}  // namespace

RuleViolations check_http(const Exchange& exchange) {
  RuleViolations violations;
  for (const auto check : {&check_framing, &check_fields, &check_validators}) {
    std::ranges::move(check(exchange), std::back_inserter(violations));
  }
  return violations;
}

RuleViolations check_framing(const Exchange& exchange) {
  RuleViolations violations;
  bool explained = false;
  if (exchange.record.head.status == 101 && !exchange.sent.headers.has("Upgrade")) {
    violations.push_back(
        {"http/upgrade", "status", "must not be 101 because the request has no Upgrade", "is 101"});
    explained = true;
  }
  for (const auto& deviation : exchange.record.deviations) {
    auto message = deviation.message;
    message += " (byte " + std::to_string(deviation.offset) + ")";
    if (deviation.error == ParseError::kSurplus) {
      message += ": \"" + spec::text::printable(exchange.record.surplus) + '"';
    }
    explained = explained || deviation.error != ParseError::kBareLf;
    violations.push_back({rule_of(deviation.error, exchange), "wire", std::move(message.must),
                          std::move(message.is)});
  }
  if (exchange.record.head.minor_version == 0 &&
      exchange.response.headers.has("Transfer-Encoding")) {  // Source: RFC 9112 §6.1
    violations.push_back({"http/transfer-coding", "wire",
                          "must not have Transfer-Encoding in an HTTP/1.0 response", "has one"});
  }
  const bool timed = exchange.ending == Ending::kDeadline || exchange.ending == Ending::kTooLarge;
  if (!explained || timed) {
    auto ending = check_ending(exchange);
    violations.insert(violations.end(), ending.begin(), ending.end());
  }
  if (exchange.coding_error) {
    violations.push_back(coding_violation(*exchange.coding_error));
  }
  return violations;
}

// Fields that speak of the content: the digest must be its own, deflate be zlib, the last change
// lie before the response.

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
  if (!declared || !exchange.is_complete() || exchange.sent.method == "HEAD" ||
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

// "" if there is none.
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
