#include "spec/document/uri.hpp"

#include "spec/document/load.hpp"
#include "spec/tests/row_names.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace spec::document {
namespace {

struct Reference {
  std::string name;
  std::string text;
  std::string target;
};

void PrintTo(const Reference& reference, std::ostream* out) {
  *out << reference.text;
}

class ResolveUri : public testing::TestWithParam<Reference> {};

TEST_P(ResolveUri, follows_rfc_3986_section_5_4) {
  EXPECT_EQ(resolve_uri("http://a/b/c/d;p?q", GetParam().text), GetParam().target);
}

INSTANTIATE_TEST_SUITE_P(
    Normal, ResolveUri,
    testing::Values(
        Reference{"scheme", "g:h", "g:h"}, Reference{"name", "g", "http://a/b/c/g"},
        Reference{"dot_name", "./g", "http://a/b/c/g"},
        Reference{"name_slash", "g/", "http://a/b/c/g/"},
        Reference{"slash_name", "/g", "http://a/g"}, Reference{"authority", "//g", "http://g"},
        Reference{"query", "?y", "http://a/b/c/d;p?y"},
        Reference{"name_query", "g?y", "http://a/b/c/g?y"},
        Reference{"fragment", "#s", "http://a/b/c/d;p?q#s"},
        Reference{"name_fragment", "g#s", "http://a/b/c/g#s"},
        Reference{"name_query_fragment", "g?y#s", "http://a/b/c/g?y#s"},
        Reference{"parameter", ";x", "http://a/b/c/;x"},
        Reference{"name_parameter", "g;x", "http://a/b/c/g;x"},
        Reference{"name_parameter_query_fragment", "g;x?y#s", "http://a/b/c/g;x?y#s"},
        Reference{"empty", "", "http://a/b/c/d;p?q"}, Reference{"dot", ".", "http://a/b/c/"},
        Reference{"dot_slash", "./", "http://a/b/c/"}, Reference{"up", "..", "http://a/b/"},
        Reference{"up_slash", "../", "http://a/b/"}, Reference{"up_name", "../g", "http://a/b/g"},
        Reference{"up_up", "../..", "http://a/"}, Reference{"up_up_slash", "../../", "http://a/"},
        Reference{"up_up_name", "../../g", "http://a/g"}),
    tests::kRowNames);

INSTANTIATE_TEST_SUITE_P(
    Abnormal, ResolveUri,
    testing::Values(Reference{"too_far_up", "../../../g", "http://a/g"},
                    Reference{"much_too_far_up", "../../../../g", "http://a/g"},
                    Reference{"slash_dot", "/./g", "http://a/g"},
                    Reference{"slash_up", "/../g", "http://a/g"},
                    Reference{"name_dot", "g.", "http://a/b/c/g."},
                    Reference{"dot_before", ".g", "http://a/b/c/.g"},
                    Reference{"name_dots", "g..", "http://a/b/c/g.."},
                    Reference{"dots_before", "..g", "http://a/b/c/..g"},
                    Reference{"dot_up_name", "./../g", "http://a/b/g"},
                    Reference{"dot_name_slash_dot", "./g/.", "http://a/b/c/g/"},
                    Reference{"name_dot_name", "g/./h", "http://a/b/c/g/h"},
                    Reference{"name_up_name", "g/../h", "http://a/b/c/h"},
                    Reference{"parameter_dot", "g;x=1/./y", "http://a/b/c/g;x=1/y"},
                    Reference{"parameter_up", "g;x=1/../y", "http://a/b/c/y"},
                    Reference{"query_dot", "g?y/./x", "http://a/b/c/g?y/./x"},
                    Reference{"query_up", "g?y/../x", "http://a/b/c/g?y/../x"},
                    Reference{"fragment_dot", "g#s/./x", "http://a/b/c/g#s/./x"},
                    Reference{"fragment_up", "g#s/../x", "http://a/b/c/g#s/../x"},
                    Reference{"same_scheme", "http:g", "http:g"}),
    tests::kRowNames);

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
