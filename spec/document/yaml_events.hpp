#pragma once

// libyaml's events as values: one parser over one text, events in order. The only place that
// includes yaml.h.

#include "spec/document/tree_builder.hpp"
#include "spec/non_copyable.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace spec::document {

// The first bytes in UTF-8 of U+10F000 to U+10FFFF, some of which are the stand-ins: a text that
// holds them cannot be read.
inline constexpr std::string_view kStandInBytes = "\xF4\x8F";

// `text` (UTF-8) with stand-ins for the characters that libyaml misreads; none if it needs no
// change.
std::optional<std::string> with_stand_ins(std::string_view text);

struct RestoredScalar {
  std::string text;
  std::string problem{};  // "must be ... but is ..."; empty if there is none
};

// The original text of a scalar with stand-ins. `escapes`: it is in double quotes.
RestoredScalar restore_scalar(std::string_view scalar, bool escapes);

enum class YamlEventKind : std::uint8_t {
  kDocumentStart,
  kDocumentEnd,
  kMappingStart,
  kMappingEnd,
  kSequenceStart,
  kSequenceEnd,
  kScalar,
  kAlias
};

// Views are valid until the next event.
struct YamlEvent {
  YamlEventKind kind = YamlEventKind::kScalar;
  // The start of the value, with its tag and anchor; of an empty scalar without them, the place
  // right after the dash or colon before it.
  Spot spot{};
  std::string_view text{};                // of a scalar, decoded; of an alias, the anchor's name
  bool is_plain = false;                  // of a scalar: neither quoted nor a block
  std::optional<std::string_view> tag{};  // resolved: "tag:yaml.org,2002:str", "!", "!local"
  std::optional<std::string_view> anchor{};
  std::string version{};  // of a document start with a %YAML directive: "1.1"
  std::string problem{};  // of a scalar that cannot be decoded: "must be ... but is ..."
};

struct YamlError {
  Spot spot;
  std::string message;
};

class YamlEvents : NonCopyable {
 public:
  // `text` must outlive this. It is UTF-8 without byte order mark, stand-ins and controls other
  // than tabs and line breaks.
  explicit YamlEvents(std::string_view text);
  ~YamlEvents();

  // The next event; null at the end of the text or at an error. Throws std::bad_alloc.
  const YamlEvent* next();

  // The reason why the events ended early; none if they did not.
  std::optional<YamlError> error() const;

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace spec::document
