#pragma once

// The single lines of a response, read leniently, with a flag for exactness. A part of
// ResponseParser. Pure functions.

#include <cstddef>
#include <string>
#include <string_view>

namespace spec::http {

struct StatusLine {
  bool is_readable = false;  // a version and three digits
  bool is_exact = false;     // by the grammar of RFC 9112 §4, the blank before the reason included
  int major_version = 0;
  int minor_version = 0;
  int status = 0;
  std::string_view reason;
};

StatusLine read_status_line(std::string_view line);

// True if `begin` could still grow to a status line.
bool may_be_status_line(std::string_view begin);

struct LengthList {
  bool is_readable = false;
  bool differ = false;
  std::size_t count = 0;
  std::size_t first = 0;
};

// A Content-Length value, or several joined by commas.
LengthList read_lengths(std::string_view list);

struct ChunkLine {
  bool is_readable = false;
  bool is_size_exact = false;
  bool is_extension_sound = false;
  std::size_t size = 0;
  std::string_view extension;
};

ChunkLine read_chunk_line(std::string_view line);

bool is_forbidden_in_trailers(std::string_view name);

bool ends_in_chunked(std::string_view codings);

// Decides by Connection and the version. Source: RFC 9112 §9.3.
bool says_keep_alive(std::string_view connection, int minor_version);

// `text` for a message: quoted, cut at 60 characters, bytes that are not visible escaped as \xNN.
std::string excerpt(std::string_view text);

}  // namespace spec::http
