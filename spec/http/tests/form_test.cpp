#include "spec/http/form.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace spec::http {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Each pair as "name -> value", "name" alone without an equals sign.
std::vector<std::string> shown(const std::vector<FormPair>& pairs) {
  std::vector<std::string> lines;
  for (const FormPair& pair : pairs) {
    lines.push_back(pair.has_equals ? pair.name + " -> " + std::string(pair.value) : pair.name);
  }
  return lines;
}

TEST(Form, is_cut_at_ampersands_and_the_first_equals_sign) {
  EXPECT_THAT(shown(split_form("a=1&b=c=d&e&f=")), ElementsAre("a -> 1", "b -> c=d", "e", "f -> "));
}

TEST(Form, leaves_out_empty_pairs_but_keeps_an_empty_name) {
  EXPECT_THAT(shown(split_form("&&a=1&=2&")), ElementsAre("a -> 1", " -> 2"));
  EXPECT_THAT(split_form(""), IsEmpty());
}

TEST(Form, decodes_names_and_leaves_values_encoded) {
  EXPECT_THAT(shown(split_form("petId%5B%5D=a%2Cb&x+y=+&%ZZ=1")),
              ElementsAre("petId[] -> a%2Cb", "x y -> +", "%ZZ -> 1"));
}

TEST(Cookies, are_cut_at_semicolons_and_trimmed) {
  EXPECT_THAT(shown(split_cookies("a=1; b=!x=y;;  c ")), ElementsAre("a -> 1", "b -> !x=y", "c"));
}

}  // namespace

}  // namespace spec::http
