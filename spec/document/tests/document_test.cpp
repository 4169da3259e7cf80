#include "spec/document/document.hpp"

#include "spec/document/load.hpp"
#include "spec/json/value.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace spec::document {
namespace {

constexpr std::string_view kText = R"(a: &x {b: 1.50, c: [no, 0x1F, "q", ~]}
200: *x
é:
  k: |
    text
  <<: *x
  e:
)";

TEST(Document, knows_the_place_of_every_node) {
  Library library;

  const Node root = library.add("file:///a.yaml", "a.yaml", kText, Format::kYaml);

  EXPECT_EQ(json::write(root.value()),
            R"({"200":{"b":1.50,"c":["no",31,"q",null]},"a":{"b":1.50,"c":["no",31,"q",null]},)"
            R"("é":{"b":1.50,"c":["no",31,"q",null],"e":null,"k":"text\n"}})");
  const Node text = root.find("é").find("k");
  EXPECT_EQ(to_line(text.problem("here")), "a.yaml:4:6: here [/é/k]");
  EXPECT_EQ(to_line(root.find("é").find("e").problem("here")), "a.yaml:7:3: here [/é/e]");
  EXPECT_EQ(to_line(root.find("a").find("c").at(2).problem("q")), "a.yaml:1:31: q [/a/c/2]");
}

}  // namespace
}  // namespace spec::document
