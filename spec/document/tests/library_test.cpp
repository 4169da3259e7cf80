#include "spec/document/library.hpp"

#include "spec/document/tests/loading.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <sys/stat.h>

namespace spec::document {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class LibraryTest : public testing::Test {
 protected:
  LibraryTest()
      : folder_(fs::path(testing::TempDir()) /
                (std::string("counterpart_library_") +
                 testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "sub folder");
  }

  ~LibraryTest() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, std::string_view text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }

  // The first line of what `act` throws, without the folder.
  std::string violation(const std::function<void()>& act) const {
    try {
      act();
    } catch (const LoadError& error) {
      std::string line = to_line(error.problems().front());
      for (std::size_t at = line.find(folder_.string()); at != line.npos;
           at = line.find(folder_.string())) {
        line.erase(at, folder_.string().size() + 1);
      }
      return line;
    }
    return "nothing was thrown";
  }

  fs::path folder_;
  Library library_;
};

// Opening a pipe waits for whoever writes into it.
TEST_F(LibraryTest, a_reference_to_a_pipe_is_rejected) {
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  const Node root = library_.open(write("a.yaml", "a: 1\n"));

  EXPECT_THAT(violation([&] { library_.resolve(root, "pipe"); }),
              HasSubstr("not a regular file: \""));
}

TEST_F(LibraryTest, opens_a_file_once) {
  const fs::path path = write("a.yaml", "a: 1\n");

  const Node root = library_.open(path);

  EXPECT_EQ(library_.open(folder_ / "sub folder/../a.yaml"), root);
  EXPECT_EQ(library_.find(base_uri(root)), root);
  EXPECT_THAT(base_uri(root), StartsWith("file:///"));
  EXPECT_THAT(library_.files(), ElementsAre(path));
}

TEST_F(LibraryTest, distinguishes_json_from_yaml_by_content) {
  EXPECT_EQ(json::write(library_.open(write("json.yaml", " {\"a\": \"\\ud83d\\ude00\"}")).value()),
            R"({"a":"😀"})");
  EXPECT_EQ(json::write(library_.open(write("flow.yaml", "{a: 1,}")).value()), R"({"a":1})");
  EXPECT_EQ(json::write(library_.open(write("noname", "- 1\n")).value()), "[1]");
}

TEST_F(LibraryTest, reports_the_error_of_the_format_that_gets_further) {
  EXPECT_EQ(violation([&] { library_.open(write("a.yaml", "{\"a\": 1,\n \"b\": [1 }}")); }),
            "a.yaml:2:10: expected ',' or ']', found '}'");
  EXPECT_EQ(violation([&] { library_.open(write("b.yaml", "{a: 1,\n b: *c}")); }),
            "b.yaml:2:5: there is no anchor &c above this alias");
  EXPECT_EQ(violation([&] { library_.open(write("c.yaml", R"({"a": 1, "a": 2})")); }),
            "c.yaml:1:10: duplicate key \"a\" (first at line 1, column 2) [/a]");
}

TEST_F(LibraryTest, reads_a_json_file_as_json_only) {
  EXPECT_EQ(violation([&] { library_.open(write("a.json", "{\"a\": 1,}")); }),
            "a.json:1:9: expected a member name, found '}'");
}

TEST_F(LibraryTest, says_why_a_file_cannot_be_read) {
  EXPECT_EQ(violation([&] { library_.open(folder_ / "none.yaml"); }), "none.yaml: no such file");
  EXPECT_EQ(violation([&] { library_.open(folder_ / "sub folder"); }),
            "sub folder: a folder, not a file");
  EXPECT_EQ(violation([&] { library_.open("/dev/zero"); }), "/dev/zero: not a regular file");
}

TEST_F(LibraryTest, repeats_the_problems_of_a_file) {
  const fs::path path = write("a.yaml", "[");
  const std::string first = violation([&] { library_.open(path); });

  EXPECT_EQ(violation([&] { library_.open(path); }), first);
  EXPECT_THAT(first, HasSubstr("a.yaml:"));
}

TEST_F(LibraryTest, resolves_inside_a_document) {
  const Node root = library_.open(write("a.yaml", "paths: {/a b/~: {x: [1, 2]}}\n"));

  EXPECT_EQ(library_.resolve(root, "#"), root);
  EXPECT_EQ(library_.resolve(root, ""), root);
  EXPECT_EQ(library_.resolve(root.find("paths"), "#/paths/~1a%20b~1~0/x/1").number_text(), "2");
}

TEST_F(LibraryTest, resolves_across_files_relative_to_each) {
  write("sub folder/b.yaml", "c: {$ref: '../c.json#/d'}\n");
  write("c.json", R"({"d": {"$ref": "sub%20folder/b.yaml"}})");
  const Node root = library_.open(write("a.yaml", "{}"));

  const Node b = library_.resolve(root, "sub%20folder/b.yaml#/c");
  const Node c = library_.resolve(b, b.find("$ref").string());
  const Node again = library_.resolve(c, c.find("$ref").string());

  EXPECT_EQ(c.pointer(), "/d");
  EXPECT_EQ(again, b.parent());
  EXPECT_EQ(library_.files().size(), 3U);
  EXPECT_EQ(b.place().file, "sub folder/b.yaml");
}

