#include "spec/schema/samples/pattern_words.hpp"

#include "spec/json/utf8.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace spec::schema::samples {

namespace {

using Kind = PatternPart::Kind;
using Range = PatternPart::Range;

constexpr std::size_t kMaxTextBytes = 65'536;

class Writer {
 public:
  Writer(std::size_t extra, Random& random) : extra_(extra), random_(random) {}

  void write(const PatternPart& part) {
    if (text_.size() > kMaxTextBytes) {
      return;
    }
    switch (part.kind) {
      case Kind::kSequence:
        for (const PatternPart& each : part.parts) {
          write(each);
        }
        return;
      case Kind::kAlternatives: return write(random_.pick(part.parts));
      case Kind::kSet: return write_one_of(part.ranges);
      case Kind::kRepeat: return repeat(part);
      case Kind::kGroup: {
        const std::size_t start = text_.size();
        write(part.parts.front());
        groups_[part.group] = text_.substr(start);
        return;
      }
      case Kind::kReference: text_ += groups_[part.group]; return;
      case Kind::kLook:
        if (is_looked_at()) {
          write(part.parts.front());
        }
        return;
    }
  }

  std::string take() { return std::move(text_); }

 private:
  // What is looked at may stand in the text besides, or be part of it already: mostly the latter.
  bool is_looked_at() {
    constexpr std::uint64_t kAll = 0;
    constexpr std::uint64_t kSome = 1;
    if (!looks_) {
      looks_ = random_.below(4);
    }
    return *looks_ == kAll || (*looks_ == kSome && random_.one_in(2));
  }

  void repeat(const PatternPart& part) {
    const std::size_t room = std::min(extra_, part.most - part.least);
    const std::size_t times = part.least + random_.below(room + 1);
    for (std::size_t i = 0; i < times; ++i) {
      write(part.parts.front());
    }
  }

  void write_one_of(const std::vector<Range>& ranges) {
    const Range& range = random_.pick(ranges);
    json::append_utf8(text_,
                      range.low + static_cast<char32_t>(random_.below(range.high - range.low + 1)));
  }

  std::size_t extra_;
  Random& random_;
  std::string text_;
  std::map<std::size_t, std::string> groups_;
  std::optional<std::uint64_t> looks_;  // how this text treats them
};

}  // namespace

std::string write_match(const PatternPart& pattern, std::size_t extra, Random& random) {
  Writer writer(extra, random);
  writer.write(pattern);
  return writer.take();
}

}  // namespace spec::schema::samples
