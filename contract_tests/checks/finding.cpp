#include "contract_tests/checks/finding.hpp"

#include "spec/random.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace contract_tests::checks {

namespace {

std::string hex(std::uint64_t value) {
  std::string text(16, '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit, value >>= 4U) {
    *digit = spec::text::kHexDigits[value & 15U];
  }
  return text;
}

constexpr std::array<std::string_view, 3> kSeverities{"note", "warning", "error"};
constexpr std::array<std::string_view, 3> kStates{"new", "known", "expired"};

}  // namespace

std::string_view to_text(Severity severity) {
  return kSeverities.at(static_cast<std::size_t>(severity));
}

std::string_view to_text(State state) {
  return kStates.at(static_cast<std::size_t>(state));
}

std::optional<Severity> severity_from(std::string_view text) {
  const auto* found = std::ranges::find(kSeverities, text);
  if (found == kSeverities.end()) {
    return std::nullopt;
  }
  return static_cast<Severity>(found - kSeverities.begin());
}

std::string stable_hash(std::string_view text) {
  return hex(spec::text_hash(text));
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

std::string kind_place_of(const Finding& finding) {
  return without_indices(finding.kind_place.empty() ? finding.place : finding.kind_place);
}

std::string_view missing_property(std::string_view message) {
  constexpr std::string_view kMust = "must have the property ";
  if (!message.starts_with(kMust)) {
    return {};
  }
  message.remove_prefix(kMust.size());
  return message.substr(0, message.find_first_of(" ,"));
}

RequestPart request_part_of(std::string_view changed) {
  static constexpr std::array<std::string_view, 5> kParts{"query", "path", "header", "cookie",
                                                          "body"};
  const auto* part = std::ranges::find_if(
      kParts, [changed](std::string_view name) { return changed.starts_with(name); });
  if (part == kParts.end()) {
    return {"", std::string(changed)};
  }
  auto rest = changed.substr(part->size());
  if (rest.starts_with(": ")) {
    return {std::string(*part), std::string(rest.substr(2))};
  }
  const bool pointer = rest.starts_with(" /") || rest.starts_with('/');
  if (!pointer && (!rest.starts_with(' ') || *part == "body")) {
    return {rest.empty() ? std::string(*part) : "", std::string(changed)};
  }
  rest.remove_prefix(rest.starts_with(" /") ? 2 : 1);
  const auto end = std::min(rest.find_first_of(" =:,"), rest.size());
  auto value = rest.substr(end);
  value.remove_prefix(std::min(value.find_first_not_of(" =:,"), value.size()));
  return {std::string(*part) + '/' + std::string(rest.substr(0, end)), std::string(value)};
}

std::string kind_of(const Finding& finding) {
  return finding.operation + '\n' + finding.rule + '\n' + finding.source.pointer + '\n' +
         kind_place_of(finding) + std::string(missing_property(finding.message));
}

std::string fingerprint(const Finding& finding) {
  auto text = kind_of(finding);
  if (finding.place == "status") {
    std::string_view changed = finding.changed;
    changed.remove_suffix(changed.ends_with(kReduced) ? kReduced.size() : 0);
    text += '\n' + std::to_string(finding.status) + '\n' + request_part_of(changed).place;
  }
  return stable_hash(text);
}

}  // namespace contract_tests::checks
