#pragma once

// libfyaml's event API as values: one parser over one text, events in order, errors collected. The
// only place that includes libfyaml.h. Its tree API is not used: it checks neither duplicates nor
// alias expansion and knows no places for collections. Nor is its decoding of scalars (yaml_text,
// yaml_block).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace spec::document {

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

enum class YamlStyle : std::uint8_t { kPlain, kSingleQuoted, kDoubleQuoted, kBlock };

// Views are valid until the next event; `text` as long as the source where it is spelled there.
struct YamlEvent {
  YamlEventKind kind = YamlEventKind::kScalar;
  // Where the first byte and one past the last stand in the text, quotes, '*' and the headers of
  // block scalars included; nothing for an empty scalar.
  std::optional<std::size_t> begin{};
  std::size_t end = 0;
  std::string_view text{};  // of a scalar, decoded; of an alias, the anchor's name
  std::string problem{};    // of a scalar that cannot be decoded: "must be ... but is ..."
  YamlStyle style = YamlStyle::kPlain;
  std::optional<std::string_view> tag{};  // resolved: "tag:yaml.org,2002:str", "!", "!local"
  std::optional<std::string_view> anchor{};
  // Of a document start: "1.1" when a %YAML directive says so; empty without one.
  std::string version{};
};

struct YamlError {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  std::string message;
};

class YamlEvents {
 public:
  // `text` must outlive this. It is UTF-8 without byte order mark and NUL; its line breaks are line
  // feeds.
  explicit YamlEvents(std::string_view text);
  ~YamlEvents();
  YamlEvents(const YamlEvents&) = delete;
  YamlEvents& operator=(const YamlEvents&) = delete;

  // The next event; null at the end of the text or at an error.
  const YamlEvent* next();

  // Why the events ended early; empty if they did not.
  std::vector<YamlError> errors() const;

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace spec::document
