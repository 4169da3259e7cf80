#include "contract_tests/checks/places.hpp"

#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"
#include "spec/text/quote.hpp"

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
  return spec::text::shortened(spec::json::write(value));
}

}  // namespace contract_tests::checks
