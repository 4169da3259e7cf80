#include "spec/document/uri.hpp"

#include "spec/document/library.hpp"
#include "spec/tests/rows.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace spec::document {
namespace {

struct Reference {
  std::string name;
  std::string text;
  std::string target;
};

using ResolveUri = spec::tests::RowTest;

TEST_P(ResolveUri, follows_rfc_3986_section_5_4) {
  const Reference& row = GetParam();

  EXPECT_EQ(resolve_uri("http://a/b/c/d;p?q", row.text), row.target);
}

const std::vector<Reference> kNormalResolveUri = {
    {"scheme", "g:h", "g:h"},
    {"name", "g", "http://a/b/c/g"},
    {"dot_name", "./g", "http://a/b/c/g"},
    {"name_slash", "g/", "http://a/b/c/g/"},
    {"slash_name", "/g", "http://a/g"},
    {"authority", "//g", "http://g"},
    {"query", "?y", "http://a/b/c/d;p?y"},
    {"name_query", "g?y", "http://a/b/c/g?y"},
    {"fragment", "#s", "http://a/b/c/d;p?q#s"},
    {"name_fragment", "g#s", "http://a/b/c/g#s"},
    {"name_query_fragment", "g?y#s", "http://a/b/c/g?y#s"},
    {"parameter", ";x", "http://a/b/c/;x"},
    {"name_parameter", "g;x", "http://a/b/c/g;x"},
    {"name_parameter_query_fragment", "g;x?y#s", "http://a/b/c/g;x?y#s"},
    {"empty", "", "http://a/b/c/d;p?q"},
    {"dot", ".", "http://a/b/c/"},
    {"dot_slash", "./", "http://a/b/c/"},
    {"up", "..", "http://a/b/"},
    {"up_slash", "../", "http://a/b/"},
    {"up_name", "../g", "http://a/b/g"},
    {"up_up", "../..", "http://a/"},
    {"up_up_slash", "../../", "http://a/"},
    {"up_up_name", "../../g", "http://a/g"}};

INSTANTIATE_TEST_SUITE_P(Normal, ResolveUri,
                         testing::ValuesIn(spec::tests::rows(kNormalResolveUri)),
                         spec::tests::kRowNames);

const std::vector<Reference> kAbnormalResolveUri = {
    {"too_far_up", "../../../g", "http://a/g"},
    {"much_too_far_up", "../../../../g", "http://a/g"},
    {"slash_dot", "/./g", "http://a/g"},
    {"slash_up", "/../g", "http://a/g"},
    {"name_dot", "g.", "http://a/b/c/g."},
    {"dot_before", ".g", "http://a/b/c/.g"},
    {"name_dots", "g..", "http://a/b/c/g.."},
    {"dots_before", "..g", "http://a/b/c/..g"},
    {"dot_up_name", "./../g", "http://a/b/g"},
    {"dot_name_slash_dot", "./g/.", "http://a/b/c/g/"},
    {"name_dot_name", "g/./h", "http://a/b/c/g/h"},
    {"name_up_name", "g/../h", "http://a/b/c/h"},
    {"parameter_dot", "g;x=1/./y", "http://a/b/c/g;x=1/y"},
    {"parameter_up", "g;x=1/../y", "http://a/b/c/y"},
    {"query_dot", "g?y/./x", "http://a/b/c/g?y/./x"},
    {"query_up", "g?y/../x", "http://a/b/c/g?y/../x"},
    {"fragment_dot", "g#s/./x", "http://a/b/c/g#s/./x"},
    {"fragment_up", "g#s/../x", "http://a/b/c/g#s/../x"},
    {"same_scheme", "http:g", "http:g"}};

INSTANTIATE_TEST_SUITE_P(Abnormal, ResolveUri,
                         testing::ValuesIn(spec::tests::rows(kAbnormalResolveUri)),
                         spec::tests::kRowNames);

TEST(ResolveUriOf, other_bases_keeps_their_form) {
  EXPECT_EQ(resolve_uri("http://a", "b"), "http://a/b");
  EXPECT_EQ(resolve_uri("urn:example:root", "#/a"), "urn:example:root#/a");
  EXPECT_EQ(resolve_uri("file:///x/a.yaml", "b%20c.yaml#/d"), "file:///x/b%20c.yaml#/d");
  EXPECT_EQ(resolve_uri("contract.yaml", "#/a"), "contract.yaml#/a");
  EXPECT_EQ(resolve_uri("folder/contract.yaml", "other.yaml"), "folder/other.yaml");
}

TEST(FileUri, names_the_same_file_both_ways) {
  EXPECT_EQ(file_uri("/a b/é#?%.yaml"), "file:///a%20b/%C3%A9%23%3F%25.yaml");
  EXPECT_EQ(file_path("file:///a%20b/%C3%A9%23%3F%25.yaml"), "/a b/é#?%.yaml");
  EXPECT_EQ(file_path("file://localhost/a"), "/a");
  EXPECT_EQ(file_path("relative/a.yaml"), "relative/a.yaml");
  EXPECT_EQ(file_path("file://host/a"), std::nullopt);
  EXPECT_EQ(file_path("https://a/b"), std::nullopt);
  EXPECT_EQ(file_path("file:///a%00b"), std::nullopt);
  EXPECT_EQ(file_path("file:///a%zz"), std::nullopt);
  EXPECT_EQ(file_path("urn:a:b"), std::nullopt);
}

}  // namespace
}  // namespace spec::document
