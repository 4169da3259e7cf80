#pragma once

// The characters of YAML flow scalars (plain, single- and double-quoted) from what stands in the
// text: line folding (YAML 1.2.2 §6.5, §7.3) and escapes (§5.7). Our own, because libfyaml 0.7.12
// misreads runs of '' and leaks on some of them. Pure functions.

#include <cstdint>
#include <string>
#include <string_view>

namespace spec::document {

enum class FlowStyle : std::uint8_t { kPlain, kSingleQuoted, kDoubleQuoted };

struct FlowText {
  std::string_view text;  // in `raw` where it is spelled there, else in `scratch`
  std::string problem{};  // "must be ... but is ..."; empty if there is none
};

// `raw` is UTF-8, without the quotes.
FlowText decode_flow_scalar(std::string_view raw, FlowStyle style, std::string& scratch);

}  // namespace spec::document
