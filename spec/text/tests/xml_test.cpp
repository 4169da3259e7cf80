#include "spec/text/encoding.hpp"

#include <gtest/gtest.h>

namespace spec::text {
namespace {

TEST(EscapeXml, writes_what_has_a_meaning_as_references) {
  EXPECT_EQ(escape_xml("a<b> & \"c\"\n\td'é"), "a&lt;b&gt; &amp; &quot;c&quot;&#10;&#9;d'é");
}

TEST(EscapeXml, leaves_out_what_xml_cannot_write) {
  EXPECT_EQ(escape_xml("\x01|\xFF|\xEF\xBF\xBE|\xEF\xBF\xBF|\xEF\xBF\xBD"), "?|?|?|?|\xEF\xBF\xBD");
}

TEST(JsonInScript, cannot_end_the_element) {
  EXPECT_EQ(json_in_script(R"({"a":"</script><!--"})"), R"({"a":"\u003c/script>\u003c!--"})");
}

TEST(FillHole, looks_for_the_first_one) {
  std::string page = "a{{b}}c{{b}}";

  fill_hole(page, "{{b}}", "d");

  EXPECT_EQ(page, "adc{{b}}");
}

}  // namespace
}  // namespace spec::text
