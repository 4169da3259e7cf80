#include "contract_tests/client/client.hpp"

#include "spec/http/chunk.hpp"
#include "spec/http/items.hpp"
#include "spec/http/media_type.hpp"
#include "spec/http/message.hpp"
#include "spec/http/method.hpp"
#include "spec/net/base_url.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace contract_tests::client {

using spec::http::Request;
using spec::http::ResponseParser;
using spec::http::ResponseRecord;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::size_t kReadBytes = 64U * 1024;
constexpr std::array<std::string_view, 10> kEndings{
    "kept open", "closed",    "left open", "nothing received", "cut off",
    "too late",  "too large", "malformed", "no connection",    "not trusted"};

std::chrono::microseconds time_since(Clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start);
}

void default_header(Request& request, std::string_view name, std::string value) {
  const auto given = request.headers.find(name);
  if (!given) {
    request.headers.add(std::string(name), std::move(value));
  } else if (given->empty()) {
    request.headers.remove(name);
  }
}

void add_framing(Request& request, const SendOptions& options) {
  const bool may_have_body =
      spec::http::has_body_use(request.method, spec::http::BodyUse::kDefined);
  if (options.chunked) {
    request.headers.set("Transfer-Encoding", "chunked");
  } else if (!request.body.empty() || may_have_body) {
    request.headers.set("Content-Length", std::to_string(request.body.size()));
  }
  if (options.expect_continue) {
    request.headers.set("Expect", "100-continue");
  }
}

std::string body_bytes(const Request& request, const SendOptions& options) {
  if (!options.chunked) {
    return request.body;
  }
  const std::string_view body = request.body;
  const auto half = body.size() / 2;
  return spec::http::chunk(body.substr(0, half)) + spec::http::chunk(body.substr(half)) +
         std::string(spec::http::kLastChunk);
}

Ending ending_of(const ResponseRecord& record) {
  switch (record.ending) {
    case spec::http::Ending::kComplete:
      return record.keep_alive && record.framing != spec::http::Framing::kUntilClose
                 ? Ending::kKeptOpen
                 : Ending::kClosed;
    case spec::http::Ending::kNothing: return Ending::kNothing;
    case spec::http::Ending::kMalformed: return Ending::kMalformed;
    case spec::http::Ending::kTooLarge: return Ending::kTooLarge;
    case spec::http::Ending::kOpen:
    case spec::http::Ending::kCut: break;
  }
  return Ending::kCut;
}

bool has_unreadable_length(const ResponseRecord& record) {
  return record.ending == spec::http::Ending::kOpen &&
         std::ranges::any_of(record.deviations, [](const auto& deviation) {
           return deviation.error == spec::http::ParseError::kLength;
         });
}

// A whole head of 101, and so its body, which only the connection's end would end.
bool has_switched(const ResponseRecord& record) {
  return record.head.status == 101 && record.framing == spec::http::Framing::kUntilClose;
}

// The form of the items that a response sends one after another; lines also for others whose parts
// end in a line. None for a body that is one value.
std::optional<spec::http::ItemForm> item_form_of(const spec::http::Response& response) {
  static constexpr std::array<std::string_view, 2> kOthers{"application/stream+json",
                                                           "multipart/x-mixed-replace"};
  const auto type = spec::http::parse_media_type(
      response.headers.find("Content-Type").value_or(std::string_view()));
  const auto form = type ? spec::http::item_form(*type) : std::nullopt;
  const bool is_other = type && std::ranges::find(kOthers, type->essence()) != kOthers.end();
  return is_other ? std::optional(spec::http::ItemForm::kLines) : form;
}

// True if the rest of the response is a stream, which need not end.
bool is_stream(const ResponseRecord& record) {
  const bool is_endless = record.framing == spec::http::Framing::kChunked ||
                          record.framing == spec::http::Framing::kUntilClose;
  return is_endless && record.ending == spec::http::Ending::kOpen && item_form_of(record.response);
}

// The size of what a client can use of a stream so far.
std::size_t whole_parts(const spec::http::Response& response) {
  const auto form = item_form_of(response);
  return form ? spec::http::whole_items(*form, response.body) : 0;
}

// Keeps what a client can use of a stream that it left: nothing if a coding was cut. An item that
// is that long and has no end stays, and is found to be cut.
void keep_whole_parts(spec::http::Response& response) {
  constexpr std::size_t kMaxUnfinished = 1024UL * 1024;
  const bool is_coded = response.headers.has("Content-Encoding");
  const std::size_t whole = is_coded ? 0 : whole_parts(response);
  if (is_coded || response.body.size() - whole <= kMaxUnfinished) {
    response.body.resize(whole);
  }
}

}  // namespace

