// The places that a pattern names, and their pointers.

#include "contract_tests/checks/places.hpp"

#include "spec/json/read.hpp"

#include <gmock/gmock.h>

#include <string_view>
#include <vector>

namespace contract_tests::checks {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::IsEmpty;

// "POINTER VALUE" of each visited place.
std::vector<std::string> visited(std::string_view text, std::string_view pattern) {
  const auto value = spec::json::read(text);
  std::vector<std::string> places;
  each_place(value.value(), pattern, [&places](const Place& place, const json& there) {
    places.push_back(place.text() + ' ' + shown(there));
  });
  return places;
}

TEST(Places, a_star_is_every_element_and_each_place_has_its_own_pointer) {
  constexpr auto kText =
      R"({"items": [{"m": [{"p": 1}, {"p": 2}]}, {"m": []}, {"m": [{"p": 3}]}]})";

  EXPECT_THAT(visited(kText, "/items/*/m/*/p"),
              ElementsAre("/items/0/m/0/p 1", "/items/0/m/1/p 2", "/items/2/m/0/p 3"));
  EXPECT_THAT(visited(kText, "/items/1/m"), ElementsAre("/items/1/m []"));
}

TEST(Places, an_element_and_the_root_are_places) {
  EXPECT_THAT(visited("[7, 8]", "/*"), ElementsAre("/0 7", "/1 8"));
  EXPECT_THAT(visited("[[7], 8]", "/*/*"), ElementsAre("/0/0 7"));
  EXPECT_THAT(visited("7", ""), ElementsAre(" 7"));
}

TEST(Places, missing_places_are_skipped) {
  EXPECT_THAT(visited(R"({"items": {"0": {"p": 1}}})", "/items/*/p"), IsEmpty());
  EXPECT_THAT(visited(R"({"items": [{"q": 1}]})", "/items/*/p"), IsEmpty());
}

}  // namespace
}  // namespace contract_tests::checks
