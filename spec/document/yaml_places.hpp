#pragma once

// Where the things that YAML events tell of stand in the text, those too that have no mark. One per
// text; events are asked for in their order.

#include "spec/document/cursor.hpp"
#include "spec/document/yaml_events.hpp"

#include <cstddef>
#include <string_view>

namespace spec::document {

class YamlPlaces {
 public:
  explicit YamlPlaces(std::string_view text) : text_(text), cursor_(text) {}

  // Where the event's node starts. Precondition: event.begin is set.
  Spot of(const YamlEvent& event) { return cursor_.locate(*event.begin); }

  // Where the dash of an empty element stands.
  Spot of_empty_element();
  // Where a document starts.
  Spot of_document(const YamlEvent& start);
  // Must follow each event, once it is placed.
  void pass(const YamlEvent& event);

 private:
  std::size_t skip_to_text(std::size_t at) const;

  std::string_view text_;
  Cursor cursor_;
  std::size_t last_end_ = 0;  // of what was passed
};

}  // namespace spec::document
