#include "mock_server/upstream/gateway.hpp"

#include "mock_server/upstream/fields.hpp"
#include "spec/http/response_parser.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <stdexcept>
#include <utility>

namespace mock_server::upstream {

namespace {

using spec::http::Framing;
using spec::http::ParseError;
using spec::http::Request;
using spec::http::Response;
using spec::http::ResponseParser;
using spec::http::ResponseRecord;
using spec::http::client::BaseUrl;
using spec::http::client::OpenProblem;
using spec::http::client::Progress;
using spec::http::client::Stream;
using Clock = std::chrono::steady_clock;
using Failed = spec::Unexpected<Failure>;

constexpr std::size_t kReadBytes = 64U * 1024;
constexpr std::size_t kPartBytes = 1024U * 1024;  // of a streamed body at a time
constexpr std::size_t kKeys = 100;                // services whose connections are kept

// What two recipients could read in two ways. Source: RFC 9112 §6.3, §5.1, §5.2, §11.
constexpr std::array kFatal{ParseError::kStatusLine,
                            ParseError::kVersion,
                            ParseError::kStatus,
                            ParseError::kNoColon,
                            ParseError::kFieldName,
                            ParseError::kBlankBeforeColon,
                            ParseError::kFieldValue,
                            ParseError::kFoldedLine,
                            ParseError::kLength,
                            ParseError::kContradictoryLength,
                            ParseError::kLengthAndCoding,
                            ParseError::kCoding,
                            ParseError::kChunkSize,
                            ParseError::kChunkEnd,
                            ParseError::kCut};

// Why the response may not be passed on; "" if it may.
std::string why_not(const ResponseRecord& record) {
  for (const auto& deviation : record.deviations) {
    if (std::ranges::find(kFatal, deviation.error) != kFatal.end()) {
      return std::string(name_of(deviation.error)) + ": " + deviation.message;
    }
  }
  switch (record.ending) {
    case spec::http::Ending::kNothing: return "it closed the connection without a response";
    case spec::http::Ending::kTooLarge: return "a part of it is too large";
    case spec::http::Ending::kMalformed: return "it is not HTTP";
    default: break;
  }
  return record.head.status == 101 ? "it switches protocols, which nobody asked for" : "";
}

Failure broken(const BaseUrl& url, const std::string& why) {
  return {FailureKind::kBroken, "the response of " + url.text() + " cannot be passed on: " + why};
}

Failure too_late(const BaseUrl& url, std::chrono::milliseconds wait) {
  return {FailureKind::kTimeout, url.text() + " sent nothing for " + std::to_string(wait.count()) +
                                     " ms (--upstream-timeout-ms)"};
}

std::string bytes_of(const Request& request, const BaseUrl& url) {
  const bool by_proxy = url.proxy && !url.tls;
  std::string bytes = request.method + ' ' + (by_proxy ? "http://" + url.authority() : "") +
                      request.target + " HTTP/1.1\r\n";
  if (by_proxy && !url.proxy->authorization.empty()) {
    bytes += "Proxy-Authorization: " + url.proxy->authorization + "\r\n";
  }
  for (const auto& [name, value] : request.headers.lines()) {
    bytes.append(name).append(": ").append(value).append("\r\n");
  }
  return bytes + "\r\n" + request.body;
}

Response passed_on(const spec::http::ResponseHead& head) {
  Response made;
  made.status = head.status;
  const std::string_view line = head.status_line;
  constexpr std::size_t kBeforeReason = 13;  // "HTTP/1.1 200 "
  made.reason = line.size() > kBeforeReason ? line.substr(kBeforeReason) : "";
  spec::http::Headers all;
  for (const auto& one : head.lines) {
    all.add(one.name, one.value);
  }
  made.headers = end_to_end(all);
  return made;
}

bool is_endless(const Response& response) {
  const auto type = response.headers.find("Content-Type");
  return type &&
         spec::text::equals_ignoring_case(type->substr(0, type->find(';')), "text/event-stream");
}

bool is_idempotent(const std::string& method) {
  constexpr std::array<std::string_view, 6> kMethods{"GET", "HEAD",   "OPTIONS",
                                                     "PUT", "DELETE", "TRACE"};
  return std::ranges::find(kMethods, method) != kMethods.end();
}

std::string random_name() {
  std::random_device device;
  std::string name = "counterpart-";
  for (int at = 0; at < 12; ++at) {
    name += "0123456789abcdef"[device() % 16];
  }
  return name;
}

// A body that is read while it is sent.
struct Rest {
  Stream stream;
  ResponseParser parser;
  std::chrono::milliseconds wait;
  Clock::time_point due;
  bool began = false;  // what was read before is out

