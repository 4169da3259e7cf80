#include "mock_server/upstream/gateway.hpp"

#include "mock_server/upstream/proxy_fields.hpp"
#include "spec/http/media_type.hpp"
#include "spec/http/method.hpp"
#include "spec/http/response_parser.hpp"
#include "spec/net/base_url.hpp"
#include "spec/text/random.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <utility>

namespace mock_server::upstream {

namespace {

using spec::http::Framing;
using spec::http::Request;
using spec::http::Response;
using spec::http::ResponseParser;
using spec::http::ResponseRecord;
using spec::net::BaseUrl;
using spec::net::OpenProblem;
using spec::net::Progress;
using spec::net::Stream;
using Clock = std::chrono::steady_clock;
using Failed = spec::Unexpected<Failure>;

constexpr std::size_t kReadBytes = 64U * 1024;
constexpr std::size_t kPartBytes = 1024U * 1024;  // of a streamed body at a time
constexpr std::size_t kItemBytes = 64U * 1024;    // of one whose items are validated
constexpr std::chrono::hours kNoWait{24 * 365};   // of items: the next one may take any time
constexpr std::size_t kKeys = 100;                // services whose connections are kept
constexpr std::size_t kMaxKept = 256;             // idle ones to each of them

Failure unreadable(const BaseUrl& url, const std::string& why) {
  return {FailureKind::kUnreadable,
          "the response of " + url.text() + " cannot be passed on: " + why};
}

Failure too_late(const BaseUrl& url, std::chrono::milliseconds wait) {
  return {FailureKind::kTimeout, url.text() + " sent nothing for " + std::to_string(wait.count()) +
                                     " ms (--upstream-timeout-ms)"};
}

std::string bytes_of(const Request& request, const BaseUrl& url) {
  return request_head(request, url) + request.body;
}

Response passed_on(const spec::http::ResponseHead& head, const spec::http::Headers& headers) {
  Response made;
  made.status = head.status;
  const std::string_view line = head.status_line;
  constexpr std::size_t kBeforeReason = 13;  // "HTTP/1.1 200 "
  made.reason = line.size() > kBeforeReason ? line.substr(kBeforeReason) : "";
  made.headers = end_to_end(headers);
  return made;
}

spec::http::Headers headers_of(const spec::http::ResponseHead& head) {
  spec::http::Headers all;
  for (const auto& one : head.lines) {
    all.add(one.name, one.value);
  }
  return all;
}

std::string key_of(const BaseUrl& url) {
  return (url.tls ? "https://" : "http://") + url.authority();
}

// OpenSSL's words for a first byte that is not of TLS, such as that of "HTTP/1.1 400".
bool speaks_no_tls(const spec::net::OpenFailure& error) {
  return error.problem == OpenProblem::kUntrusted && !error.has_certificate &&
         error.message.ends_with("wrong version number");
}

Failure failure_of(const BaseUrl& url, const spec::net::OpenFailure& error) {
  if (speaks_no_tls(error)) {
    return {FailureKind::kConnect,
            "cannot connect to " + url.text() + ": it does not speak TLS; use http://"};
  }
  switch (error.problem) {
    case OpenProblem::kDeadline: return {FailureKind::kTimeout, error.message};
    case OpenProblem::kUntrusted:
      return {FailureKind::kUntrusted, error.message +
                                           "; name its CA with --upstream-ca FILE, or use http:// "
                                           "if it has no TLS"};
    case OpenProblem::kNoConnection: break;
  }
  return {FailureKind::kConnect, error.message};
}

// A body that is read while it is sent.
struct Rest {
  Stream stream;
  ResponseParser parser;
  std::chrono::milliseconds wait;
  std::size_t part = kPartBytes;
  Clock::time_point due;
  bool began = false;      // what was read before is out
  bool was_reset = false;  // the connection

  // Source: RFC 9112 §8: a cut response must not look whole, so this throws, after all that came.
  reply::Growth read(std::string& bytes) {
    std::array<char, kReadBytes> block;
    while (bytes.size() < part && !parser.has_ended() && !was_reset) {
      const Progress progress = stream.read(block.data(), block.size(), Clock::now());
      if (progress.kind == Progress::Kind::kDeadline) {
        break;
      }
      if (progress.kind == Progress::Kind::kBytes) {
        parser.feed({block.data(), progress.bytes});
      } else if (progress.kind == Progress::Kind::kEnd) {
        parser.end_of_input();
      } else {
        was_reset = true;
      }
      due = Clock::now() + wait;
      bytes += parser.take_body();
    }
    const bool is_whole = parser.record().ending == spec::http::Ending::kComplete;
    if (is_cut(is_whole) && bytes.empty()) {
      throw std::runtime_error("the service's response ended early");
    }
    return is_whole ? reply::Growth::kEnded : reply::Growth::kHasMore;
  }

