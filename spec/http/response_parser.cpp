#include "spec/http/response_parser.hpp"

#include "spec/http/bytes.hpp"
#include "spec/http/header_field.hpp"
#include "spec/http/response_lines.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace spec::http {

namespace {

struct ParseErrorName {
  ParseError error;
  std::string_view name;
};

constexpr std::array kParseErrorNames = std::to_array<ParseErrorName>({
    {ParseError::kBareLf, "bare LF"},
    {ParseError::kEmptyLineFirst, "empty line before the response"},
    {ParseError::kStatusLine, "status line"},
    {ParseError::kVersion, "HTTP version"},
    {ParseError::kStatus, "status out of range"},
    {ParseError::kNoColon, "header line without a colon"},
    {ParseError::kFieldName, "header name"},
    {ParseError::kBlankBeforeColon, "blank before the colon"},
    {ParseError::kFieldValue, "control character in a header"},
    {ParseError::kFoldedLine, "folded header line"},
    {ParseError::kLength, "Content-Length"},
    {ParseError::kRepeatedLength, "repeated Content-Length"},
    {ParseError::kContradictoryLength, "contradictory Content-Length"},
    {ParseError::kLengthAndCoding, "Content-Length beside Transfer-Encoding"},
    {ParseError::kForbiddenLength, "forbidden Content-Length"},
    {ParseError::kForbiddenCoding, "forbidden Transfer-Encoding"},
    {ParseError::kCoding, "transfer coding"},
    {ParseError::kChunkSize, "chunk size"},
    {ParseError::kChunkExtension, "chunk extension"},
    {ParseError::kChunkEnd, "chunk end"},
    {ParseError::kForbiddenTrailer, "forbidden trailer"},
    {ParseError::kSurplus, "surplus bytes"},
    {ParseError::kCut, "cut short"},
});

constexpr std::size_t kRecordedChunks = 4096;
constexpr std::size_t kRecordedSurplus = 64 * 1024;

Headers headers_of(const std::vector<FieldLine>& lines) {
  Headers headers;
  for (const FieldLine& line : lines) {
    headers.add(line.name, line.value);
  }
  return headers;
}

}  // namespace

std::string_view name_of(ParseError error) {
  return std::find_if(kParseErrorNames.begin(), kParseErrorNames.end(),
                      [&](const ParseErrorName& named) { return named.error == error; })
      ->name;
}

ResponseParser::ResponseParser(std::string_view method, ResponseLimits limits)
    : limits_(limits), is_head_request_(method == "HEAD") {}

std::size_t ResponseParser::feed(std::string_view bytes) {
  std::size_t used = 0;
  while (used < bytes.size() && !has_ended()) {
    const std::string_view rest = bytes.substr(used);
    std::size_t taken = 0;
    switch (state_) {
      case State::kLengthBody:
      case State::kOpenBody:
      case State::kChunkData: taken = read_body(rest); break;
      case State::kChunkEnd: taken = read_chunk_end(rest.front()); break;
      case State::kStatusLine:
      case State::kFields:
      case State::kChunkSize:
      case State::kTrailers: taken = read_line(rest); break;
    }
    used += taken;
    record_.bytes += taken;
  }
  return used;
}

void ResponseParser::note(ParseError error, text::ViolationMessage message) {
  record_.deviations.push_back({error, line_offset_, std::move(message)});
}

void ResponseParser::end(Ending ending) {
  record_.ending = ending;
}

std::size_t ResponseParser::read_line(std::string_view bytes) {
  if (line_.empty()) {
    line_offset_ = record_.bytes;
  }
  const std::size_t end_of_line = bytes.find('\n');
  const std::size_t taken = end_of_line == bytes.npos ? bytes.size() : end_of_line + 1;
  section_bytes_ += taken;
  if (section_bytes_ > limits_.head_bytes) {
    end(Ending::kTooLarge);
    return taken;
  }
  line_.append(bytes.substr(0, taken));
  if (end_of_line != bytes.npos) {
    line_.pop_back();
    if (line_.ends_with('\r')) {
      line_.pop_back();
    } else {
      note(ParseError::kBareLf, {"must end in CR LF", "ends in LF"});
    }
    const std::string line = std::exchange(line_, {});
    on_line(line);
  }
  return taken;
}

void ResponseParser::on_line(std::string_view line) {
  switch (state_) {
    case State::kStatusLine: on_status_line(line); break;
    case State::kFields:
      if (line.empty()) {
        on_head_end();
      } else {
        on_field_line(line, record_.head.lines);
      }
      break;
    case State::kChunkSize: on_chunk_size(line); break;
    case State::kTrailers:
      if (line.empty()) {
        on_trailers_end();
      } else {
        on_field_line(line, record_.trailers);
      }
      break;
    case State::kLengthBody:
    case State::kOpenBody:
    case State::kChunkData:
    case State::kChunkEnd: break;  // no lines
  }
}