  // Source: RFC 9112 §8: a cut response must not look whole, so this throws.
  reply::Growth read(std::string& bytes) {
    std::array<char, kReadBytes> block;
    while (bytes.size() < kPartBytes && !parser.has_ended()) {
      const Progress progress = stream.read(block.data(), block.size(), Clock::now());
      if (progress.kind == Progress::Kind::kDeadline) {
        break;
      }
      if (progress.kind == Progress::Kind::kBytes) {
        parser.feed({block.data(), progress.bytes});
      } else if (progress.kind == Progress::Kind::kEnd) {
        parser.end_of_input();
      } else {
        throw std::runtime_error("the service reset the connection");
      }
      due = Clock::now() + wait;
      bytes += parser.take_body();
    }
    const bool is_whole = parser.record().ending == spec::http::Ending::kComplete;
    if ((parser.has_ended() && !is_whole) || !why_not(parser.record()).empty() ||
        (!parser.has_ended() && Clock::now() > due)) {
      throw std::runtime_error("the service's response ended early");
    }
    return is_whole ? reply::Growth::kEnded : reply::Growth::kHasMore;
  }
};

reply::Stream stream_of(Stream stream, ResponseParser parser, std::chrono::milliseconds wait) {
  auto rest =
      std::make_shared<Rest>(Rest{std::move(stream), std::move(parser), wait, Clock::now() + wait});
  return [rest](std::string& bytes) {
    if (!std::exchange(rest->began, true)) {
      bytes += rest->parser.take_body();
    }
    return rest->read(bytes);
  };
}

}  // namespace

Gateway::Gateway(GatewayOptions options)
    : options_(std::move(options)), trust_({options_.ca_file}), pseudonym_(random_name()) {}

std::vector<Stream> Gateway::take_kept(const std::string& key) {
  std::vector<Stream> taken;
  const std::lock_guard lock(mutex_);
  auto& kept = kept_[key];
  if (!kept.empty()) {
    taken.push_back(std::move(kept.back()));
    kept.pop_back();
  }
  return taken;
}

void Gateway::keep(const std::string& key, Stream stream) {
  const std::lock_guard lock(mutex_);
  if (kept_.size() > kKeys) {
    kept_.clear();
  }
  auto& kept = kept_[key];
  if (kept.size() < options_.kept_connections) {
    kept.push_back(std::move(stream));
  }
}

spec::Result<Answer, Failure> Gateway::send(const BaseUrl& url, const Request& request) {
  const std::string key = (url.tls ? "https://" : "http://") + url.authority();
  for (auto kept = take_kept(key); !kept.empty(); kept = take_kept(key)) {
    char byte = 0;
    // An idle connection with something to read was closed, or has what nobody asked for.
    if (kept.front().read(&byte, 1, Clock::now()).kind != Progress::Kind::kDeadline) {
      continue;
    }
    bool unanswered = false;
    auto answer = converse(url, request, std::move(kept.front()), unanswered);
    if (answer || !unanswered || !is_idempotent(request.method)) {
      return answer;
    }
  }
  auto opened = open_stream(url, trust_, Clock::now() + options_.connect);
  if (!opened) {
    const auto& error = opened.error();
    const bool untrusted = error.problem == OpenProblem::kUntrusted;
    return Failed{{untrusted                                 ? FailureKind::kUntrusted
                   : error.problem == OpenProblem::kDeadline ? FailureKind::kTimeout
                                                             : FailureKind::kConnect,
                   error.message + (untrusted ? "; name its CA with --upstream-ca FILE, or use "
                                                "http:// if it has no TLS"
                                              : "")}};
  }
  bool unanswered = false;
  return converse(url, request, std::move(opened.value()), unanswered);
}

// `unanswered`: the connection ended before the first byte of a response.
spec::Result<Answer, Failure> Gateway::converse(const BaseUrl& url, const Request& request,
                                                Stream stream, bool& unanswered) {
  const auto began = Clock::now();
  stream.write(bytes_of(request, url), began + options_.wait);  // its end shows in the read
  ResponseParser parser(request.method);
  Answer answer;
  bool is_long = false;
  std::array<char, kReadBytes> block;
  bool has_surplus = false;
  while (!parser.has_ended() && !is_long) {
    const Progress progress = stream.read(
        block.data(), block.size(), std::min(Clock::now() + options_.wait, began + options_.whole));
    if (progress.kind == Progress::Kind::kDeadline) {
      return Failed{too_late(url, options_.wait)};
    }
    if (progress.kind != Progress::Kind::kBytes) {
      unanswered = parser.record().bytes == 0;
      parser.end_of_input();
      if (progress.kind == Progress::Kind::kReset && !unanswered) {
        return Failed{broken(url, "it reset the connection in the middle")};
      }
      break;
    }
    if (answer.to_first_byte.count() == 0) {
      answer.to_first_byte =
          std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - began);
    }
    has_surplus = parser.feed({block.data(), progress.bytes}) < progress.bytes;
    if (const std::string why = why_not(parser.record()); !why.empty()) {
      return Failed{broken(url, why)};
    }
    const ResponseRecord& record = parser.record();
    const bool in_body = record.framing != Framing::kNone;
    is_long = record.response.body.size() > options_.kept_body_bytes ||
              (in_body && is_endless(record.response));
  }
  const ResponseRecord& record = parser.record();
  if (const std::string why = why_not(record); !why.empty()) {
    return Failed{broken(url, why)};
  }
  answer.response = passed_on(record.head);
  for (const auto& interim : record.interim) {
    if (interim.status != 100) {
      answer.interim.push_back(passed_on(interim));
    }
  }
  if (record.framing == Framing::kLength) {
    answer.response.headers.set("Content-Length", std::to_string(*record.declared_length));
  }
  if (!parser.has_ended()) {
    answer.rest = stream_of(std::move(stream), std::move(parser), options_.wait);
    return answer;
  }
  const bool goes_on = record.keep_alive && record.framing != Framing::kUntilClose && !has_surplus;
  answer.response.body = parser.take_body();
  if (goes_on) {
    keep((url.tls ? "https://" : "http://") + url.authority(), std::move(stream));
  }
  return answer;
}

}  // namespace mock_server::upstream
