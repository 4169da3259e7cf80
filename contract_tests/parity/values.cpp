#include "contract_tests/parity/values.hpp"

#include "contract_tests/checks/places.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"

#include <cstddef>
#include <string_view>

namespace contract_tests::parity {

using nlohmann::json;

namespace {

constexpr std::size_t kMaxDifferences = 20;

json no_value() {
  return {json::value_t::discarded};
}

// Whether a recording wrote this text in the place of a private one.
bool is_replacement(const json& value) {
  constexpr std::string_view kReplaced = "redacted-";
  constexpr std::size_t kDigits = 12;
  if (!value.is_string()) {
    return false;
  }
  const std::string_view text = value.get_ref<const std::string&>();
  for (auto at = text.find(kReplaced); at != std::string_view::npos;
       at = text.find(kReplaced, at + 1)) {
    const auto digits = text.substr(at + kReplaced.size(), kDigits);
    if (digits.size() == kDigits &&
        digits.find_first_not_of("0123456789abcdef") == std::string_view::npos) {
      return true;
    }
  }
  return false;
}

class Comparison {
 public:
  void compare(const json& mock, const json& service, const std::string& at, std::size_t depth) {
    if (found.size() == kMaxDifferences || spec::json::equal(mock, service)) {
      return;
    }
    const bool deep = depth == static_cast<std::size_t>(checks::kMaxDepth);
    if (!deep && mock.is_object() && service.is_object()) {
      compare_members(mock, service, at, depth);
    } else if (!deep && mock.is_array() && service.is_array() && mock.size() == service.size()) {
      for (std::size_t index = 0; index < mock.size(); ++index) {
        compare(mock[index], service[index], at + '/' + std::to_string(index), depth + 1);
      }
    } else {
      add({at, mock, service});
    }
  }

  std::vector<Difference> found;

 private:
  void compare_members(const json& mock, const json& service, const std::string& at,
                       std::size_t depth) {
    for (const auto& [name, value] : mock.items()) {
      const auto below = at + spec::json::pointer_of({name});
      const auto other = service.find(name);
      if (other != service.end()) {
        compare(value, *other, below, depth + 1);
      } else {
        add({below, value, no_value()});
      }
    }
    for (const auto& [name, value] : service.items()) {
      if (!mock.contains(name)) {
        add({at + spec::json::pointer_of({name}), no_value(), value});
      }
    }
  }

  void add(Difference difference) {
    if (found.size() < kMaxDifferences && !is_replacement(difference.mock) &&
        !is_replacement(difference.service)) {
      found.push_back(std::move(difference));
    }
  }
};

}  // namespace

std::vector<Difference> differences(const json& mock, const json& service) {
  Comparison comparison;
  comparison.compare(mock, service, "", 0);
  return std::move(comparison.found);
}

std::string shown_value(const json& value) {
  return value.is_discarded() ? "absent" : checks::shown(value);
}

}  // namespace contract_tests::parity
