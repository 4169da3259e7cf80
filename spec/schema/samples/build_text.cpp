// Strings: by format, by pattern, by name, then fitted to their length.

#include "spec/schema/samples/builder.hpp"
#include "spec/schema/samples/pattern_words.hpp"

#include <algorithm>

namespace spec::schema::samples {

namespace {

using nlohmann::json;

constexpr std::uint64_t kMaxTextLength = 1'000'000;

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
    const auto pattern = read_pattern(attempt.ground.program.pattern_texts[index]);
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

}  // namespace

std::optional<json> build_text(const Attempt& attempt, const Shape& shape, const Spot& spot) {
  if (shape.least_length > shape.most_length || shape.least_length > kMaxTextLength) {
    return std::nullopt;
  }
  Random random(spot.seed);
  const Occasion occasion{spot.sense, &attempt.persona};
  // The first attempt at a text of one format and nothing else is checked with the whole.
  const bool is_sure = attempt.number == 0 && shape.formats.size() == 1 && shape.patterns.empty() &&
                       shape.least_length == 0 && shape.most_length == kNoLimit;
  for (const formats::Format* format : shape.formats) {
    for (int i = 0; i < 4; ++i) {
      auto text = text_of_format(format->name, occasion, random);
      if (text && (is_sure || keeps(attempt, shape, *text))) {
        return json(std::move(*text));
      }
    }
  }
  if (shape.formats.empty() || !shape.patterns.empty()) {
    std::string text = fit(text_for(occasion, random), shape);
    if (keeps(attempt, shape, text)) {
      return json(std::move(text));
    }
  }
  if (auto text = from_pattern(attempt, shape, random)) {
    return json(std::move(*text));
  }
  return std::nullopt;
}

}  // namespace spec::schema::samples
