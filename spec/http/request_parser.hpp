#pragma once

// Reads one HTTP/1.1 request after another from bytes, however they are split, and rejects all that
// RFC 9112 and RFC 9110 do not allow: each request is complete, unambiguous and within limits. For
// the mock's transport. Allocates per field and per body block, never per byte. One parser belongs
// to one connection; not safe to share between threads.

#include "spec/http/chunk.hpp"
#include "spec/http/message.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace spec::http {

struct RequestLimits {
  std::size_t method_bytes = 64;                // beyond: 400
  std::size_t request_line_bytes = 8 * 1024;    // without the line's end; beyond: 414
  std::size_t field_line_bytes = 8 * 1024;      // beyond: 431
  std::size_t field_section_bytes = 64 * 1024;  // beyond: 431
  std::size_t field_count = 128;                // beyond: 431
  std::size_t body_bytes = 10 * 1024 * 1024;    // beyond: 413, at once if Content-Length exceeds it
  std::size_t chunk_extension_bytes = 16 * 1024;  // of one request together; beyond: 413
  std::size_t trailer_bytes = 8 * 1024;           // beyond: 431
};

// The reason why a request is rejected: the response's status, its code and a sentence for people,
// all of them literals.
struct Rejection {
  int status = 400;
  const char* code = "BAD_REQUEST";
  const char* message = "";
};

class RequestParser {
 public:
  enum class Stage : std::uint8_t {
    kBefore,    // no byte of the request has come, at most empty lines
    kHead,      // inside the request line or the field section
    kBody,      // the head is complete, content is due
    kComplete,  // request() is whole; further bytes belong to the next one
    kRejected   // rejection() says why; nothing more is read
  };

  // `limits` must outlive the parser.
  explicit RequestParser(const RequestLimits& limits) : limits_(&limits) {}

  // Reads on and returns the number of bytes taken: all of them unless the request ended.
  std::size_t feed(std::string_view bytes);

  Stage stage() const;

  const Rejection& rejection() const { return rejection_; }

  // The whole request once complete, without its transfer coding; from kBody on, its head. A target
  // in absolute form is cut to its path and query ("*" for OPTIONS without a path).
  Request& request() { return request_; }

  // The rest is meaningful from kBody on.
  bool is_http_1_0() const { return minor_version_ == 0; }

  bool keep_alive() const { return keep_alive_; }

  // The client waits for "100 Continue" before it sends content (RFC 9110 §10.1.1).
  bool expects_continue() const { return expects_continue_; }

  // Content that has come so far.
  std::size_t body_bytes_read() const { return request_.body.size(); }

  // True if no byte has come since the last request, so that the parser is as good as new.
  bool is_fresh() const { return state_ == State::kStart && empty_lines_ == 0; }

  // Ready for the next request.
  void reset();

 private:
  enum class State : std::uint8_t {
    kStart,
    kStartLf,
    kMethod,
    kTarget,
    kVersion,
    kRequestLineLf,
    kFieldStart,
    kFieldName,
    kValueStart,
    kValue,
    kFieldLf,
    kSectionLf,
    kLengthBody,
    kChunkSize,
    kChunkExtension,
    kChunkSizeLf,
    kChunkData,
    kChunkDataCr,
    kChunkDataLf,
    kComplete,
    kRejected
  };

  // Each reads from the front of `bytes` (never empty) and returns the number of bytes taken.
  std::size_t step(std::string_view bytes);
  std::size_t on_start(char byte);
  std::size_t on_method(std::string_view bytes);
  std::size_t on_target(std::string_view bytes);
  std::size_t on_version(std::string_view bytes);
  std::size_t on_field_start(char byte);
  std::size_t take_whole_field(std::string_view bytes);
  std::size_t on_field_name(std::string_view bytes);
  std::size_t on_value_start(char byte);
  std::size_t on_value(std::string_view bytes);
  std::size_t on_length_body(std::string_view bytes);
  std::size_t on_chunk_size(char byte);
  std::size_t on_chunk_extension(char byte);
  std::size_t on_chunk_data(std::string_view bytes);
  std::size_t expect(char byte, char wanted, State next, const Rejection& otherwise);

  void reject(const Rejection& rejection);
  void end_target();
  void end_version();
  bool count_field_bytes(std::size_t count);
  void end_field();
  void end_section();
  void end_chunk_size();

  bool in_trailers() const { return chunked_; }

  const RequestLimits* limits_;
  Request request_;
  Rejection rejection_;
  std::string authority_;  // of an absolute target
  std::string name_;
  std::string value_;
  std::size_t line_bytes_ = 0;
  std::size_t section_bytes_ = 0;
  std::size_t field_count_ = 0;
  std::size_t remaining_ = 0;  // of the content, or of the chunk
  std::size_t extension_bytes_ = 0;
  std::uint8_t empty_lines_ = 0;
  std::uint8_t version_bytes_ = 0;
  std::uint8_t size_digits_ = 0;
  char major_version_ = '1';
  std::uint8_t minor_version_ = 1;
  ExtensionState extension_state_ = ExtensionState::kBeforeSemicolon;
  State state_ = State::kStart;
  bool in_query_ = false;
  bool chunked_ = false;
  bool keep_alive_ = true;
  bool expects_continue_ = false;
};

}  // namespace spec::http
