#include "spec/http/coding.hpp"

#include "spec/http/header_field.hpp"
#include "spec/http/message.hpp"
#include "spec/non_copyable.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"

#define ZLIB_CONST  // input is not written to
#include <zlib.h>

#include <algorithm>
#include <array>
#include <brotli/decode.h>
#include <limits>
#include <memory>
#include <vector>

namespace spec::http {

namespace {

constexpr std::size_t kBlockBytes = 32 * 1024;
constexpr int kGzipWindow = 15 + 16;
constexpr int kZlibWindow = 15;
constexpr int kBareWindow = -15;

Unexpected<CodingError> fail(CodingErrorKind kind, text::ViolationMessage message) {
  return Unexpected{CodingError{kind, std::move(message)}};
}

// The maximum size of one step's result.
std::size_t bound_of(std::size_t sent_bytes, const CodingLimits& limits) {
  if (limits.max_ratio == 0) {
    return limits.max_bytes;
  }
  const bool fits = sent_bytes <= std::numeric_limits<std::size_t>::max() / limits.max_ratio;
  const auto by_ratio = fits ? sent_bytes * limits.max_ratio : limits.max_bytes;
  return std::min(limits.max_bytes, std::max(by_ratio, limits.ratio_from));
}

// zlib's stream, freed by the destructor.
class Inflater : NonCopyable {
 public:
  explicit Inflater(int window) : is_ready_(inflateInit2(&stream_, window) == Z_OK) {}

  ~Inflater() {
    if (is_ready_) {
      inflateEnd(&stream_);
    }
  }

  bool is_ready() const { return is_ready_; }

  z_stream& stream() { return stream_; }

 private:
  z_stream stream_{};
  bool is_ready_ = false;
};

// Inflates one zlib, gzip or bare stream from the front of `body`; removes the bytes that it used.
Result<std::string, CodingError> inflate_one(std::string_view& body, int window,
                                             std::size_t bound) {
  Inflater inflater(window);
  if (!inflater.is_ready()) {
    return fail(CodingErrorKind::kInvalid, "cannot decompress: out of memory");
  }
  z_stream& stream = inflater.stream();
  stream.next_in = reinterpret_cast<const Bytef*>(body.data());
  stream.avail_in = static_cast<uInt>(body.size());
  std::string content;
  std::array<Bytef, kBlockBytes> block{};
  int state = Z_OK;
  while (state == Z_OK) {
    stream.next_out = block.data();
    stream.avail_out = static_cast<uInt>(block.size());
    state = inflate(&stream, Z_NO_FLUSH);
    content.append(block.begin(), block.end() - stream.avail_out);
    if (content.size() > bound) {
      return fail(CodingErrorKind::kTooLarge,
                  {"must decompress to at most " + std::to_string(bound) + " bytes", "is longer"});
    }
  }
  if (state != Z_STREAM_END) {
    return fail(CodingErrorKind::kInvalid, state == Z_BUF_ERROR ? "ends early" : "is corrupt");
  }
  body.remove_prefix(body.size() - stream.avail_in);
  return content;
}

// The error of a body that is not of the coding that its header names.
Unexpected<CodingError> must_be(std::string_view coding, CodingError error) {
  if (error.kind != CodingErrorKind::kTooLarge) {
    error.message = {"must be " + std::string(coding), std::move(error.message.must)};
  }
  return Unexpected{std::move(error)};
}

Result<std::string, CodingError> gunzip(std::string_view body, std::size_t bound) {
  std::string content;
  do {
    auto member = inflate_one(body, kGzipWindow, bound - content.size());
    if (!member) {
      return must_be("gzip", std::move(member.error()));
    }
    content += *member;
  } while (!body.empty());
  return content;
}

Result<std::string, CodingError> undeflate(std::string_view body, std::size_t bound) {
  std::string_view rest = body;
  auto content = inflate_one(rest, kZlibWindow, bound);
  if (!content && content.error().kind == CodingErrorKind::kInvalid) {
    rest = body;
    content = inflate_one(rest, kBareWindow, bound);
  }
  if (!content) {
    return must_be("deflate", std::move(content.error()));
  }
  if (!rest.empty()) {
    return fail(CodingErrorKind::kInvalid, {"must be deflate", "has bytes behind its end"});
  }
  return content;
}

Result<std::string, CodingError> unbrotli(std::string_view body, std::size_t bound) {
  const std::unique_ptr<BrotliDecoderState, decltype(&BrotliDecoderDestroyInstance)> decoder(
      BrotliDecoderCreateInstance(nullptr, nullptr, nullptr), &BrotliDecoderDestroyInstance);
  std::size_t input_bytes = body.size();
  const auto* input = reinterpret_cast<const std::uint8_t*>(body.data());
  std::string content;
  std::array<std::uint8_t, kBlockBytes> block{};
  BrotliDecoderResult state = BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT;
  while (state == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT) {
    std::size_t free_bytes = block.size();
    std::uint8_t* output = block.data();
    state = BrotliDecoderDecompressStream(decoder.get(), &input_bytes, &input, &free_bytes, &output,
                                          nullptr);
    content.append(block.begin(), block.end() - static_cast<std::ptrdiff_t>(free_bytes));
    if (content.size() > bound) {
      return fail(CodingErrorKind::kTooLarge,
                  {"must decompress to at most " + std::to_string(bound) + " bytes", "is longer"});
    }
  }
  if (state != BROTLI_DECODER_RESULT_SUCCESS) {
    const bool is_short = state == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT;
    return fail(CodingErrorKind::kInvalid, {"must be br", is_short ? "ends early" : "is corrupt"});
  }
  if (input_bytes != 0) {
    return fail(CodingErrorKind::kInvalid, {"must be br", "has bytes behind its end"});
  }
  return content;
}

// The names in a Content-Encoding value, in the order in which they were applied.
std::vector<std::string_view> split_codings(std::string_view codings) {
  std::vector<std::string_view> names;
  for_each_element(codings, [&names](std::string_view name) { names.push_back(name); });
  return names;
}

Result<std::string, CodingError> take_off(std::string_view coding, std::string body,
                                          std::size_t bound) {
  if (text::equals_ignoring_case(coding, "identity")) {
    return body;
  }
  if (text::equals_ignoring_case(coding, "gzip") || text::equals_ignoring_case(coding, "x-gzip")) {
    return gunzip(body, bound);
  }
  if (text::equals_ignoring_case(coding, "deflate")) {
    return undeflate(body, bound);
  }
  if (text::equals_ignoring_case(coding, "br")) {
    return unbrotli(body, bound);
  }
  return fail(CodingErrorKind::kUnknown,
              {"must be gzip, deflate, br or identity", "is " + text::in_quotes(coding)});
}

}  // namespace

Result<std::string, CodingError> decode_content(std::string_view codings, std::string_view body,
                                                const CodingLimits& limits) {
  const std::vector<std::string_view> names = split_codings(codings);
  if (names.size() > limits.max_codings) {
    return fail(CodingErrorKind::kTooLarge,
                {"must have at most " + std::to_string(limits.max_codings) + " codings",
                 "has " + std::to_string(names.size())});
  }
  const std::size_t bound = bound_of(body.size(), limits);
  std::string content(body);
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    auto step = take_off(*name, std::move(content), bound);
    if (!step) {
      return step;
    }
    content = std::move(*step);
  }
  return content;
}

}  // namespace spec::http
