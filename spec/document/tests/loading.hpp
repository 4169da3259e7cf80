#pragma once

// Shared helpers of the tests of documents: a text in, a tree or its problems out.

#include "spec/document/document.hpp"
#include "spec/document/library.hpp"
#include "spec/json/value.hpp"
#include "spec/load_error.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace spec::document {

// The value that `text` loads as, as JSON text.
inline std::string loaded(std::string_view text, Format format = Format::kYaml) {
  Library library;
  return json::write(library.add("test:it", "it", text, format).value());
}

// The problems of `text`, one line each; none if it loads.
inline std::vector<std::string> problems(std::string_view text, Format format = Format::kYaml) {
  std::vector<std::string> lines;
  try {
    Library library;
    library.add("test:it", "it", text, format);
  } catch (const LoadError& error) {
    for (const Problem& problem : error.problems()) {
      lines.push_back(to_line(problem));
    }
  }
  return lines;
}

// "line:column" of a node.
inline std::string spot(const Node& node) {
  const Place place = node.place();
  return std::to_string(place.line) + ":" + std::to_string(place.column);
}

}  // namespace spec::document
