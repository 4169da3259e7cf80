#include "contract_tests/checks/wire.hpp"

#include "contract_tests/checks/fields.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <iterator>

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

// What an ending says that no deviation has said already.
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
  if (error.fault == spec::http::CodingFault::kUnknown) {
    rule = "http/coding-unknown";
  } else if (error.fault == spec::http::CodingFault::kTooLarge) {
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

}  // namespace contract_tests::checks
