#include "contract_tests/plan/texts.hpp"

#include <nlohmann/json.hpp>

namespace contract_tests::plan {

namespace {

HostileText hostile_text(const nlohmann::json& entry) {
  HostileText made;
  made.what = entry.at("what").get<std::string>();
  made.encoded = entry.contains("encoded");
  made.in_query = entry.value("query", false);
  const auto once = entry.at(made.encoded ? "encoded" : "text").get<std::string>();
  for (int left = entry.value("times", 1); left > 0; --left) {
    made.text += once;
  }
  return made;
}

}  // namespace

std::vector<HostileText> load_hostile_texts(DataFiles& files, const std::filesystem::path& file) {
  std::vector<HostileText> texts;
  for (const auto& entry : files.read(file, "hostile_texts").find("texts").elements()) {
    texts.push_back(hostile_text(entry.value()));
  }
  return texts;
}

checks::LeakMarks load_leak_marks(DataFiles& files, const std::filesystem::path& file) {
  const auto data = files.read(file, "leaks").value();
  const auto patterns_of = [&data](const char* list) {
    std::vector<std::string> patterns;
    for (const auto& mark : data.at(list)) {
      patterns.push_back(mark.at("pattern").get<std::string>());
    }
    return checks::LeakPatterns(patterns);
  };
  return {patterns_of("anywhere"), patterns_of("in_errors"), patterns_of("of_parsers")};
}

}  // namespace contract_tests::plan
