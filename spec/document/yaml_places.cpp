#include "spec/document/yaml_places.hpp"

#include <algorithm>

namespace spec::document {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

}  // namespace

Spot YamlPlaces::of_empty_element() {
  last_end_ = skip_to_text(last_end_);
  const Spot dash = cursor_.locate(last_end_);
  last_end_ = std::min(last_end_ + 1, text_.size());
  return dash;
}

Spot YamlPlaces::of_document(const YamlEvent& start) {
  if (start.begin) {
    return cursor_.locate(*start.begin);
  }
  std::size_t at = skip_to_text(last_end_);
  if (text_.substr(at).starts_with("...")) {
    at = skip_to_text(at + 3);
  }
  return cursor_.locate(at);
}

void YamlPlaces::pass(const YamlEvent& event) {
  last_end_ = std::max(last_end_, event.end);
}

// Passes over blanks, line breaks and comments.
std::size_t YamlPlaces::skip_to_text(std::size_t at) const {
  while (at < text_.size() && (text_[at] == '#' || kBlanks.find(text_[at]) != kBlanks.npos)) {
    at = text_[at] == '#' ? std::min(text_.find_first_of("\r\n", at), text_.size()) : at + 1;
  }
  return at;
}

}  // namespace spec::document
