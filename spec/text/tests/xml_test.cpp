#include "spec/text/xml.hpp"

#include <gtest/gtest.h>

namespace spec::text {
namespace {

TEST(EscapeXml, writes_what_has_a_meaning_as_references) {
  EXPECT_EQ(escape_xml("a<b> & \"c\"\n\td'é"), "a&lt;b&gt; &amp; &quot;c&quot;&#10;&#9;d'é");
}

TEST(EscapeXml, leaves_out_what_xml_cannot_write) {
  EXPECT_EQ(escape_xml("\x01|\xFF|\xEF\xBF\xBE|\xEF\xBF\xBF|\xEF\xBF\xBD"), "?|?|?|?|\xEF\xBF\xBD");
}

}  // namespace
}  // namespace spec::text
