#pragma once

// Reads one HTTP/1.1 response from bytes, however they are split, and keeps everything that a
// validator may need: lines as sent, framing, chunks, trailers, interim responses, how it ended,
// and each violation of RFC 9112 as a value. Reads on as far as a sensible client could, so that
// one error does not hide the rest. For the suite's client; no sockets, no severities. One parser
// reads one response; not safe to share between threads.

#include "spec/http/message.hpp"
#include "spec/text/violation_message.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spec::http {

// The ways in which a response violates the grammar or the rules of framing.
enum class ParseError : std::uint8_t {
  kBareLf,          // a line ends in LF without CR
  kEmptyLineFirst,  // before the status line
  kStatusLine,      // not exactly "HTTP/1.x SP 3DIGIT SP [reason]"
  kVersion,         // neither HTTP/1.1 nor HTTP/1.0
  kStatus,          // outside 100 to 599
  kNoColon,         // a header line without one; it is left out
  kFieldName,       // not a token
  kBlankBeforeColon,
  kFieldValue,           // a control character inside
  kFoldedLine,           // obsolete line folding
  kLength,               // Content-Length is no number
  kRepeatedLength,       // Content-Length twice with one value
  kContradictoryLength,  // and with several; the first is used
  kLengthAndCoding,      // Content-Length beside Transfer-Encoding
  kForbiddenLength,      // Content-Length in a 1xx or 204 (RFC 9110 §8.6)
  kForbiddenCoding,      // Transfer-Encoding in a 1xx or 204 (RFC 9112 §6.1), or by HTTP/1.0
  kCoding,               // a transfer coding that is not "chunked" once, at the end
  kChunkSize,
  kChunkExtension,
  kChunkEnd,          // no CR LF after a chunk's data
  kForbiddenTrailer,  // framing or routing in a trailer (RFC 9110 §6.5.1)
  kSurplus,           // bytes behind the end of the response
  kCut                // the connection ended before the response did
};

// The error's name for reports: "bare LF", "surplus bytes".
std::string_view name_of(ParseError error);

struct Deviation {
  ParseError error = ParseError::kBareLf;
  std::size_t offset = 0;          // of the line or byte, from the first byte that was fed
  text::ViolationMessage message;  // "must end in CR LF, but ends in LF"

  friend bool operator==(const Deviation&, const Deviation&) = default;
};

// A header or trailer line. `raw` is as sent, without the line's end (a folded line with its
// breaks).
struct FieldLine {
  std::string raw;
  std::string name;
  std::string value;

  friend bool operator==(const FieldLine&, const FieldLine&) = default;
};

struct Chunk {
  std::size_t size = 0;
  std::string extension;  // the text behind the size, ";" included

  friend bool operator==(const Chunk&, const Chunk&) = default;
};

// A status line and its fields: the final response's, or an interim one's.
struct ResponseHead {
  std::string status_line;  // as sent
  int status = 0;
  int minor_version = 1;
  std::vector<FieldLine> lines;
};

enum class Framing : std::uint8_t { kNone, kLength, kChunked, kUntilClose };

enum class Ending : std::uint8_t {
  kOpen,  // more is due
  kComplete,
  kNothing,    // the connection ended before a byte came
  kCut,        // ... in the middle of the response
  kMalformed,  // the bytes cannot be read as a response, or not any further
  kTooLarge    // a limit of the parser was reached
};

struct ResponseRecord {
  std::vector<ResponseHead> interim;  // 1xx, in order
  ResponseHead head;                  // of the final response
  Response response;  // the same for the validator; body without the transfer coding
  Framing framing = Framing::kNone;
  std::optional<std::size_t> declared_length;
  std::vector<Chunk> chunks;    // the first thousands, the last one of size 0 included
  std::size_t chunk_count = 0;  // all of them
  std::vector<FieldLine> trailers;
  std::string surplus;
  std::vector<Deviation> deviations;
  Ending ending = Ending::kOpen;
  bool keep_alive = false;  // the connection may be used again
  std::size_t bytes = 0;    // of the response as sent, interim ones included
};

struct ResponseLimits {
  std::size_t head_bytes = 1024 * 1024;       // of each head and of the trailers
  std::size_t body_bytes = 64 * 1024 * 1024;  // without the transfer coding
  std::size_t interim_count = 100;
};

class ResponseParser {
 public:
  // `method` is the request's: it decides whether the response may have a body.
  explicit ResponseParser(std::string_view method, ResponseLimits limits = {});

  // Reads on and returns the number of bytes that belonged to the response: all of them unless it
  // ended. The rest belongs to the next response or, if none was requested, is passed to
  // note_surplus().
  std::size_t feed(std::string_view bytes);

  // Ends the response with the connection, orderly or not.
  void end_of_input();

  // Records bytes beyond the response (the first 64 KiB of them).
  void note_surplus(std::string_view bytes);

  // True if the response is complete.
  bool has_ended() const { return record_.ending != Ending::kOpen; }

  const ResponseRecord& record() const { return record_; }

  ResponseRecord take() { return std::move(record_); }

  // Removes and returns the body read since the last call, so that a long one need not be in memory
  // as a whole: then the limit of its size applies to each part.
  std::string take_body() { return std::exchange(record_.response.body, {}); }

 private:
  enum class State : std::uint8_t {
    kStatusLine,
    kFields,
    kLengthBody,
    kOpenBody,
    kChunkSize,
    kChunkData,
    kChunkEnd,
    kTrailers
  };

  std::size_t read_line(std::string_view bytes);
  std::size_t read_body(std::string_view bytes);
  std::size_t read_chunk_end(char byte);
  void on_line(std::string_view line);
  void on_status_line(std::string_view line);
  void on_field_line(std::string_view line, std::vector<FieldLine>& section);
  void on_head_end();
  void on_interim_end();
  void on_chunk_size(std::string_view line);
  void on_trailers_end();
  void decide_framing();
  void decide_by_coding(const std::string& codings);
  void decide_by_length();
  void check_forbidden_framing();
  void note(ParseError error, text::ViolationMessage message);
  void end(Ending ending);

  ResponseLimits limits_;
  bool is_head_request_;
  ResponseRecord record_;
  std::string line_;
  std::size_t line_offset_ = 0;
  std::size_t section_bytes_ = 0;
  std::size_t remaining_ = 0;
  State state_ = State::kStatusLine;
  bool saw_cr_ = false;
};

}  // namespace spec::http
