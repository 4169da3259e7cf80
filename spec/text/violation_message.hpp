#pragma once

// The message of a violation as data: what must be, and what is. Formatted for people, and never
// parsed.

#include <compare>
#include <string>
#include <string_view>
#include <utility>

namespace spec::text {

struct ViolationMessage {
  std::string must;      // "must be at most 100"
  std::string is;        // "is 101"; "" if `must` is the whole message
  std::string property;  // the name of one that is missing; "" otherwise

  ViolationMessage() = default;

  ViolationMessage(const char* words) : must(words) {}

  ViolationMessage(std::string what_must, std::string what_is = {}, std::string missing = {})
      : must(std::move(what_must)), is(std::move(what_is)), property(std::move(missing)) {}

  // Appends to the message.
  ViolationMessage& operator+=(std::string_view more) {
    (is.empty() ? must : is) += more;
    return *this;
  }

  // "must be at most 100, but is 101".
  std::string text() const { return is.empty() ? must : must + ", but " + is; }

  friend auto operator<=>(const ViolationMessage&, const ViolationMessage&) = default;
};

}  // namespace spec::text
