// Keywords about a value itself. Source: JSON Schema 2020-12 Validation §6.1 to §6.4, §7.

#include "spec/json/number.hpp"
#include "spec/json/value.hpp"
#include "spec/schema/validator/text.hpp"
#include "spec/schema/validator/validator.hpp"
#include "spec/text/utf8.hpp"

#include <algorithm>
#include <compare>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace spec::schema::validator {
namespace {

constexpr std::size_t kFewItems = 8;
// Searches that met a limit before no more are begun: each takes some hundredths of a second.
constexpr std::size_t kMaxHardSearches = 20;

Verdict verdict_of(bool kept) {
  return kept ? Verdict::kValid : Verdict::kInvalid;
}

std::strong_ordering compare(const Json& number, const Bound& bound) {
  if (bound.whole && number.type() == Json::value_t::number_integer) {
    return *number.get_ptr<const Json::number_integer_t*>() <=> *bound.whole;
  }
  if (bound.whole && *bound.whole >= 0 && number.type() == Json::value_t::number_unsigned) {
    return *number.get_ptr<const Json::number_unsigned_t*>() <=>
           static_cast<std::uint64_t>(*bound.whole);
  }
  return json::compare_numbers(number, bound.value);
}

bool is_multiple(const Json& number, const Bound& divisor) {
  if (divisor.whole && number.type() == Json::value_t::number_unsigned) {
    return *number.get_ptr<const Json::number_unsigned_t*>() %
               static_cast<std::uint64_t>(*divisor.whole) ==
           0;
  }
  return json::is_multiple_of(number, divisor.value);
}

// Counting characters is needed only when bytes leave it open: each has one to four.
bool is_length_at_most(const std::string& text, std::uint64_t most) {
  return text.size() <= most || text::character_count(text) <= most;
}

bool is_length_at_least(const std::string& text, std::uint64_t least) {
  return text.size() >= least && (text.size() >= least * 4 || text::character_count(text) >= least);
}

const std::string& string_of(const Json& value) {
  return *value.get_ptr<const std::string*>();
}

bool has_format(const formats::Format& format, const Json& instance) {
  return format.test_string != nullptr ? format.test_string(string_of(instance))
                                       : format.test_number(instance);
}

}  // namespace

patterns::Search Validator::search(std::uint32_t pattern, const std::string& text) {
  if (!spend(1) || hard_searches_ >= kMaxHardSearches) {
    return patterns::Search::kUndecided;
  }
  const patterns::Search found = program_.patterns[pattern].search(text);
  if (found == patterns::Search::kUndecided) {
    ++hard_searches_;
  }
  return found;
}

Verdict Validator::test_pattern(std::uint32_t pattern, const Json& instance) {
  switch (search(pattern, string_of(instance))) {
    case patterns::Search::kFound: return Verdict::kValid;
    case patterns::Search::kNotFound: return Verdict::kInvalid;
    case patterns::Search::kUndecided: break;
  }
  return Verdict::kUndecided;
}

Verdict Validator::test_value(Keyword keyword, std::uint32_t operand, const Json& instance) {
  switch (keyword) {
    case Keyword::kType: return verdict_of((operand & type_of(instance)) != 0);
    case Keyword::kEnum:
    case Keyword::kConst: return verdict_of(program_.constants[operand].contains(instance));
    case Keyword::kMultipleOf: return verdict_of(is_multiple(instance, program_.bounds[operand]));
    case Keyword::kMaximum: return verdict_of(compare(instance, program_.bounds[operand]) <= 0);
    case Keyword::kExclusiveMaximum:
      return verdict_of(compare(instance, program_.bounds[operand]) < 0);
    case Keyword::kMinimum: return verdict_of(compare(instance, program_.bounds[operand]) >= 0);
    case Keyword::kExclusiveMinimum:
      return verdict_of(compare(instance, program_.bounds[operand]) > 0);
    case Keyword::kMaxLength: return verdict_of(is_length_at_most(string_of(instance), operand));
    case Keyword::kMinLength: return verdict_of(is_length_at_least(string_of(instance), operand));
    case Keyword::kPattern: return test_pattern(operand, instance);
    case Keyword::kFormat: return verdict_of(has_format(*program_.formats[operand], instance));
    case Keyword::kMaxItems:
    case Keyword::kMaxProperties: return verdict_of(instance.size() <= operand);
    case Keyword::kMinItems:
    case Keyword::kMinProperties: return verdict_of(instance.size() >= operand);
    case Keyword::kUniqueItems: return test_unique(instance);
    case Keyword::kFalse: return Verdict::kInvalid;
    default: return Verdict::kUndecided;  // kNotUnderstood
  }
}

// Few items are compared in pairs; many by hash, so that only equal hashes are compared.
Verdict Validator::test_unique(const Json& instance) {
  if (instance.size() <= kFewItems) {
    for (std::size_t i = 1; i < instance.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (json::equal(instance[i], instance[j])) {
          return Verdict::kInvalid;
        }
      }
    }
    return Verdict::kValid;
  }
  if (!spend(instance.size())) {
    return Verdict::kUndecided;
  }
  return verdict_of(!find_repeated(instance));
}

}  // namespace spec::schema::validator