  bool is_cut(bool is_whole) const {
    return was_reset || (parser.has_ended() && !is_whole) || !why_not(parser.record()).empty() ||
           (!parser.has_ended() && Clock::now() > due);
  }
};

reply::Stream stream_of(Stream stream, ResponseParser parser, std::chrono::milliseconds wait) {
  const bool has_items = items_of(parser.record().response.headers).has_value();
  wait = has_items ? kNoWait : wait;
  auto rest =
      std::make_shared<Rest>(Rest{std::move(stream), std::move(parser), wait,
                                  has_items ? kItemBytes : kPartBytes, Clock::now() + wait});
  return [rest](std::string& bytes) {
    if (!std::exchange(rest->began, true)) {
      bytes += rest->parser.take_body();
    }
    return rest->read(bytes);
  };
}

}  // namespace

Gateway::Gateway(GatewayOptions options)
    : options_(std::move(options)),
      trust_({options_.ca_file}),
      pseudonym_("counterpart-" + spec::text::random_hex(12)) {}

std::optional<Stream> Gateway::take_kept(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto kept = kept_.find(key);
  if (kept == kept_.end() || kept->second.empty()) {
    return std::nullopt;
  }
  std::optional<Stream> taken(std::move(kept->second.back()));
  kept->second.pop_back();
  return taken;
}

void Gateway::keep(const std::string& key, Stream stream) {
  const std::lock_guard lock(mutex_);
  if (kept_.size() > kKeys) {
    kept_.clear();
  }
  auto& kept = kept_[key];
  if (kept.size() < kMaxKept) {
    kept.push_back(std::move(stream));
  }
}

// An idle connection on which nothing came: one that was closed, or has what was not requested, is
// not used.
std::optional<Exchange> Gateway::open_kept(const BaseUrl& url, const Request& request) {
  const std::string key = key_of(url);
  for (auto kept = take_kept(key); kept; kept = take_kept(key)) {
    char byte = 0;
    if (kept->read(&byte, 1, Clock::now()).kind == Progress::Kind::kDeadline) {
      return std::optional<Exchange>(std::in_place, std::move(*kept), request.method,
                                     options_.exchange, true);
    }
  }
  return std::nullopt;
}

std::optional<Exchange> Gateway::begin(const BaseUrl& url, const Request& request) {
  auto exchange = open_kept(url, request);
  return exchange && exchange->send(bytes_of(request, url), Clock::now()) ? std::move(exchange)
                                                                          : std::nullopt;
}

// With the request sent: a failure of that shows when the response is read.
spec::Result<Exchange, Failure> Gateway::open(const BaseUrl& url, const Request& request) {
  auto exchange = open_kept(url, request);
  if (!exchange) {
    auto opened = open_stream(url, trust_, Clock::now() + options_.connect);
    if (!opened) {
      return Failed{failure_of(url, opened.error())};
    }
    exchange.emplace(std::move(opened.value()), request.method, options_.exchange);
  }
  exchange->send(bytes_of(request, url), Clock::now() + options_.exchange.wait);
  return std::move(*exchange);
}

// A kept connection may have ended before the request came: then it is sent again, on the next one.
spec::Result<std::optional<UpstreamResponse>, Failure> Gateway::send(
    const BaseUrl& url, const Request& request, std::optional<Exchange>& exchange, bool may_leave) {
  while (true) {
    if (!exchange) {
      auto opened = open(url, request);
      if (!opened) {
        return Failed{opened.error()};
      }
      exchange.emplace(std::move(*opened));
      if (may_leave && !exchange->is_done()) {
        return std::optional<UpstreamResponse>();
      }
    }
    auto result = finish(url, *exchange);
    if (result) {
      return std::optional(std::move(*result));
    }
    if (!exchange->is_kept() || !exchange->has_no_response() ||
        !spec::http::is_idempotent_method(request.method)) {
      return Failed{result.error()};
    }
    exchange.reset();
  }
}

// Reads the rest, and makes the response.
spec::Result<UpstreamResponse, Failure> Gateway::finish(const BaseUrl& url, Exchange& exchange) {
  while (!exchange.is_done()) {
    if (!exchange.read(exchange.due())) {
      return Failed{too_late(url, options_.exchange.wait)};
    }
  }
  if (const std::string why = exchange.why_not(); !why.empty()) {
    return Failed{unreadable(url, why)};
  }
  const ResponseRecord& record = exchange.parser().record();
  UpstreamResponse result;
  result.response = passed_on(record.head, record.response.headers);
  for (const auto& interim : record.interim) {
    if (interim.status != 100) {
      result.interim.push_back(passed_on(interim, headers_of(interim)));
    }
  }
  if (record.framing == Framing::kLength) {
    result.response.headers.set("Content-Length", std::to_string(*record.declared_length));
  }
  if (!exchange.parser().has_ended()) {
    result.rest =
        stream_of(exchange.take_stream(), std::move(exchange.parser()), options_.exchange.wait);
    return result;
  }
  result.response.body = exchange.parser().take_body();
  if (exchange.can_be_kept()) {
    keep(key_of(url), exchange.take_stream());
  }
  return result;
}

namespace {

using spec::http::Framing;
using spec::http::ParseError;
using spec::http::Response;
using spec::http::ResponseRecord;
using spec::net::Deadline;
using spec::net::Progress;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kBlockBytes = 64U * 1024;

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

bool is_long(const ResponseRecord& record, std::size_t kept_bytes) {
  const bool has_no_length = record.framing != Framing::kNone && record.framing != Framing::kLength;
  return record.response.body.size() > kept_bytes ||
         (has_no_length && items_of(record.response.headers));
}

}  // namespace

std::optional<spec::http::ItemForm> items_of(const spec::http::Headers& headers) {
  const auto type = spec::http::parse_media_type(headers.find("Content-Type").value_or(""));
  return type ? spec::http::item_form(*type) : std::nullopt;
}

std::string why_not(const ResponseRecord& record) {
  for (const auto& deviation : record.deviations) {
    if (std::ranges::find(kFatal, deviation.error) != kFatal.end()) {
      return std::string(name_of(deviation.error)) + ": " + deviation.message.text();
    }
  }
  switch (record.ending) {
    case spec::http::Ending::kNothing: return "it closed the connection without a response";
    case spec::http::Ending::kTooLarge: return "a part of it is too large";
    case spec::http::Ending::kMalformed: return "it is not HTTP";
    case spec::http::Ending::kOpen:
    case spec::http::Ending::kComplete:
    case spec::http::Ending::kCut: break;
  }
  return record.head.status == 101 ? "it switches protocols, which was not requested" : "";
}

Exchange::Exchange(spec::net::Stream stream, std::string_view method, const ExchangeLimits& limits,
                   bool is_kept)
    : limits_(limits),
      stream_(std::move(stream)),
      parser_(method),
      began_(Clock::now()),
      last_came_(began_),
      is_kept_(is_kept) {}

bool Exchange::send(std::string_view bytes, Deadline deadline) {
  is_cut_ = true;
  while (!bytes.empty() && !wants_no_more()) {
    const Progress put =
        is_done() ? stream_.write(bytes, deadline) : stream_.write_until_readable(bytes, deadline);
    if (put.kind != Progress::Kind::kBytes) {
      return false;
    }
    bytes.remove_prefix(put.bytes);
    if (!bytes.empty()) {
      read(Clock::now());
    }
  }
  is_cut_ = !bytes.empty();
  return !is_cut_;
}

// The service may well read the rest before another response. Source: RFC 9112 §9.5.
bool Exchange::wants_no_more() const {
  constexpr int kFirstError = 400;
  const ResponseRecord& record = parser_.record();
  return has_ended_ || !why_not().empty() ||
         (parser_.has_ended() && (record.head.status >= kFirstError || !record.keep_alive));
}

bool Exchange::read(Deadline deadline) {
  std::array<char, kBlockBytes> block;
  const Progress progress = stream_.read(block.data(), block.size(), deadline);
  if (progress.kind == Progress::Kind::kDeadline) {
    return false;
  }
  if (progress.kind != Progress::Kind::kBytes) {
    has_ended_ = true;
    was_reset_ = progress.kind == Progress::Kind::kReset && !has_no_response();
    parser_.end_of_input();
    return true;
  }
  last_came_ = Clock::now();
  has_surplus_ = parser_.feed({block.data(), progress.bytes}) < progress.bytes;
  return true;
}

bool Exchange::is_done() const {
  return has_ended_ || parser_.has_ended() ||
         is_long(parser_.record(), keeps_no_more_ ? 0 : limits_.kept_body_bytes) ||
         !why_not().empty();
}

Deadline Exchange::due() const {
  return std::min(last_came_ + limits_.wait, began_ + limits_.whole);
}

std::string Exchange::why_not() const {
  return was_reset_ ? "it reset the connection in the middle" : upstream::why_not(parser_.record());
}

bool Exchange::can_be_kept() const {
  const ResponseRecord& record = parser_.record();
  return parser_.has_ended() && record.keep_alive && record.framing != Framing::kUntilClose &&
         !has_surplus_ && !is_cut_;
}

}  // namespace mock_server::upstream
