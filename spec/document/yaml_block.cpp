#include "spec/document/yaml_block.hpp"

#include <algorithm>

namespace spec::document {
namespace {

enum class Chomping : std::uint8_t { kClip, kStrip, kKeep };

// §8.1.1: "|2-" and the like; a comment may follow.
struct Header {
  bool folded = false;
  Chomping chomping = Chomping::kClip;
  std::size_t indicator = 0;  // 0: to be detected
};

Header parse_header(std::string_view raw) {
  Header header{.folded = raw.starts_with('>')};
  for (const char byte : raw.substr(1)) {
    if (byte == '-') {
      header.chomping = Chomping::kStrip;
    } else if (byte == '+') {
      header.chomping = Chomping::kKeep;
    } else if (byte >= '1' && byte <= '9') {
      header.indicator = static_cast<std::size_t>(byte - '0');
    } else {
      break;
    }
  }
  return header;
}

// A line without its break; whether it had one.
struct Line {
  std::string_view text;
  bool ended = false;
};

Line take_line(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  const Line line{.text = rest.substr(0, end), .ended = end < rest.size()};
  rest.remove_prefix(end + (line.ended ? 1 : 0));
  return line;
}

std::size_t indentation_of(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

// §8.1.1.1: as deep as the first line that is not empty, else as the deepest; at least `least`.
std::size_t detect_indentation(std::string_view content, std::size_t least) {
  std::size_t deepest = least;
  while (!content.empty()) {
    const std::string_view line = take_line(content).text;
    const std::size_t blanks = indentation_of(line);
    if (blanks < line.size()) {
      return std::max(blanks, least);
    }
    deepest = std::max(deepest, blanks);
  }
  return deepest;
}

// Blanks before the first line that is neither empty nor a comment; nothing if there is none.
std::optional<std::size_t> next_indentation(std::string_view rest) {
  while (!rest.empty()) {
    const std::string_view line = take_line(rest).text;
    const std::size_t blanks = indentation_of(line);
    if (blanks < line.size() && line[blanks] != '#') {
      return blanks;
    }
  }
  return std::nullopt;
}

// Collects the lines of one scalar.
class Collector {
 public:
  explicit Collector(bool folded) : folded_(folded) {}

  void add(std::string_view line, bool ended) {
    if (line.empty()) {
      breaks_ += ended ? 1 : 0;
      return;
    }
    const bool deeper = line[0] == ' ' || line[0] == '\t';
    const bool fold = folded_ && !first_ && !deeper && !deeper_;
    if (fold && breaks_ == 1) {
      out_ += ' ';
    } else {
      out_.append(fold ? breaks_ - 1 : breaks_, '\n');
    }
    out_ += line;
    breaks_ = ended ? 1 : 0;
    deeper_ = deeper;
    first_ = false;
  }

  // §8.1.1.2.
  std::string finish(Chomping chomping) {
    if (chomping == Chomping::kKeep) {
      out_.append(breaks_, '\n');
    } else if (chomping == Chomping::kClip && !first_ && breaks_ > 0) {
      out_ += '\n';
    }
    return std::move(out_);
  }

 private:
  bool folded_;
  bool first_ = true;
  bool deeper_ = false;     // the last line started with a blank
  std::size_t breaks_ = 0;  // line breaks since the last line that was not empty
  std::string out_;
};

}  // namespace

BlockText decode_block_scalar(const BlockScalar& scalar) {
  std::string_view rest = scalar.raw;
  const Header header = parse_header(take_line(rest).text);
  const auto& parent = scalar.parent_indentation;
  const std::size_t indentation = header.indicator == 0
                                      ? detect_indentation(rest, parent ? *parent + 1 : 0)
                                      : parent.value_or(0) + header.indicator;
  Collector collector(header.folded);
  std::optional<std::size_t> swallowed_from;
  while (!rest.empty()) {
    const std::string_view here = rest;
    const Line line = take_line(rest);
    const std::size_t blanks = indentation_of(line.text);
    if (blanks < indentation && blanks < line.text.size()) {
      const auto next = next_indentation(here);
      if (next && (!parent || *next > *parent)) {
        return {.text = {},
                .problem =
                    "must be a block of lines that are indented alike, but a line after it "
                    "is indented less, and more than what it belongs to"};
      }
      if (next) {
        swallowed_from = scalar.raw.size() - here.size();
      }
      break;
    }
    collector.add(line.text.substr(std::min(indentation, line.text.size())), line.ended);
  }
  return {.text = collector.finish(header.chomping), .swallowed_from = swallowed_from};
}

}  // namespace spec::document