std::string_view to_text(Ending ending) {
  return kEndings.at(static_cast<std::size_t>(ending));
}

void complete(Exchange& exchange, ResponseRecord record, const spec::http::CodingLimits& limits) {
  // The parser knows best why it stopped.
  const bool was_cut =
      record.ending == spec::http::Ending::kOpen &&
      (exchange.ending == Ending::kDeadline || exchange.ending == Ending::kMalformed ||
       exchange.ending == Ending::kLeftOpen);
  exchange.record = std::move(record);
  if (!was_cut) {
    exchange.ending = ending_of(exchange.record);
  }
  exchange.response = exchange.record.response;
  if (exchange.ending == Ending::kLeftOpen) {
    keep_whole_parts(exchange.response);
  }
  const auto coding = exchange.response.headers.find("Content-Encoding");
  if (coding && exchange.is_complete() && !exchange.response.body.empty()) {
    auto decoded = spec::http::decode_content(*coding, exchange.response.body, limits);
    if (decoded) {
      exchange.response.body = std::move(decoded.value());
    } else {
      exchange.coding_error = decoded.error();
    }
  }
  exchange.body_bytes = exchange.response.body.size();
}

Client::Client(BaseUrl url, const Trust& trust, ClientLimits limits)
    : url_(std::move(url)), trust_(&trust), limits_(limits) {}

Exchange Client::send(Request request, const SendOptions& options) {
  Exchange exchange;
  exchange.url = (url_.tls ? "https://" : "http://") + url_.authority() + request.target;
  exchange.started = std::chrono::system_clock::now();
  request.headers.set("Host", url_.authority());
  default_header(request, "Accept", "*/*");
  default_header(request, "User-Agent", std::string(kUserAgent));
  add_framing(request, options);
  exchange.sent = std::move(request);
  started_ = Clock::now();
  const bool is_connected = connect(exchange, options);
  if (options.before_request) {
    options.before_request();
  }
  if (!is_connected) {
    return exchange;
  }
  converse(exchange, options);
  // A server may close an idle connection at any time; that says nothing about the response.
  const bool stale = exchange.reused_connection && exchange.ending == Ending::kNothing;
  const bool repeats = stale && spec::http::is_safe_method(exchange.sent.method);
  if (repeats && (!options.may_repeat || options.may_repeat())) {
    Exchange again;
    again.url = std::move(exchange.url);
    again.sent = std::move(exchange.sent);
    again.started = exchange.started;
    auto anew = options;
    anew.fresh_connection = true;
    if (connect(again, anew)) {
      converse(again, options);
    }
    return again;
  }
  return exchange;
}

bool Client::connect(Exchange& exchange, const SendOptions& options) {
  // A request that is not safe to repeat gets a new connection: an idle one may just be closing.
  if (options.fresh_connection || !spec::http::is_safe_method(exchange.sent.method)) {
    stream_.reset();
  }
  exchange.reused_connection = stream_.has_value();
  if (stream_) {
    return true;
  }
  auto opened =
      open_stream(url_, *trust_, std::min(Clock::now() + limits_.connect, options.latest));
  if (!opened) {
    exchange.ending = opened.error().problem == spec::net::OpenProblem::kUntrusted
                          ? Ending::kUntrusted
                          : Ending::kNoConnection;
    exchange.failure = opened.error().message;
    exchange.timing.total = time_since(started_);
    return false;
  }
  stream_.emplace(std::move(opened.value()));
  exchange.timing.connect = time_since(started_);
  return true;
}

void Client::converse(Exchange& exchange, const SendOptions& options) {
  const auto whole = std::min(started_ + limits_.whole, options.latest);
  watch_ = options.watch;
  ResponseParser parser(exchange.sent.method, limits_.response);
  auto bytes = spec::net::request_head(exchange.sent, url_);
  const auto body = body_bytes(exchange.sent, options);
  if (!options.expect_continue) {
    bytes += body;
  }
  // A failed write is no verdict: the server may have responded before it closed.
  stream_->write(bytes, whole);
  bool is_sent = true;
  if (options.expect_continue) {
    const auto latest = std::min(Clock::now() + limits_.expect, whole);
    exchange.continued = read_response(parser, exchange, {latest, latest}, true);
    is_sent = !parser.has_ended() && exchange.ending != Ending::kMalformed;
    if (is_sent) {
      exchange.waited_in_vain = !exchange.continued;
      stream_->write(body, whole);
    }
  }
  if (!parser.has_ended() && exchange.ending != Ending::kMalformed) {
    const auto first_byte = Clock::now() + limits_.first_byte;
    exchange.ending = Ending::kCut;
    read_response(parser, exchange, {std::min(whole, first_byte), whole}, false);
  }
  finish(parser, exchange, options);
  if (!is_sent) {
    stream_.reset();  // the server may still wait for the body
  }
}

