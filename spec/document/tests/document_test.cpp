#include "spec/document/document.hpp"

#include "spec/document/library.hpp"
#include "spec/document/tests/loading.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <unordered_set>

namespace spec::document {
namespace {

using testing::ElementsAre;

class DocumentNode : public testing::Test {
 protected:
  Node root_of(std::string_view text) {
    return library_.add("file:///a.yaml", "a.yaml", text, Format::kYaml);
  }

  Library library_;
};

TEST_F(DocumentNode, knows_its_kind) {
  const Node root = root_of("[null, true, 1, text, [], {}]");

  std::vector<Kind> kinds;
  for (const Node& node : root.elements()) {
    kinds.push_back(node.kind());
  }

  EXPECT_THAT(kinds, ElementsAre(Kind::kNull, Kind::kBoolean, Kind::kNumber, Kind::kString,
                                 Kind::kArray, Kind::kObject));
  EXPECT_TRUE(root.at(1).boolean());
  EXPECT_EQ(root.at(2).number_text(), "1");
  EXPECT_EQ(root.at(3).string(), "text");
  EXPECT_EQ(root.size(), 6U);
  EXPECT_EQ(root.at(3).size(), 0U);
}

TEST_F(DocumentNode, keeps_members_in_the_order_of_the_text) {
  const Node root = root_of("b: 1\na: 2\n\nc: 3\n");

  std::vector<std::string> keys;
  for (const Member& member : root.members()) {
    keys.push_back(std::string(member.key) + "@" + std::to_string(member.key_place.line));
  }

  EXPECT_THAT(keys, ElementsAre("b@1", "a@2", "c@4"));
}

TEST_F(DocumentNode, is_empty_where_there_is_nothing) {
  const Node root = root_of("{a: [1]}");

  EXPECT_FALSE(root.find("b"));
  EXPECT_FALSE(root.at(0));
  EXPECT_FALSE(root.find("a").at(1));
  EXPECT_FALSE(root.find("a").find("0"));
  EXPECT_FALSE(root.parent());
  EXPECT_TRUE(root.find("a").members().empty());
  EXPECT_TRUE(root.elements().empty());
  EXPECT_FALSE(Node());
}

TEST_F(DocumentNode, knows_the_way_from_the_root) {
  const Node node = root_of("paths: {\"/a/{b}\": {200: [x, y]}}").find("paths").find("/a/{b}");

  EXPECT_EQ(node.find("200").at(1).pointer(), "/paths/~1a~1{b}/200/1");
  EXPECT_EQ(node.find("200").at(1).key(), "1");
  EXPECT_EQ(node.find("200").key(), "200");
  EXPECT_EQ(node.parent().key(), "paths");
  EXPECT_EQ(node.parent().parent().pointer(), "");
  EXPECT_EQ(node.parent().parent().key(), "");
}

TEST_F(DocumentNode, equals_the_same_place_only) {
  const Node root = root_of("[1, 1]");

  EXPECT_EQ(root.at(0), root.at(0));
  EXPECT_NE(root.at(0), root.at(1));
  EXPECT_EQ((std::unordered_set<Node>{root, root.at(0), root.at(0), Node(), Node()}.size()), 3U);
}

TEST_F(DocumentNode, finds_each_of_many_members) {
  std::string text;
  for (int i = 0; i < 10'000; ++i) {
    text += "key" + std::to_string(i) + ": " + std::to_string(i) + "\n";
  }
  const Node root = root_of(text);

  for (int i = 0; i < 10'000; ++i) {
    ASSERT_EQ(root.find("key" + std::to_string(i)).number_text(), std::to_string(i));
  }
  EXPECT_FALSE(root.find("key10000"));
  EXPECT_FALSE(root.find(""));
}

TEST_F(DocumentNode, makes_a_problem_with_its_place) {
  const Node node = root_of("a:\n  - é: [1,  no]\n").find("a").at(0).find("é").at(1);

  EXPECT_EQ(to_line(node.problem("must be a number, but is \"no\"")),
            "a.yaml:2:13: must be a number, but is \"no\" [/a/0/é/1]");
}

TEST_F(DocumentNode, has_exact_numbers_in_its_value) {
  EXPECT_EQ(json::write(root_of("[1.50, 0.00, 1e2, 12345678901234567890123]").value()),
            "[1.50,0.00,1e2,12345678901234567890123]");
}

}  // namespace
}  // namespace spec::document