void ResponseParser::on_status_line(std::string_view line) {
  if (line.empty() && record_.head.status_line.empty() && section_bytes_ <= 2) {
    note(ParseError::kEmptyLineFirst,
         {"must begin with the status line", "begins with an empty one"});
    return;
  }
  record_.head.status_line = line;
  const StatusLine read = read_status_line(line);
  if (!read.is_readable) {
    note(ParseError::kStatusLine,
         {"must be HTTP/1.1, a status and a reason", "is " + excerpt(line)});
    end(Ending::kMalformed);
    return;
  }
  if (!read.is_exact) {
    note(ParseError::kStatusLine,
         {"must have one blank after the version and after the status", "is " + excerpt(line)});
  }
  if (read.major_version != 1 || read.minor_version > 1) {
    note(ParseError::kVersion,
         {"must have the version HTTP/1.1 or HTTP/1.0", "has " + excerpt(line)});
  }
  if (read.status < 100 || read.status > 599) {
    note(ParseError::kStatus,
         {"must have a status of 100 to 599", "has " + std::to_string(read.status)});
  }
  record_.head.status = read.status;
  record_.head.minor_version = read.minor_version;
  record_.response.status = read.status;
  record_.response.reason = read.reason;
  state_ = State::kFields;
}

void ResponseParser::on_field_line(std::string_view line, std::vector<FieldLine>& section) {
  if (is_blank(line.front()) && !section.empty()) {
    note(ParseError::kFoldedLine, {"must not be folded", "continues on a line of its own"});
    section.back().raw.append("\r\n").append(line);
    section.back().value.append(" ").append(trimmed(line));
    return;
  }
  const std::size_t colon = line.find(':');
  if (colon == line.npos) {
    note(ParseError::kNoColon, {"must have a colon", "is " + excerpt(line)});
    return;
  }
  std::string_view name = line.substr(0, colon);
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (!name.empty() && is_blank(name.back())) {
    note(ParseError::kBlankBeforeColon,
         {"must have the colon right after the name", "is " + excerpt(line)});
    name = trimmed(name);
  }
  if (!is_token(name)) {
    note(ParseError::kFieldName, {"must have a token as its name", "has " + excerpt(name)});
  }
  if (!is_all(value, kValueByte)) {
    note(ParseError::kFieldValue, {"must have no control character", "is " + excerpt(line)});
  }
  section.push_back({std::string(line), std::string(name), std::string(value)});
  if (state_ == State::kTrailers && is_forbidden_in_trailers(name)) {
    note(ParseError::kForbiddenTrailer, {"must not be a trailer", "is " + excerpt(line)});
  }
}

void ResponseParser::on_head_end() {
  section_bytes_ = 0;
  if (record_.head.status / 100 == 1 && record_.head.status != 101) {
    on_interim_end();
    return;
  }
  record_.response.headers = headers_of(record_.head.lines);
  record_.keep_alive = says_keep_alive(
      list_field(record_.response.headers, "Connection").value_or(""), record_.head.minor_version);
  decide_framing();
}

void ResponseParser::on_interim_end() {
  record_.response.headers = headers_of(record_.head.lines);
  check_forbidden_framing();
  record_.interim.push_back(std::exchange(record_.head, {}));
  record_.response = {};
  state_ = State::kStatusLine;
  if (record_.interim.size() > limits_.interim_count) {
    end(Ending::kTooLarge);
  }
}

void ResponseParser::check_forbidden_framing() {
  const Headers& headers = record_.response.headers;
  const int status = record_.head.status;
  if (status / 100 != 1 && status != 204) {
    return;
  }
  const std::string where = "in a response of " + std::to_string(status);
  if (headers.has("Content-Length")) {
    note(ParseError::kForbiddenLength, {"must have no Content-Length " + where, "has one"});
  }
  if (headers.has("Transfer-Encoding")) {
    note(ParseError::kForbiddenCoding, {"must have no Transfer-Encoding " + where, "has one"});
  }
}

// Source: RFC 9112 §6.3.
void ResponseParser::decide_framing() {
  const Headers& headers = record_.response.headers;
  check_forbidden_framing();
  decide_by_length();
  const bool is_coded = headers.has("Transfer-Encoding");
  if (is_coded && headers.has("Content-Length")) {
    note(ParseError::kLengthAndCoding,
         {"must not have Content-Length beside Transfer-Encoding", "has both"});
  }
  if (is_coded && record_.head.minor_version == 0) {
    note(ParseError::kForbiddenCoding, {"must have no Transfer-Encoding in HTTP/1.0", "has one"});
  }
  if (record_.head.status == 101) {
    record_.framing = Framing::kUntilClose;
    state_ = State::kOpenBody;
  } else if (is_head_request_ || is_bodiless(record_.head.status)) {
    record_.framing = Framing::kNone;
    end(Ending::kComplete);
  } else if (is_coded) {
    decide_by_coding(list_field(headers, "Transfer-Encoding").value_or(""));
  } else if (record_.declared_length) {
    record_.framing = Framing::kLength;
    remaining_ = *record_.declared_length;
    state_ = State::kLengthBody;
    if (remaining_ == 0) {
      end(Ending::kComplete);
    }
  } else {
    record_.framing = Framing::kUntilClose;
    state_ = State::kOpenBody;
  }
}

