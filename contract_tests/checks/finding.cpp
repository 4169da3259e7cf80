#include "contract_tests/checks/finding.hpp"

#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace contract_tests::checks {

namespace {

// FNV-1a, 64 bits: stable across platforms and releases, which std::hash is not.
std::uint64_t hash(std::string_view text) {
  constexpr std::uint64_t kOffset = 14695981039346656037ULL;
  constexpr std::uint64_t kPrime = 1099511628211ULL;
  std::uint64_t value = kOffset;
  for (const char letter : text) {
    value = (value ^ static_cast<unsigned char>(letter)) * kPrime;
  }
  return value;
}

std::string hex(std::uint64_t value) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(16, '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit, value >>= 4U) {
    *digit = kDigits[value & 15U];
  }
  return text;
}

constexpr std::array<std::string_view, 3> kSeverities{"note", "warning", "error"};

}  // namespace

std::string_view to_text(Severity severity) {
  return kSeverities.at(static_cast<std::size_t>(severity));
}

std::optional<Severity> severity_from(std::string_view text) {
  const auto* found = std::ranges::find(kSeverities, text);
  if (found == kSeverities.end()) {
    return std::nullopt;
  }
  return static_cast<Severity>(found - kSeverities.begin());
}

std::string stable_hash(std::string_view text) {
  return hex(hash(text));
}

std::string without_indices(std::string_view place) {
  std::string text;
  while (!place.empty()) {
    const auto slash = std::min(place.find('/'), place.size());
    const auto token = place.substr(0, slash);
    text += spec::text::is_all_digits(token) ? std::string_view("*") : token;
    if (slash < place.size()) {
      text += '/';
    }
    place.remove_prefix(std::min(slash + 1, place.size()));
  }
  return text;
}

std::string fingerprint(const Finding& finding) {
  return stable_hash(finding.operation + '\n' + finding.rule + '\n' + finding.source.pointer +
                     '\n' + without_indices(finding.place));
}

}  // namespace contract_tests::checks
