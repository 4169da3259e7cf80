#include "spec/document/document.hpp"
#include "spec/document/library.hpp"

#include <gtest/gtest.h>

#include <string>

namespace spec::document {
namespace {

class NodeTableOfTwo : public testing::Test {
 protected:
  Node root_of(const std::string& name) {
    return library_.add("file:///" + name, name, "{a: 1, b: [2, 3]}", Format::kYaml);
  }

  Library library_;
  Node first_ = root_of("first.yaml");
  Node second_ = root_of("second.yaml");
  NodeTable<int> notes_{-1};
};

TEST_F(NodeTableOfTwo, has_what_is_absent_for_nodes_without_a_note) {
  EXPECT_EQ(notes_.find(first_), -1);

  notes_.at(first_.find("b")) = 7;

  EXPECT_EQ(notes_.find(first_), -1);
  EXPECT_EQ(notes_.find(second_), -1);
}

TEST_F(NodeTableOfTwo, keeps_the_notes_of_documents_apart) {
  notes_.at(first_.find("b").at(1)) = 7;
  notes_.at(second_.find("b").at(1)) = 8;

  EXPECT_EQ(notes_.find(first_.find("b").at(1)), 7);
  EXPECT_EQ(notes_.find(second_.find("b").at(1)), 8);
  EXPECT_EQ(notes_.at(second_.find("b").at(0)), -1);
}

}  // namespace
}  // namespace spec::document