// Reports do not show where a machine keeps its files; errors name the path to open.
TEST_F(LibraryTest, shows_places_as_seen_from_the_folder_of_its_first_file) {
  const Node first = library_.open(write("sub folder/a.yaml", "1"));
  const fs::path other = write("b.yaml", "1");
  const Node outside = library_.open(other);

  EXPECT_EQ(first.place().file, "a.yaml");
  EXPECT_EQ(first.file_and_line(), "a.yaml:1");
  EXPECT_EQ(outside.place().file, folder_.filename().string() + "/b.yaml");
  EXPECT_EQ(outside.problem("x").file, other.generic_string());
}

TEST_F(LibraryTest, names_referred_files_as_the_first_was_named) {
  write("sub folder/b.yaml", "1");
  write("a.yaml", "{}");
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  const Node root = library_.open("./a.yaml");
  const Node other = library_.resolve(root, "sub%20folder/b.yaml");
  fs::current_path(before);

  EXPECT_EQ(root.place().file, "a.yaml");
  EXPECT_EQ(other.place().file, "sub folder/b.yaml");
}

TEST_F(LibraryTest, resolves_the_uri_of_a_document_that_was_added) {
  const Node remote =
      library_.add("https://example.test/x/remote", "remote", "a: 1", Format::kYaml);
  const Node root = library_.open(write("a.yaml", "{}"));

  EXPECT_EQ(library_.resolve(root, "https://example.test/x/remote#/a"), remote.find("a"));
  EXPECT_EQ(library_.resolve(root, "https://example.test/x/remote"), remote);
}

TEST_F(LibraryTest, finds_what_was_added_without_its_empty_fragment) {
  const Node remote = library_.add("urn:a:b#", "remote", "1", Format::kJson);

  EXPECT_EQ(library_.find("urn:a:b"), remote);
  EXPECT_EQ(library_.resolve(remote, "#"), remote);
  EXPECT_FALSE(library_.find("urn:a:c"));
}

TEST_F(LibraryTest, names_the_missing_part_of_a_reference) {
  write("b.yaml", "{schemas: {Brand: {}, Customer: {}}, list: [1, 2]}");
  const Node root = library_.open(write("a.yaml", "x:\n  $ref: y\n"));
  const Node from = root.find("x").find("$ref");
  const auto said = [&](std::string_view reference) {
    return violation([&] { library_.resolve(from, reference); });
  };

  EXPECT_EQ(said("c.yaml"),
            "a.yaml:2:9: no such file: \"c.yaml\", referred to as \"c.yaml\" [/x/$ref]");
  EXPECT_EQ(
      said("b.yaml#/schemas/Brnd"),
      "a.yaml:2:9: no such place: \"b.yaml#/schemas/Brnd\"; did you mean \"Brand\"? [/x/$ref]");
  EXPECT_EQ(said("b.yaml#/schemas/Meter"),
            "a.yaml:2:9: no such place: \"b.yaml#/schemas/Meter\"; \"/schemas\" has no member "
            "\"Meter\" [/x/$ref]");
  EXPECT_EQ(said("b.yaml#/list/2"),
            "a.yaml:2:9: no such place: \"b.yaml#/list/2\"; the array \"/list\" has 2 elements "
            "[/x/$ref]");
  EXPECT_EQ(
      said("b.yaml#/list/0/a"),
      "a.yaml:2:9: no such place: \"b.yaml#/list/0/a\"; \"/list/0\" is neither object nor array "
      "[/x/$ref]");
  EXPECT_EQ(
      said("#name"),
      "a.yaml:2:9: \"#name\" has no JSON pointer behind its \"#\"; write \"#/...\" [/x/$ref]");
  EXPECT_EQ(said("https://example.test/a"),
            "a.yaml:2:9: \"https://example.test/a\" is not a file; save that "
            "document and refer to it by a relative path [/x/$ref]");
}

TEST_F(LibraryTest, prunes_a_copy_and_keeps_the_original) {
  const fs::path path = write("a.yaml", "a: {keep: [1, drop, {drop: 1}]}\ndrop: {a: 1}\nb: 2\n");
  const Node root = library_.open(path);

  const Node pruned = library_.prune(root, [](const Node& node) {
    return node.key() == "drop" || (node.is_string() && node.string() == "drop");
  });

  EXPECT_EQ(json::write(pruned.value()), R"({"a":{"keep":[1,{}]},"b":2})");
  EXPECT_EQ(spot(pruned.find("b")), "3:4");
  EXPECT_EQ(pruned.find("a").find("keep").at(1).pointer(), "/a/keep/1");
  EXPECT_EQ(library_.open(path), pruned);
  EXPECT_EQ(library_.resolve(pruned, "#/b"), pruned.find("b"));
  EXPECT_EQ(root.find("drop").find("a").number_text(), "1");
}

TEST_F(LibraryTest, does_not_ask_below_what_is_dropped) {
  const Node root = library_.add("test:it", "it", "{a: {b: {c: 1}}, d: 1}", Format::kYaml);
  std::string asked;

  library_.prune(root, [&](const Node& node) {
    asked += node.key();
    return node.key() == "b";
  });

  EXPECT_EQ(asked, "abd");
}

TEST_F(LibraryTest, keeps_its_nodes_when_it_is_moved) {
  const Node root = library_.add("test:it", "it", "{a: 1}", Format::kYaml);

  Library other = std::move(library_);

  EXPECT_EQ(other.find("test:it"), root);
  EXPECT_EQ(root.find("a").number_text(), "1");
}

}  // namespace
}  // namespace spec::document
