#include "spec/http/request_parser.hpp"

#include "spec/http/bytes.hpp"
#include "spec/http/chunk.hpp"
#include "spec/http/request_framing.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>

namespace spec::http {

namespace {

constexpr Rejection kBareLf = bad("a line must end in CR LF, not in LF alone");
constexpr Rejection kBareCr = bad("CR must be followed by LF");
constexpr Rejection kBadVersion = bad("the request line must end in an HTTP version like HTTP/1.1");
constexpr Rejection kBadTarget =
    bad("the request target must be a path, an http address, or * for OPTIONS");
constexpr Rejection kBadChunkSize = bad("a chunk must begin with its size in hexadecimal");
constexpr Rejection kBadChunkExtension = bad("the chunk extension is malformed");
constexpr Rejection kLongExtension = {413, "PAYLOAD_TOO_LARGE",
                                      "the chunk extensions are longer than this server accepts"};
constexpr Rejection kBadChunkEnd = bad("a chunk's data must be followed by CR LF");
constexpr Rejection kBodyTooLong = {413, "PAYLOAD_TOO_LARGE",
                                    "the content is longer than this server accepts"};
constexpr Rejection kFieldsTooLarge = {431, "REQUEST_HEADER_FIELDS_TOO_LARGE",
                                       "a header field, or all of them together, is too long"};

constexpr std::uint8_t kMaxEmptyLines = 8;
constexpr std::size_t kFirstReserve = 64 * 1024;

// Removes scheme and authority from an absolute-form target (RFC 9112 §3.2.2), and keeps the
// latter. False if the target has another form.
bool cut_to_path(std::string& target, std::string& authority, bool is_options) {
  const std::size_t scheme_end = target.find("://");
  if (scheme_end == target.npos) {
    return false;
  }
  const std::string_view scheme = std::string_view(target).substr(0, scheme_end);
  if (!text::equals_ignoring_case(scheme, "http") && !text::equals_ignoring_case(scheme, "https")) {
    return false;
  }
  const std::string_view rest = std::string_view(target).substr(scheme_end + 3);
  const std::size_t path = rest.find_first_of("/?");
  if (!is_host(rest.substr(0, path))) {
    return false;
  }
  authority = rest.substr(0, path);
  if (path == rest.npos) {
    target = is_options ? "*" : "/";
  } else if (rest[path] == '?') {
    target = "/" + std::string(rest.substr(path));
  } else {
    target = std::string(rest.substr(path));
  }
  return true;
}

}  // namespace

std::size_t RequestParser::feed(std::string_view bytes) {
  std::size_t used = 0;
  while (used < bytes.size() && state_ != State::kComplete && state_ != State::kRejected) {
    used += step(bytes.substr(used));
  }
  return used;
}

RequestParser::Stage RequestParser::stage() const {
  if (state_ == State::kStart || state_ == State::kStartLf) {
    return Stage::kBefore;
  }
  if (state_ == State::kComplete || state_ == State::kRejected) {
    return state_ == State::kComplete ? Stage::kComplete : Stage::kRejected;
  }
  return chunked_ || state_ == State::kLengthBody ? Stage::kBody : Stage::kHead;
}

void RequestParser::reset() {
  std::string().swap(request_.body);  // a string that is moved into may keep the memory it has
  *this = RequestParser(*limits_);
}

std::size_t RequestParser::step(std::string_view bytes) {
  const char byte = bytes.front();
  switch (state_) {
    case State::kStart: return on_start(byte);
    case State::kStartLf: return expect(byte, '\n', State::kStart, kBareCr);
    case State::kMethod: return on_method(bytes);
    case State::kTarget: return on_target(bytes);
    case State::kVersion: return on_version(bytes);
    case State::kRequestLineLf: return expect(byte, '\n', State::kFieldStart, kBareCr);
    case State::kFieldStart:
      if (const std::size_t size = take_whole_field(bytes); size > 0) {
        return size;
      }
      return on_field_start(byte);
    case State::kFieldName: return on_field_name(bytes);
    case State::kValueStart: return on_value_start(byte);
    case State::kValue: return on_value(bytes);
    case State::kFieldLf:
      expect(byte, '\n', State::kFieldStart, kBareCr);
      end_field();
      return 1;
    case State::kSectionLf:
      expect(byte, '\n', State::kComplete, kBareCr);
      end_section();
      return 1;
    case State::kLengthBody: return on_length_body(bytes);
    case State::kChunkSize: return on_chunk_size(byte);
    case State::kChunkExtension: return on_chunk_extension(byte);
    case State::kChunkSizeLf:
      expect(byte, '\n', State::kChunkData, kBareCr);
      end_chunk_size();
      return 1;
    case State::kChunkData: return on_chunk_data(bytes);
    case State::kChunkDataCr: return expect(byte, '\r', State::kChunkDataLf, kBadChunkEnd);
    case State::kChunkDataLf: return expect(byte, '\n', State::kChunkSize, kBadChunkEnd);
    case State::kComplete:
    case State::kRejected: break;
  }
  return 0;
}

std::size_t RequestParser::expect(char byte, char wanted, State next, const Rejection& otherwise) {
  if (byte == wanted) {
    state_ = next;
  } else {
    reject(otherwise);
  }
  return 1;
}

void RequestParser::reject(const Rejection& rejection) {
  rejection_ = rejection;
  state_ = State::kRejected;
}

// A few empty lines before a request are ignored (RFC 9112 §2.2).
std::size_t RequestParser::on_start(char byte) {
  if (byte == '\r' && empty_lines_ < kMaxEmptyLines) {
    ++empty_lines_;
    state_ = State::kStartLf;
    return 1;
  }
  if (byte == '\n') {
    reject(kBareLf);
    return 1;
  }
  state_ = State::kMethod;
  return 0;
}

std::size_t RequestParser::on_method(std::string_view bytes) {
  const std::size_t run = run_of(bytes, kTokenByte);
  request_.method.append(bytes.substr(0, run));
  line_bytes_ += run;
  if (request_.method.size() > limits_->method_bytes) {
    reject(bad("the method is too long"));
    return run;
  }
  if (run == bytes.size()) {
    return run;
  }
  if (bytes[run] != ' ' || request_.method.empty()) {
    reject(bad("the request must begin with a method and one blank"));
    return run + 1;
  }
  ++line_bytes_;
  state_ = State::kTarget;
  return run + 1;
}

std::size_t RequestParser::on_target(std::string_view bytes) {
  const std::size_t run = run_of(bytes, in_query_ ? kQueryByte : kTargetByte);
  line_bytes_ += run;
  if (line_bytes_ > limits_->request_line_bytes) {
    reject({414, "URI_TOO_LONG", "the request line is longer than this server accepts"});
    return run;
  }
  request_.target.append(bytes.substr(0, run));
  if (run == bytes.size()) {
    return run;
  }
  if (bytes[run] == ' ') {
    ++line_bytes_;
    state_ = State::kVersion;
    end_target();
    return run + 1;
  }
  if (!in_query_ && is_byte(bytes[run], kQueryByte) &&
      request_.target.find('?') != std::string::npos) {
    in_query_ = true;
    return run;
  }
  const bool line_ends = bytes[run] == '\r' || bytes[run] == '\n';
  reject(line_ends ? kBadVersion : bad("the request target holds a byte that must be encoded"));
  return run + 1;
}

void RequestParser::end_target() {
  std::string& target = request_.target;
  const bool is_options = request_.method == "OPTIONS";
  if (request_.method == "CONNECT") {
    reject(is_authority(target) ? Rejection{501, "NOT_IMPLEMENTED",
                                            "this server is not a proxy: CONNECT is not supported"}
                                : bad("the target of CONNECT must be a host and a port"));
  } else if (!has_sound_triplets(target)) {
    reject(
        bad("each % in the request target must have two hexadecimal digits behind it, and %00 is "
            "not allowed"));
  } else if (!target.starts_with('/') && !(target == "*" && is_options) &&
             !cut_to_path(target, authority_, is_options)) {
    reject(kBadTarget);
  }
}

std::size_t RequestParser::on_version(std::string_view bytes) {
  constexpr std::string_view kPattern = "HTTP/0.0\r";
  constexpr std::string_view kUsual = "HTTP/1.1\r";
  if (version_bytes_ == 0 && bytes.starts_with(kUsual) &&
      line_bytes_ + kUsual.size() <= limits_->request_line_bytes) {
    end_version();
    return kUsual.size();
  }
  const char byte = bytes.front();
  const char wanted = kPattern[version_bytes_];
  const bool fits = wanted == '0' ? is_byte(byte, kDigitByte) : byte == wanted;
  if (!fits) {
    reject(byte == '\n' && version_bytes_ == kPattern.size() - 1 ? kBareLf : kBadVersion);
    return 1;
  }
  if (version_bytes_ == 5) {
    major_version_ = byte;
  }
  if (version_bytes_ == 7) {
    minor_version_ = static_cast<std::uint8_t>(byte - '0');
  }
  if (byte == '\r') {
    end_version();
    return 1;
  }
  ++version_bytes_;
  if (++line_bytes_ > limits_->request_line_bytes) {
    reject({414, "URI_TOO_LONG", "the request line is longer than this server accepts"});
  }
  return 1;
}

// A higher minor version is treated as 1.1 (RFC 9110 §2.5).
void RequestParser::end_version() {
  line_bytes_ = 0;
  state_ = State::kRequestLineLf;
  if (major_version_ != '1') {
    reject({505, "HTTP_VERSION_NOT_SUPPORTED", "this server supports HTTP/1.1 and HTTP/1.0"});
  }
}

std::size_t RequestParser::on_field_start(char byte) {
  if (byte == '\r') {
    state_ = State::kSectionLf;
    return 1;
  }
  if (is_byte(byte, kTokenByte)) {
    name_.clear();
    value_.clear();
    line_bytes_ = 0;
    state_ = State::kFieldName;
    if (++field_count_ > limits_->field_count) {
      reject({431, "REQUEST_HEADER_FIELDS_TOO_LARGE", "there are too many header fields"});
    }
    return 0;
  }
  if (is_blank(byte)) {
    reject(bad("a header line must not begin with a blank; folded lines are obsolete"));
  } else {
    reject(byte == '\n' ? kBareLf : bad("a header line must begin with a name"));
  }
  return 1;
}

// Reads a valid line of the field section that is complete, the usual case, and returns its length;
// 0 for any other, which is read state by state, to find the error.
std::size_t RequestParser::take_whole_field(std::string_view bytes) {
  const std::size_t name = run_of(bytes, kTokenByte);
  if (in_trailers() || name == 0 || !bytes.substr(name).starts_with(':')) {
    return 0;
  }
  const std::size_t value = run_of(bytes.substr(name + 1), kValueByte);
  const std::size_t size = name + 1 + value;
  if (!bytes.substr(size).starts_with("\r\n") || size > limits_->field_line_bytes ||
      section_bytes_ + size > limits_->field_section_bytes ||
      field_count_ == limits_->field_count) {
    return 0;
  }
  section_bytes_ += size;
  ++field_count_;
  request_.headers.add(bytes.substr(0, name), std::string(trimmed(bytes.substr(name + 1, value))));
  return size + 2;
}

bool RequestParser::count_field_bytes(std::size_t count) {
  line_bytes_ += count;
  section_bytes_ += count;
  const std::size_t section_limit =
      in_trailers() ? limits_->trailer_bytes : limits_->field_section_bytes;
  if (line_bytes_ > limits_->field_line_bytes || section_bytes_ > section_limit) {
    reject(kFieldsTooLarge);
    return false;
  }
  return true;
}

std::size_t RequestParser::on_field_name(std::string_view bytes) {
  const std::size_t run = run_of(bytes, kTokenByte);
  if (!count_field_bytes(run)) {
    return run;
  }
  name_.append(bytes.substr(0, run));
  if (run == bytes.size()) {
    return run;
  }
  if (bytes[run] == ':') {
    count_field_bytes(1);
    if (state_ != State::kRejected) {
      state_ = State::kValueStart;
    }
  } else {
    reject(bad("a header name must be a token and directly be followed by a colon"));
  }
  return run + 1;
}

std::size_t RequestParser::on_value_start(char byte) {
  if (!is_blank(byte)) {
    state_ = State::kValue;
    return 0;
  }
  count_field_bytes(1);
  return 1;
}

std::size_t RequestParser::on_value(std::string_view bytes) {
  const std::size_t run = run_of(bytes, kValueByte);
  if (!count_field_bytes(run)) {
    return run;
  }
  value_.append(bytes.substr(0, run));
  if (run == bytes.size()) {
    return run;
  }
  if (bytes[run] == '\r') {
    state_ = State::kFieldLf;
  } else {
    reject(bytes[run] == '\n' ? kBareLf : bad("a header value holds a control character"));
  }
  return run + 1;
}

void RequestParser::end_field() {
  if (state_ == State::kRejected) {
    return;
  }
  while (!value_.empty() && is_blank(value_.back())) {
    value_.pop_back();
  }
  if (!in_trailers()) {
    request_.headers.add(name_, std::move(value_));
  } else if (is_framing_field(name_)) {
    reject(bad("a trailer must not be Content-Length, Transfer-Encoding or Host"));
  }  // any other is dropped: a trailer must never act as a header (RFC 9110 §6.5.1)
}

void RequestParser::end_section() {
  if (state_ == State::kRejected || in_trailers()) {
    return;  // after trailers the request is complete
  }
  RequestFraming framing;
  if (!read_framing(request_.headers, is_http_1_0(), *limits_, framing, rejection_)) {
    state_ = State::kRejected;
    return;
  }
  if (!authority_.empty()) {
    request_.headers.set("Host", authority_);  // the client's field is ignored (RFC 9112 §3.2.2)
  }
  keep_alive_ = framing.keep_alive;
  expects_continue_ = framing.expects_continue;
  chunked_ = framing.chunked;
  remaining_ = framing.length;
  section_bytes_ = 0;
  field_count_ = 0;
  if (chunked_) {
    state_ = State::kChunkSize;
  } else if (remaining_ > 0) {
    // Reserves no memory for content that is only announced.
    request_.body.reserve(std::min(remaining_, kFirstReserve));
    state_ = State::kLengthBody;
  }
}

std::size_t RequestParser::on_length_body(std::string_view bytes) {
  const std::size_t run = std::min(remaining_, bytes.size());
  request_.body.append(bytes.substr(0, run));
  remaining_ -= run;
  if (remaining_ == 0) {
    state_ = State::kComplete;
  }
  return run;
}

std::size_t RequestParser::on_chunk_size(char byte) {
  if (is_byte(byte, kHexByte)) {
    // Leading zeros are ignored, like extensions, and share their limit.
    const bool behind_zero = size_digits_ > 0 && remaining_ == 0;
    remaining_ = remaining_ * 16 + hex_digit_value(byte);
    size_digits_ = behind_zero ? 1 : static_cast<std::uint8_t>(size_digits_ + 1);
    if (behind_zero && ++extension_bytes_ > limits_->chunk_extension_bytes) {
      reject(kLongExtension);
    } else if (size_digits_ > kMaxHexDigits) {
      reject(kBadChunkSize);
    } else if (request_.body.size() + remaining_ > limits_->body_bytes) {
      reject(kBodyTooLong);
    }
    return 1;
  }
  if (size_digits_ == 0) {
    reject(kBadChunkSize);
    return 1;
  }
  if (byte == '\r') {
    state_ = State::kChunkSizeLf;
    return 1;
  }
  extension_state_ = ExtensionState::kBeforeSemicolon;
  state_ = State::kChunkExtension;
  return 0;
}

std::size_t RequestParser::on_chunk_extension(char byte) {
  const ExtensionState state = extension_state_;
  if (byte == '\r' && may_end_extension(state)) {
    state_ = State::kChunkSizeLf;
    return 1;
  }
  if (++extension_bytes_ > limits_->chunk_extension_bytes) {
    reject(kLongExtension);
    return 1;
  }
  extension_state_ = next_extension_state(state, byte);
  if (extension_state_ == ExtensionState::kInvalid) {
    reject(state == ExtensionState::kBeforeSemicolon ? kBadChunkSize : kBadChunkExtension);
  }
  return 1;
}

void RequestParser::end_chunk_size() {
  size_digits_ = 0;
  if (state_ != State::kRejected && remaining_ == 0) {
    state_ = State::kFieldStart;
  }
}

std::size_t RequestParser::on_chunk_data(std::string_view bytes) {
  const std::size_t run = std::min(remaining_, bytes.size());
  request_.body.append(bytes.substr(0, run));
  remaining_ -= run;
  if (remaining_ == 0) {
    state_ = State::kChunkDataCr;
  }
  return run;
}

}  // namespace spec::http
