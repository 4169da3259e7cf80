#include "spec/schema/samples/property_ranges.hpp"

#include "spec/json/utf8.hpp"
#include "spec/schema/patterns/pattern.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <utility>

namespace spec::schema::samples {

namespace {

using Range = CharacterRange;

constexpr char32_t kLastSearched = 0x1FFFF;  // beyond are rare ideographs
constexpr char32_t kCoarse = 16;             // most sets have a character in so many
constexpr std::size_t kMostFound = 64;

// The first characters that `escape` (a class like "\p{Script=Greek}") matches; none if it matches
// none or is none.
class PropertySearch {
 public:
  explicit PropertySearch(const std::string& escape)
      : pattern_(patterns::Pattern::compile('^' + escape + '$')) {}

  std::vector<Range> run() {
    if (!pattern_) {
      return {};
    }
    // From the first one that a coarse search meets, or from the start where it meets none.
    char32_t start = kFirst;
    for (char32_t c = kFirst; c <= kLastSearched; c += kCoarse) {
      if (has(c)) {
        start = std::max<char32_t>(kFirst, c - kCoarse);
        break;
      }
    }
    for (char32_t c = start; c <= kLastSearched && count_ < kMostFound; ++c) {
      if (has(c)) {
        add(c);
      }
    }
    return std::move(found_);
  }

 private:
  static constexpr char32_t kFirst = ' ';

  bool has(char32_t c) const {
    const bool is_surrogate = c >= 0xD800 && c <= 0xDFFF;
    std::string text;
    if (!is_surrogate) {
      json::append_utf8(text, c);
    }
    return !is_surrogate && pattern_->search(text) == patterns::Search::kFound;
  }

  void add(char32_t c) {
    ++count_;
    if (!found_.empty() && found_.back().high + 1 == c) {
      found_.back().high = c;
    } else {
      found_.push_back({c, c});
    }
  }

  Result<patterns::Pattern, patterns::SyntaxError> pattern_;
  std::vector<Range> found_;
  std::size_t count_ = 0;
};

}  // namespace

std::vector<Range> find_ranges(const std::string& escape) {
  // Plain letters and digits where they have the property, since people write these.
  static const std::map<std::string, std::vector<Range>, std::less<>> kPlain{
      {"\\p{L}", {{'a', 'z'}, {'A', 'Z'}}},
      {"\\p{Letter}", {{'a', 'z'}, {'A', 'Z'}}},
      {"\\p{Alphabetic}", {{'a', 'z'}, {'A', 'Z'}}},
      {"\\p{Ll}", {{'a', 'z'}}},
      {"\\p{Lu}", {{'A', 'Z'}}},
      {"\\p{N}", {{'0', '9'}}},
      {"\\p{Nd}", {{'0', '9'}}},
      {"\\p{Number}", {{'0', '9'}}}};
  const auto plain = kPlain.find(escape);
  return plain != kPlain.end() ? plain->second : PropertySearch(escape).run();
}

}  // namespace spec::schema::samples
