// Strings: by format, by pattern, by name, then fitted to their length.

#include "spec/schema/samples/blend.hpp"
#include "spec/schema/samples/builder.hpp"
#include "spec/schema/samples/pattern_words.hpp"

#include <algorithm>

namespace spec::schema::samples {

namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kMaxTextLength = 1'000'000;
constexpr unsigned kMostBlended = 4;  // attempts that try so many texts

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

std::uint64_t length_of(const std::string& text) {
  return static_cast<std::uint64_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !is_continuation(c); }));
}

// The text cut or filled to the shape's length, counted in code points.
std::string fit(std::string text, const Shape& shape) {
  std::uint64_t length = length_of(text);
  if (length > shape.most_length) {
    std::uint64_t seen = 0;
    const auto end = std::find_if(text.begin(), text.end(), [&](char c) {
      return !is_continuation(c) && seen++ == shape.most_length;
    });
    text.erase(end, text.end());
    length = shape.most_length;
  }
  constexpr std::string_view kFilling = "abcdefghijklmnopqrstuvwxyz";
  for (; length < shape.least_length; ++length) {
    text += kFilling[length % kFilling.size()];
  }
  return text;
}

bool keeps(const Attempt& attempt, const Shape& shape, const std::string& text) {
  const auto length = length_of(text);
  const Program& program = attempt.ground.program;
  return length >= shape.least_length && length <= shape.most_length &&
         std::all_of(shape.patterns.begin(), shape.patterns.end(),
                     [&](std::uint32_t pattern) {
                       return program.patterns[pattern].search(text) == patterns::Search::kFound;
                     }) &&
         std::all_of(shape.formats.begin(), shape.formats.end(), [&](const auto* format) {
           return format->test_string == nullptr || format->test_string(text);
         });
}

// A text that every pattern, format and length takes, drawn from the first pattern.
std::optional<std::string> from_pattern(const Attempt& attempt, const Shape& shape,
                                        Random& random) {
  constexpr int kTries = 60;
  for (const std::uint32_t index : shape.patterns) {
    const auto& pattern = attempt.ground.patterns[index];
    if (!pattern) {
      continue;
    }
    const auto wanted = std::min<std::uint64_t>(shape.least_length, kMaxTextLength);
    for (int i = 0; i < kTries; ++i) {
      const auto extra = static_cast<std::size_t>(i % 10) + (i % 3 == 2 ? wanted * 2 : wanted / 2);
      std::string text = write_match(*pattern, extra, random);
      if (keeps(attempt, shape, text)) {
        return text;
      }
      text = fit(std::move(text), shape);
      if (keeps(attempt, shape, text)) {
        return text;
      }
    }
  }
  return std::nullopt;
}

// Texts of all patterns one behind the other, those that are anchored in their places, and letters
// between them where the length asks for more.
std::optional<std::string> from_all_patterns(const Attempt& attempt, const Shape& shape,
                                             Random& random) {
  constexpr std::size_t kTries = 20;
  for (std::size_t i = 0; i < kTries && shape.patterns.size() > 1; ++i) {
    std::string start;
    std::string middle;
    std::string end;
    for (const std::uint32_t index : shape.patterns) {
      const std::string& text = attempt.ground.program.pattern_texts[index];
      const auto& pattern = attempt.ground.patterns[index];
      std::string& part = text.starts_with('^') ? start : text.ends_with('$') ? end : middle;
      part += pattern ? write_match(*pattern, i / 2, random) : "";
    }
    const std::uint64_t length = length_of(start) + length_of(middle) + length_of(end);
    const std::uint64_t missing = shape.least_length - std::min(shape.least_length, length);
    middle.append(static_cast<std::size_t>(missing), "ab"[i % 2]);
    if (keeps(attempt, shape, start + middle + end)) {
      return start + middle + end;
    }
  }
  return std::nullopt;
}

// A text that no format that is asserted says anything of.
std::string loose_text(const Shape& shape, const Occasion& occasion, Random& random) {
  if (!shape.encoding.empty()) {
    return encoded_text(shape.encoding, shape.media_type, random);
  }
  for (const std::string_view format : shape.loose_formats) {
    if (auto text = text_of_format(format, occasion, random)) {
      return std::move(*text);
    }
  }
  return text_for(occasion, random);
}

// A text that every pattern and format takes, of a text of `format` and texts of the patterns.
std::optional<std::string> from_both(const Attempt& attempt, const Shape& shape,
                                     const formats::Format& format, const Occasion& occasion,
                                     Random& random) {
  constexpr std::size_t kDraws = 10;
  const auto text = text_of_format(format.name, occasion, random);
  const auto least = static_cast<std::size_t>(shape.least_length);
  for (const std::string& spelling :
       text ? spellings(format.name, *text, least) : std::vector<std::string>{}) {
    if (keeps(attempt, shape, spelling)) {
      return spelling;
    }
    for (const std::uint32_t index : shape.patterns) {
      const auto& pattern = attempt.ground.patterns[index];
      for (std::size_t draw = 0; pattern && draw < kDraws; ++draw) {
        for (std::string& blend : blends(spelling, write_match(*pattern, draw, random))) {
          if (keeps(attempt, shape, blend)) {
            return std::move(blend);
          }
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Json> build_text(const Attempt& attempt, const Shape& shape, const Spot& spot) {
  attempt.stuck.is_too_large |= shape.least_length > kMaxTextLength;
  if (shape.least_length > shape.most_length || shape.least_length > kMaxTextLength) {
    return std::nullopt;
  }
  Random random(spot.seed);
  const Occasion occasion{spot.sense, &attempt.persona, attempt.number > 0};
  // The first attempt at a text of one format and nothing else is checked with the whole.
  const bool is_sure = attempt.number == 0 && shape.formats.size() == 1 && shape.patterns.empty() &&
                       shape.least_length == 0 && shape.most_length == kNoLimit;
  for (const formats::Format* format : shape.formats) {
    for (int i = 0; i < 4; ++i) {
      auto text = text_of_format(format->name, occasion, random);
      if (text && (is_sure || keeps(attempt, shape, *text))) {
        return Json(std::move(*text));
      }
    }
    auto text = attempt.number < kMostBlended ? from_both(attempt, shape, *format, occasion, random)
                                              : std::nullopt;
    if (text) {
      return Json(std::move(*text));
    }
  }
  if (shape.formats.empty() || !shape.patterns.empty()) {
    std::string text = fit(loose_text(shape, occasion, random), shape);
    if (keeps(attempt, shape, text)) {
      return Json(std::move(text));
    }
  }
  if (auto text = from_pattern(attempt, shape, random)) {
    return Json(std::move(*text));
  }
  if (auto text = from_all_patterns(attempt, shape, random)) {
    return Json(std::move(*text));
  }
  return std::nullopt;
}

}  // namespace spec::schema::samples
