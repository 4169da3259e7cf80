#include "mock_server/upstream/exchange.hpp"

#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace mock_server::upstream {

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

bool is_endless(const Response& response) {
  const auto type = response.headers.find("Content-Type");
  return type &&
         spec::text::equals_ignoring_case(type->substr(0, type->find(';')), "text/event-stream");
}

bool is_long(const ResponseRecord& record, std::size_t kept_bytes) {
  return record.response.body.size() > kept_bytes ||
         (record.framing != Framing::kNone && is_endless(record.response));
}

}  // namespace

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

// Of another response the service may well read the rest. Source: RFC 9112 §9.5.
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
    was_reset_ = progress.kind == Progress::Kind::kReset && !is_unanswered();
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
