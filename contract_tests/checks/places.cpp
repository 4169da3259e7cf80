#include "contract_tests/checks/places.hpp"

#include "contract_tests/checks/finding.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/value.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace contract_tests::checks {

using nlohmann::json;

namespace {

void walk(const json& value, std::string_view pattern, Place place, const VisitPlace& visit) {
  const auto star = pattern.find("/*");
  place.below = pattern.substr(0, star);
  const auto* found = spec::json::find(value, place.below);
  if (found == nullptr) {
    return;
  }
  if (star == std::string_view::npos) {
    visit(place, *found);
    return;
  }
  if (!found->is_array()) {
    return;
  }
  for (std::size_t index = 0; index < found->size(); ++index) {
    walk((*found)[index], pattern.substr(star + 2), {.array = &place, .index = index}, visit);
  }
}

bool has_all_names(const json& value, const json& other) {
  return std::ranges::all_of(other.items(),
                             [&value](const auto& each) { return value.contains(each.key()); });
}

// Whether two objects are maps with keys of their own: each has some that the other lacks, or one
// has none.
bool are_maps(const json* left, const json* right) {
  return left != nullptr && right != nullptr && left->is_object() && right->is_object() &&
         (left->empty() || right->empty() ||
          (!has_all_names(*left, *right) && !has_all_names(*right, *left)));
}

}  // namespace

std::string Place::text() const {
  auto pointer = array == nullptr ? std::string() : array->text() + '/' + std::to_string(index);
  return pointer.append(below);
}

void each_place(const json& value, std::string_view pattern, const VisitPlace& visit) {
  walk(value, pattern, {}, visit);
}

std::set<std::string> differing_places(const json& left, const json& right) {
  std::set<std::string> places;
  for (const auto& step : json::diff(left, right)) {
    const auto& path = step.at("path").get_ref<const std::string&>();
    auto place = without_indices(path);
    if (step.at("op") != "replace") {
      const auto parent = path.substr(0, path.rfind('/'));
      if (place.ends_with("/*") || place.ends_with("/-") ||
          are_maps(spec::json::find(left, parent), spec::json::find(right, parent))) {
        place.resize(place.rfind('/'));
      }
    }
    places.insert(std::move(place));
  }
  return places;
}

void drop_places(json& value, const std::set<std::string>& places) {
  for (const auto& place : places) {
    std::vector<std::string> pointers;
    each_place(value, place, [&](const Place& at, const json&) { pointers.push_back(at.text()); });
    for (const auto& pointer : pointers) {
      *spec::json::find(value, pointer) = nullptr;
      spec::json::erase_member(value, pointer);
    }
  }
}

std::optional<spec::time::Instant> instant_at(const json& value, const std::string& pointer) {
  const auto* found = spec::json::find(value, pointer);
  return found != nullptr && found->is_string()
             ? spec::time::parse_date_time(found->get_ref<const std::string&>())
             : std::nullopt;
}

std::string shown(const json& value) {
  return spec::text::shortened(spec::json::write(value));
}

}  // namespace contract_tests::checks
