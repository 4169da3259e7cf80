#include "contract_tests/checks/places.hpp"

#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"

namespace contract_tests::checks {

using nlohmann::json;

void each_place(const json& value, std::string_view pattern,
                const std::function<void(const std::string&, const json&)>& visit) {
  const auto star = pattern.find("/*");
  const std::string head(pattern.substr(0, star));
  const auto* found = spec::json::find(value, head);
  if (found == nullptr) {
    return;
  }
  if (star == std::string_view::npos) {
    visit(head, *found);
    return;
  }
  if (!found->is_array()) {
    return;
  }
  const auto rest = pattern.substr(star + 2);
  for (std::size_t index = 0; index < found->size(); ++index) {
    each_place((*found)[index], rest, [&](const std::string& tail, const json& inner) {
      visit(head + '/' + std::to_string(index) + tail, inner);
    });
  }
}

std::string shown(const json& value) {
  constexpr std::size_t kLongest = 60;
  auto text = spec::json::write(value);
  if (text.size() > kLongest) {
    text.resize(kLongest);
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U) {
      text.pop_back();
    }
    text += "...";
  }
  return text;
}

}  // namespace contract_tests::checks
