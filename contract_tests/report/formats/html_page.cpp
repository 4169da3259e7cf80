#include "contract_tests/report/formats/html_page.hpp"

#include "contract_tests/report/formats/console_summary.hpp"
#include "contract_tests/report/run_cases.hpp"
#include "spec/json/value.hpp"
#include "spec/text/encoding.hpp"

#include <nlohmann/json.hpp>

#include <string_view>
#include <utility>

namespace contract_tests::report::formats {

using spec::text::fill_hole;

namespace {

// The run without the cases that have no details, which the page does not show.
std::string shown_text(const nlohmann::json& run) {
  std::string text;
  for (const auto& [key, value] : run.items()) {
    text += (text.empty() ? "{" : ",") + spec::json::write(key) + ':';
    if (key != "cases") {
      spec::json::write_to(text, value);
      continue;
    }
    const char* before = "[";
    for (const auto& item : value) {
      if (has_details(item)) {
        text += std::exchange(before, ",");
        spec::json::write_to(text, item);
      }
    }
    text += *before == '[' ? "[]" : "]";
  }
  return text + '}';
}

}  // namespace

std::string page(const nlohmann::json& run) {
  const auto texts = page_texts();
  std::string page(texts.frame);
  // Text from a server goes in last, so that nothing inside it is replaced.
  fill_hole(page, "{{style}}", texts.style);
  fill_hole(page, "{{script}}", texts.script);
  const auto title = run.value("contract", "") + ": " + run.value("verdict", "");
  fill_hole(page, "{{title}}", spec::text::escape_xml(title));
  fill_hole(page, "{{run}}", spec::text::json_in_script(shown_text(run)));
  fill_hole(page, "{{summary}}", spec::text::escape_xml(summary(run)));
  return page;
}

}  // namespace contract_tests::report::formats
