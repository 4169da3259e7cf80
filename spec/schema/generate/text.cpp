// Strings: by format, by name, by pattern, then fitted to their length.

#include "spec/schema/generate/matching_text.hpp"
#include "spec/schema/generate/value.hpp"
#include "spec/text/utf8.hpp"

#include <algorithm>

namespace spec::schema::generate {

namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kMaxTextLength = 1'000'000;

// The text cut or filled to the constraints' length, counted in code points.
std::string fit(std::string text, const Constraints& constraints) {
  constexpr std::string_view kFilling = "aB1";  // what password rules ask for
  text.resize(text::first_characters(text, constraints.max_length).size());
  for (auto length = text::character_count(text); length < constraints.min_length; ++length) {
    text += kFilling[length % kFilling.size()];
  }
  return text;
}

bool is_of_numbers(const formats::Format* format) {
  return format->test_string == nullptr;
}

bool is_valid(const Attempt& attempt, const Constraints& constraints, const std::string& text) {
  const auto length = text::character_count(text);
  const auto& patterns = attempt.context.program.patterns;
  return length >= constraints.min_length && length <= constraints.max_length &&
         std::ranges::all_of(constraints.patterns,
                             [&](std::uint32_t pattern) {
                               return patterns[pattern].search(text) == patterns::Search::kFound;
                             }) &&
         std::ranges::all_of(constraints.formats, [&](const auto* format) {
           return is_of_numbers(format) || format->test_string(text);
         });
}

// A text by a format that asserts nothing of strings, or by the member's name.
std::string usual_text(const Constraints& constraints, const TextContext& context, Random& random) {
  if (constraints.is_base64) {
    return *text_of_format("byte", context, random);
  }
  for (const std::string_view format : constraints.annotated_formats) {
    if (auto text = text_of_format(format, context, random)) {
      return std::move(*text);
    }
  }
  return text_for(context, random);
}

std::optional<std::string> from_format(const Attempt& attempt, const Constraints& constraints,
                                       const TextContext& context, Random& random) {
  constexpr int kDraws = 6;
  for (const formats::Format* format : constraints.formats) {
    for (int i = 0; i < kDraws; ++i) {
      auto text = text_of_format(format->name, context, random);
      if (text && is_valid(attempt, constraints, *text)) {
        return text;
      }
    }
  }
  return std::nullopt;
}

std::optional<std::string> from_pattern(const Attempt& attempt, const Constraints& constraints,
                                        Random& random) {
  constexpr int kDraws = 60;
  constexpr std::size_t kBytesOfValue = 256;  // a long text takes as long as many values
  const auto wanted = static_cast<std::size_t>(constraints.min_length);
  for (const std::uint32_t index : constraints.patterns) {
    const auto& pattern = attempt.context.patterns[index];
    for (int i = 0; pattern && i < kDraws && attempt.budget > 0; ++i) {
      const auto extra = static_cast<std::size_t>(i % 10) + (i % 3 == 2 ? wanted * 2 : wanted / 2);
      std::string text = write_match(*pattern, extra, random);
      if (is_valid(attempt, constraints, text)) {
        return text;
      }
      text = fit(std::move(text), constraints);
      attempt.budget -=
          std::min(attempt.budget, static_cast<unsigned>(text.size() / kBytesOfValue));
      if (is_valid(attempt, constraints, text)) {
        return text;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Json> make_text(const Attempt& attempt, const Constraints& constraints,
                              const Location& location) {
  attempt.failure.is_too_large |= constraints.min_length > kMaxTextLength;
  if (constraints.min_length > std::min(constraints.max_length, kMaxTextLength)) {
    return std::nullopt;
  }
  Random random(location.seed);
  const TextContext context{location.name, attempt.start_seconds, attempt.number > 0};
  auto text = from_format(attempt, constraints, context, random);
  if (!text && std::ranges::all_of(constraints.formats, is_of_numbers)) {
    text = fit(usual_text(constraints, context, random), constraints);
    text = is_valid(attempt, constraints, *text) ? text : std::nullopt;
  }
  if (!text) {
    text = from_pattern(attempt, constraints, random);
  }
  return text ? std::optional(Json(std::move(*text))) : std::nullopt;
}

}  // namespace spec::schema::generate
