#pragma once

// The files of page/, built into the program (page_texts.cpp.in).

#include <string_view>

namespace contract_tests::report {

struct PageTexts {
  std::string_view frame;   // page.html, with holes {{style}}, {{title}}, {{summary}}, {{run}}, ...
  std::string_view style;   // page.css
  std::string_view script;  // the .js files, one after another
};

PageTexts page_texts();

}  // namespace contract_tests::report
