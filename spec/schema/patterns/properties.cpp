#include "spec/schema/patterns/properties.hpp"

#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace spec::schema::patterns {
namespace {

using Alias = std::pair<std::string_view, std::string_view>;

// General_Category: long names and aliases to the short name that PCRE2 knows.
constexpr std::array kCategories = std::to_array<Alias>({
    {"C", "C"},
    {"Cased_Letter", "LC"},
    {"Cc", "Cc"},
    {"Cf", "Cf"},
    {"Close_Punctuation", "Pe"},
    {"Cn", "Cn"},
    {"Co", "Co"},
    {"Combining_Mark", "M"},
    {"Connector_Punctuation", "Pc"},
    {"Control", "Cc"},
    {"Cs", "Cs"},
    {"Currency_Symbol", "Sc"},
    {"Dash_Punctuation", "Pd"},
    {"Decimal_Number", "Nd"},
    {"Enclosing_Mark", "Me"},
    {"Final_Punctuation", "Pf"},
    {"Format", "Cf"},
    {"Initial_Punctuation", "Pi"},
    {"L", "L"},
    {"LC", "LC"},
    {"Letter", "L"},
    {"Letter_Number", "Nl"},
    {"Line_Separator", "Zl"},
    {"Ll", "Ll"},
    {"Lm", "Lm"},
    {"Lo", "Lo"},
    {"Lowercase_Letter", "Ll"},
    {"Lt", "Lt"},
    {"Lu", "Lu"},
    {"M", "M"},
    {"Mark", "M"},
    {"Math_Symbol", "Sm"},
    {"Mc", "Mc"},
    {"Me", "Me"},
    {"Mn", "Mn"},
    {"Modifier_Letter", "Lm"},
    {"Modifier_Symbol", "Sk"},
    {"N", "N"},
    {"Nd", "Nd"},
    {"Nl", "Nl"},
    {"No", "No"},
    {"Nonspacing_Mark", "Mn"},
    {"Number", "N"},
    {"Open_Punctuation", "Ps"},
    {"Other", "C"},
    {"Other_Letter", "Lo"},
    {"Other_Number", "No"},
    {"Other_Punctuation", "Po"},
    {"Other_Symbol", "So"},
    {"P", "P"},
    {"Paragraph_Separator", "Zp"},
    {"Pc", "Pc"},
    {"Pd", "Pd"},
    {"Pe", "Pe"},
    {"Pf", "Pf"},
    {"Pi", "Pi"},
    {"Po", "Po"},
    {"Private_Use", "Co"},
    {"Ps", "Ps"},
    {"Punctuation", "P"},
    {"S", "S"},
    {"Sc", "Sc"},
    {"Separator", "Z"},
    {"Sk", "Sk"},
    {"Sm", "Sm"},
    {"So", "So"},
    {"Space_Separator", "Zs"},
    {"Spacing_Mark", "Mc"},
    {"Surrogate", "Cs"},
    {"Symbol", "S"},
    {"Titlecase_Letter", "Lt"},
    {"Unassigned", "Cn"},
    {"Uppercase_Letter", "Lu"},
    {"Z", "Z"},
    {"Zl", "Zl"},
    {"Zp", "Zp"},
    {"Zs", "Zs"},
    {"cntrl", "Cc"},
    {"digit", "Nd"},
    {"punct", "P"},
});

// The binary properties of ECMAScript, long names and aliases, but for Any, ASCII and Assigned.
constexpr std::array kBinaryProperties = std::to_array<std::string_view>({
    "AHex",
    "ASCII_Hex_Digit",
    "Alpha",
    "Alphabetic",
    "Bidi_C",
    "Bidi_Control",
    "Bidi_M",
    "Bidi_Mirrored",
    "CI",
    "CWCF",
    "CWCM",
    "CWKCF",
    "CWL",
    "CWT",
    "CWU",
    "Case_Ignorable",
    "Cased",
    "Changes_When_Casefolded",
    "Changes_When_Casemapped",
    "Changes_When_Lowercased",
    "Changes_When_NFKC_Casefolded",
    "Changes_When_Titlecased",
    "Changes_When_Uppercased",
    "DI",
    "Dash",
    "Default_Ignorable_Code_Point",
    "Dep",
    "Deprecated",
    "Dia",
    "Diacritic",
    "EBase",
    "EComp",
    "EMod",
    "EPres",
    "Emoji",
    "Emoji_Component",
    "Emoji_Modifier",
    "Emoji_Modifier_Base",
    "Emoji_Presentation",
    "Ext",
    "ExtPict",
    "Extended_Pictographic",
    "Extender",
    "Gr_Base",
    "Gr_Ext",
    "Grapheme_Base",
    "Grapheme_Extend",
    "Hex",
    "Hex_Digit",
    "IDC",
    "IDS",
    "IDSB",
    "IDST",
    "IDS_Binary_Operator",
    "IDS_Trinary_Operator",
    "ID_Continue",
    "ID_Start",
    "Ideo",
    "Ideographic",
    "Join_C",
    "Join_Control",
    "LOE",
    "Logical_Order_Exception",
    "Lower",
    "Lowercase",
    "Math",
    "NChar",
    "Noncharacter_Code_Point",
    "Pat_Syn",
    "Pat_WS",
    "Pattern_Syntax",
    "Pattern_White_Space",
    "QMark",
    "Quotation_Mark",
    "RI",
    "Radical",
    "Regional_Indicator",
    "SD",
    "STerm",
    "Sentence_Terminal",
    "Soft_Dotted",
    "Term",
    "Terminal_Punctuation",
    "UIdeo",
    "Unified_Ideograph",
    "Upper",
    "Uppercase",
    "VS",
    "Variation_Selector",
    "White_Space",
    "XIDC",
    "XIDS",
    "XID_Continue",
    "XID_Start",
    "space",
});

std::string escape(std::string_view prefix, std::string_view name, bool negated) {
  std::string text = negated ? "\\P{" : "\\p{";
  text.append(prefix).append(name) += '}';
  return text;
}

std::optional<std::string> category_escape(std::string_view name, bool negated) {
  const auto* const found = std::ranges::lower_bound(kCategories, name, {}, &Alias::first);
  if (found == kCategories.end() || found->first != name) {
    return std::nullopt;
  }
  return escape("", found->second, negated);
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
  if (std::ranges::binary_search(kBinaryProperties, expression)) {
    return escape("", expression, negated);
  }
  return std::nullopt;
}

}  // namespace spec::schema::patterns
