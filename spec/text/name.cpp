#include "spec/text/name.hpp"

#include "spec/text/ascii.hpp"

namespace spec::text {

std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (is_letter_or_digit(c)) {
      plain += to_lower(c);
    }
  }
  return plain;
}

std::string singular(std::string_view plural) {
  const std::string word(plural);
  if (word.size() > 4 && word.ends_with("ies")) {
    return word.substr(0, word.size() - 3) + 'y';
  }
  for (const std::string_view ending : {"sses", "xes", "ches", "shes"}) {
    if (word.ends_with(ending) && !word.ends_with("caches")) {
      return word.substr(0, word.size() - 2);
    }
  }
  return word.size() > 1 && word.ends_with('s') && !word.ends_with("ss")
             ? word.substr(0, word.size() - 1)
             : word;
}

}  // namespace spec::text
