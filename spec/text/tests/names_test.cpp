#include "spec/text/names.hpp"

#include <gtest/gtest.h>

#include <array>

namespace spec::text {
namespace {

constexpr std::array<std::string_view, 4> kKeywords = {"minimum", "maximum", "maxLength", "type"};

TEST(EditDistance, counts_insertions_deletions_replacements_and_swaps) {
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("email", "emial"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("same", "same"), 0U);
}

TEST(Nearest, finds_what_was_misspelt) {
  EXPECT_EQ(nearest("minimun", kKeywords), "minimum");
  EXPECT_EQ(nearest("maxlength", kKeywords), "maxLength");
  EXPECT_EQ(nearest("maxmium", kKeywords), "maximum");
  EXPECT_EQ(nearest("typ", kKeywords), "type");
  EXPECT_EQ(nearest("tpye", kKeywords), "type");
}

TEST(Nearest, does_not_guess_far) {
  EXPECT_EQ(nearest("min", kKeywords), std::nullopt);
  EXPECT_EQ(nearest("pattern", kKeywords), std::nullopt);
  EXPECT_EQ(nearest("tape", {}), std::nullopt);
  EXPECT_EQ(nearest("", kKeywords), std::nullopt);
}

TEST(Nearest, takes_the_same_letters_however_words_are_joined) {
  constexpr std::array<std::string_view, 2> kNames = {"image_ids", "image_id"};

  EXPECT_EQ(nearest("ImageId", kNames), "image_id");
  EXPECT_EQ(nearest("IMAGE-ID", kNames), "image_id");
  EXPECT_EQ(nearest("_", std::array<std::string_view, 1>{"-x"}), std::nullopt);
}

TEST(Nearest, takes_the_first_of_equals) {
  constexpr std::array<std::string_view, 2> kNames = {"cat", "bat"};

  EXPECT_EQ(nearest("hat", kNames), "cat");
}

TEST(DidYouMean, is_the_end_of_a_message_or_nothing) {
  EXPECT_EQ(did_you_mean("tpye", kKeywords), "; did you mean \"type\"?");
  EXPECT_EQ(did_you_mean("min", kKeywords), "");
}

TEST(UnknownFlag, names_the_nearest_one) {
  EXPECT_EQ(unknown_flag("--fixture", {"--contract", "--fixtures"}),
            "there is no flag --fixture; did you mean --fixtures?");
  EXPECT_EQ(unknown_flag("--colour", {"--contract", "--fixtures"}), "there is no flag --colour");
}

}  // namespace
}  // namespace spec::text