void ResponseParser::decide_by_coding(const std::string& codings) {
  if (!text::equals_ignoring_case(codings, "chunked")) {
    note(ParseError::kCoding, {"must be coded as chunked only", "is " + excerpt(codings)});
  }
  if (ends_in_chunked(codings)) {
    record_.framing = Framing::kChunked;
    state_ = State::kChunkSize;
  } else {
    record_.framing = Framing::kUntilClose;
    state_ = State::kOpenBody;
  }
}

void ResponseParser::decide_by_length() {
  const std::string list = list_field(record_.response.headers, "Content-Length").value_or("");
  if (!record_.response.headers.has("Content-Length")) {
    return;
  }
  const LengthList lengths = read_lengths(list);
  if (!lengths.is_readable) {
    note(ParseError::kLength, {"must have a decimal Content-Length", "has " + excerpt(list)});
    return;
  }
  if (lengths.differ) {
    note(ParseError::kContradictoryLength,
         {"must have one Content-Length", "has " + excerpt(list)});
  } else if (lengths.count > 1) {
    note(ParseError::kRepeatedLength, {"must have Content-Length once", "has " + excerpt(list)});
  }
  record_.declared_length = lengths.first;
}

std::size_t ResponseParser::read_body(std::string_view bytes) {
  std::size_t run = bytes.size();
  if (state_ != State::kOpenBody) {
    run = std::min(run, remaining_);
    remaining_ -= run;
  }
  if (run > limits_.body_bytes - record_.response.body.size()) {
    end(Ending::kTooLarge);
    return run;
  }
  record_.response.body.append(bytes.substr(0, run));
  if (state_ == State::kLengthBody && remaining_ == 0) {
    end(Ending::kComplete);
  } else if (state_ == State::kChunkData && remaining_ == 0) {
    saw_cr_ = false;
    state_ = State::kChunkEnd;
  }
  return run;
}

void ResponseParser::on_chunk_size(std::string_view line) {
  const ChunkLine read = read_chunk_line(line);
  if (!read.is_readable) {
    note(ParseError::kChunkSize,
         {"must begin a chunk with its size", "begins with " + excerpt(line)});
    end(Ending::kMalformed);
    return;
  }
  if (!read.is_size_exact) {
    note(ParseError::kChunkSize,
         {"must have nothing between size and extension", "is " + excerpt(line)});
  }
  if (!read.is_extension_sound) {
    note(ParseError::kChunkExtension,
         {"must have a valid chunk extension", "has " + excerpt(line)});
  }
  ++record_.chunk_count;
  if (record_.chunks.size() < kRecordedChunks || read.size == 0) {
    record_.chunks.push_back({read.size, std::string(read.extension)});
  }
  section_bytes_ = 0;
  remaining_ = read.size;
  state_ = read.size == 0 ? State::kTrailers : State::kChunkData;
}

std::size_t ResponseParser::read_chunk_end(char byte) {
  line_offset_ = record_.bytes;
  if (byte == '\r' && !saw_cr_) {
    saw_cr_ = true;
    return 1;
  }
  if (byte != '\n') {
    note(ParseError::kChunkEnd, {"must have CR LF after a chunk's data", "has other bytes"});
    end(Ending::kMalformed);
    return 1;
  }
  if (!saw_cr_) {
    note(ParseError::kBareLf, {"must end in CR LF", "ends in LF"});
  }
  state_ = State::kChunkSize;
  return 1;
}

void ResponseParser::on_trailers_end() {
  end(Ending::kComplete);
}

void ResponseParser::end_of_input() {
  if (has_ended()) {
    return;
  }
  if (record_.bytes == 0) {
    end(Ending::kNothing);
    return;
  }
  if (state_ == State::kOpenBody) {
    end(Ending::kComplete);
    return;
  }
  const bool is_response =
      !record_.head.status_line.empty() || !record_.interim.empty() || may_be_status_line(line_);
  std::string place = "head";
  if (state_ == State::kLengthBody) {
    place = "body: " + std::to_string(remaining_) + " bytes of " +
            std::to_string(*record_.declared_length) + " are missing";
  } else if (state_ != State::kStatusLine && state_ != State::kFields) {
    place = "chunked body";
  }
  if (is_response) {
    line_offset_ = record_.bytes;
    note(ParseError::kCut, {"must be complete", "ends inside the " + place});
    end(Ending::kCut);
  } else {
    note(ParseError::kStatusLine,
         {"must be HTTP/1.1, a status and a reason", "is " + excerpt(line_)});
    end(Ending::kMalformed);
  }
}

void ResponseParser::note_surplus(std::string_view bytes) {
  if (bytes.empty()) {
    return;
  }
  if (record_.surplus.empty()) {
    line_offset_ = record_.bytes;
    note(ParseError::kSurplus, {"must end with its body", "goes on with " + excerpt(bytes)});
  }
  const std::size_t room = kRecordedSurplus - std::min(kRecordedSurplus, record_.surplus.size());
  record_.surplus.append(bytes.substr(0, room));
}

}  // namespace spec::http
