#include "contract_tests/report/page.hpp"

#include "contract_tests/report/page_texts.hpp"
#include "contract_tests/report/summary.hpp"
#include "spec/json/value.hpp"
#include "spec/text/xml.hpp"

#include <nlohmann/json.hpp>

#include <string_view>

namespace contract_tests::report {

namespace {

// The run without what the page does not show.
std::string shown_text(const nlohmann::json& run) {
  std::string text;
  for (const auto& [key, value] : run.items()) {
    if (key != "ran") {
      text += (text.empty() ? "{" : ",") + spec::json::write(key) + ':';
      spec::json::write_to(text, value);
    }
  }
  return text + '}';
}

// JSON that cannot end the script element that it is in: "<" occurs in strings alone.
std::string for_script(const nlohmann::json& run) {
  const auto text = shown_text(run);
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (const char letter : text) {
    if (letter == '<') {
      out += "\\u003c";
    } else {
      out += letter;
    }
  }
  return out;
}

}  // namespace

void fill(std::string& page, std::string_view hole, std::string_view with) {
  page.replace(page.find(hole), hole.size(), with);
}

std::string page(const nlohmann::json& run) {
  const auto texts = page_texts();
  std::string page(texts.frame);
  // What comes from a server goes in last, so that no hole is looked for inside it.
  fill(page, "{{style}}", texts.style);
  fill(page, "{{script}}", texts.script);
  const auto title = run.value("contract", "") + ": " + run.value("verdict", "");
  fill(page, "{{title}}", spec::text::escape_xml(title));
  fill(page, "{{run}}", for_script(run));
  fill(page, "{{summary}}", spec::text::escape_xml(summary(run)));
  return page;
}

}  // namespace contract_tests::report
