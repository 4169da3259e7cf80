#include "spec/schema/patterns/properties.hpp"

#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace spec::schema::patterns {
namespace {

struct PropertyName {
  std::string_view alias;
  std::string_view name;
};

// General_Category; PCRE2 knows the aliases alone.
constexpr std::array kCategories = std::to_array<PropertyName>({
    {"C", "Other"},
    {"Cc", "Control"},
    {"Cc", "cntrl"},
    {"Cf", "Format"},
    {"Cn", "Unassigned"},
    {"Co", "Private_Use"},
    {"Cs", "Surrogate"},
    {"L", "Letter"},
    {"LC", "Cased_Letter"},
    {"Ll", "Lowercase_Letter"},
    {"Lm", "Modifier_Letter"},
    {"Lo", "Other_Letter"},
    {"Lt", "Titlecase_Letter"},
    {"Lu", "Uppercase_Letter"},
    {"M", "Combining_Mark"},
    {"M", "Mark"},
    {"Mc", "Spacing_Mark"},
    {"Me", "Enclosing_Mark"},
    {"Mn", "Nonspacing_Mark"},
    {"N", "Number"},
    {"Nd", "Decimal_Number"},
    {"Nd", "digit"},
    {"Nl", "Letter_Number"},
    {"No", "Other_Number"},
    {"P", "Punctuation"},
    {"P", "punct"},
    {"Pc", "Connector_Punctuation"},
    {"Pd", "Dash_Punctuation"},
    {"Pe", "Close_Punctuation"},
    {"Pf", "Final_Punctuation"},
    {"Pi", "Initial_Punctuation"},
    {"Po", "Other_Punctuation"},
    {"Ps", "Open_Punctuation"},
    {"S", "Symbol"},
    {"Sc", "Currency_Symbol"},
    {"Sk", "Modifier_Symbol"},
    {"Sm", "Math_Symbol"},
    {"So", "Other_Symbol"},
    {"Z", "Separator"},
    {"Zl", "Line_Separator"},
    {"Zp", "Paragraph_Separator"},
    {"Zs", "Space_Separator"},
});

// The binary properties of ECMAScript, but for Any, ASCII and Assigned.
constexpr std::array kBinaryProperties = std::to_array<PropertyName>({
    {"AHex", "ASCII_Hex_Digit"},
    {"Alpha", "Alphabetic"},
    {"Bidi_C", "Bidi_Control"},
    {"Bidi_M", "Bidi_Mirrored"},
    {"CI", "Case_Ignorable"},
    {"CWCF", "Changes_When_Casefolded"},
    {"CWCM", "Changes_When_Casemapped"},
    {"CWKCF", "Changes_When_NFKC_Casefolded"},
    {"CWL", "Changes_When_Lowercased"},
    {"CWT", "Changes_When_Titlecased"},
    {"CWU", "Changes_When_Uppercased"},
    {"Cased", "Cased"},
    {"DI", "Default_Ignorable_Code_Point"},
    {"Dash", "Dash"},
    {"Dep", "Deprecated"},
    {"Dia", "Diacritic"},
    {"EBase", "Emoji_Modifier_Base"},
    {"EComp", "Emoji_Component"},
    {"EMod", "Emoji_Modifier"},
    {"EPres", "Emoji_Presentation"},
    {"Emoji", "Emoji"},
    {"Ext", "Extender"},
    {"ExtPict", "Extended_Pictographic"},
    {"Gr_Base", "Grapheme_Base"},
    {"Gr_Ext", "Grapheme_Extend"},
    {"Hex", "Hex_Digit"},
    {"IDC", "ID_Continue"},
    {"IDS", "ID_Start"},
    {"IDSB", "IDS_Binary_Operator"},
    {"IDST", "IDS_Trinary_Operator"},
    {"Ideo", "Ideographic"},
    {"Join_C", "Join_Control"},
    {"LOE", "Logical_Order_Exception"},
    {"Lower", "Lowercase"},
    {"Math", "Math"},
    {"NChar", "Noncharacter_Code_Point"},
    {"Pat_Syn", "Pattern_Syntax"},
    {"Pat_WS", "Pattern_White_Space"},
    {"QMark", "Quotation_Mark"},
    {"RI", "Regional_Indicator"},
    {"Radical", "Radical"},
    {"SD", "Soft_Dotted"},
    {"STerm", "Sentence_Terminal"},
    {"Term", "Terminal_Punctuation"},
    {"UIdeo", "Unified_Ideograph"},
    {"Upper", "Uppercase"},
    {"VS", "Variation_Selector"},
    {"XIDC", "XID_Continue"},
    {"XIDS", "XID_Start"},
    {"space", "White_Space"},
});

const PropertyName* find(std::span<const PropertyName> properties, std::string_view name) {
  const auto found = std::ranges::find_if(properties, [name](const PropertyName& each) {
    return each.alias == name || each.name == name;
  });
  return found == properties.end() ? nullptr : &*found;
}

std::string escape(std::string_view prefix, std::string_view name, bool negated) {
  std::string text = negated ? "\\P{" : "\\p{";
  text.append(prefix).append(name) += '}';
  return text;
}

std::optional<std::string> category_escape(std::string_view name, bool negated) {
  const PropertyName* category = find(kCategories, name);
  return category == nullptr ? std::nullopt : std::optional(escape("", category->alias, negated));
}

// Script names begin with a capital letter; PCRE2, which does not mind case, knows them all.
bool is_script_name(std::string_view name) {
  return name.size() >= 2 && name[0] >= 'A' && name[0] <= 'Z' &&
         std::ranges::all_of(name, [](char byte) { return text::is_letter(byte) || byte == '_'; });
}

std::optional<std::string> valued_escape(std::string_view name, std::string_view value,
                                         bool negated) {
  if (name == "General_Category" || name == "gc") {
    return category_escape(value, negated);
  }
  if ((name == "Script" || name == "sc") && is_script_name(value)) {
    return escape("sc:", value, negated);
  }
  if ((name == "Script_Extensions" || name == "scx") && is_script_name(value)) {
    return escape("scx:", value, negated);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> property_escape(std::string_view expression, bool negated) {
  if (const std::size_t equals = expression.find('='); equals != std::string_view::npos) {
    return valued_escape(expression.substr(0, equals), expression.substr(equals + 1), negated);
  }
  if (auto category = category_escape(expression, negated)) {
    return category;
  }
  if (expression == "Any" || expression == "ASCII") {
    return escape("", expression, negated);
  }
  if (expression == "Assigned") {
    return escape("", "Cn", !negated);
  }
  return find(kBinaryProperties, expression) == nullptr
             ? std::nullopt
             : std::optional(escape("", expression, negated));
}

}  // namespace spec::schema::patterns