Deadline Client::end_of_stream(std::chrono::milliseconds limit) const {
  return Clock::now() + std::min(limit, watch_);
}

bool Client::read_response(ResponseParser& parser, Exchange& exchange, const Deadlines& deadlines,
                           bool until_interim) {
  auto deadline = exchange.timing.first_byte.count() == 0 ? deadlines.first_byte : deadlines.whole;
  std::array<char, kReadBytes> block;
  bool streams = false;
  bool has_come = false;  // a first event of a stream
  while (!parser.has_ended()) {
    // Also for a server that always has more to send.
    const bool is_late = parser.record().bytes > 0 && Clock::now() > deadline;
    const auto progress = is_late ? Progress{Progress::Kind::kDeadline, 0}
                                  : stream_->read(block.data(), block.size(), deadline);
    if (progress.kind == Progress::Kind::kDeadline) {
      exchange.ending = streams ? Ending::kLeftOpen : Ending::kDeadline;
      exchange.failure = std::to_string(parser.record().bytes) + " bytes received in time";
      return false;
    }
    if (progress.kind != Progress::Kind::kBytes) {
      parser.end_of_input();
      return false;
    }
    if (exchange.timing.first_byte.count() == 0) {
      exchange.timing.first_byte = time_since(started_);
      deadline = deadlines.whole;
    }
    const std::string_view bytes(block.data(), progress.bytes);
    const auto taken = parser.feed(bytes);
    // After an incomplete response nothing is surplus.
    if (taken < bytes.size() && parser.record().ending == spec::http::Ending::kComplete) {
      parser.note_surplus(bytes.substr(taken));
    }
    if (has_switched(parser.record())) {
      // Another protocol follows, of which nothing is read. Source: RFC 9110 §7.8.
      exchange.ending = Ending::kMalformed;
      exchange.failure = "the server switches protocols";
      return false;
    }
    if (has_unreadable_length(parser.record())) {
      // The end of the response is unknown: it is discarded with its connection, at once. Source:
      // RFC 9112 §6.3, item 5.
      exchange.ending = Ending::kMalformed;
      exchange.failure = "the length of the response cannot be determined";
      return false;
    }
    if (!streams && is_stream(parser.record())) {
      streams = true;
      deadline = std::min(deadline, end_of_stream(limits_.stream));
    }
    if (streams && !has_come && whole_parts(parser.record().response) > 0) {
      has_come = true;
      deadline = std::min(deadline, end_of_stream(limits_.more_events));
    }
    const auto& interim = parser.record().interim;
    if (until_interim && !interim.empty() && interim.back().status == 100) {
      return true;
    }
  }
  return false;
}

void Client::finish(ResponseParser& parser, Exchange& exchange, const SendOptions& options) {
  if (parser.record().ending == spec::http::Ending::kComplete && stream_) {
    std::array<char, kReadBytes> block;
    const auto more = stream_->read(block.data(), block.size(), Clock::now() + options.listen_on);
    if (more.kind == Progress::Kind::kBytes) {
      parser.note_surplus({block.data(), more.bytes});
    }
    if (more.kind != Progress::Kind::kDeadline) {
      stream_.reset();
    }
  }
  exchange.timing.total = time_since(started_);
  complete(exchange, parser.take(), limits_.coding);
  if (url_.proxy && !url_.tls && exchange.response.status == 407) {
    // The response is the proxy's, not the server's. Source: RFC 9110 §15.5.8.
    exchange.ending = Ending::kNoConnection;
    exchange.failure = "the proxy " + url_.proxy->authority() +
                       " requires credentials; put USER:PASSWORD@ into HTTP_PROXY";
    stream_.reset();
    return;
  }
  if (exchange.ending != Ending::kKeptOpen || !exchange.record.surplus.empty()) {
    stream_.reset();
  }
}

}  // namespace contract_tests::client
