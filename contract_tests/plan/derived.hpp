#pragma once

// Values derived from a subject: ${unknown.NAME} and others. They look so similar that a faulty
// service accepts them. Pure functions.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace contract_tests::plan {

// Turns letters and digits of the last part of `value` ("cus_abc" -> after "_") into others, so
// that kind and length stay and the value does not exist. A pure function.
std::string unknown_like(std::string_view value);

// `value` with every ASCII letter from `start` on in the other case.
std::string other_case(std::string_view value, std::size_t start = 0);

// A name that is derived ("cut.customer") taken apart: the subject's name and what becomes of the
// subject's value. Nothing when the name is not derived.
//   unknown: other letters and digits     cut: without the last character
//   half: the first half                  tail: another second half
//   third: the first third                case: every letter in the other case
//   basic: base64 of the value as basic credentials; a value without a colon is the name
//   bare: without its hyphens
//   number: itself; in JSON a number instead of a text
//   swapped: letters behind the last "_" in the other case
struct Derived {
  std::string_view subject;
  std::string (*make)(std::string_view value);
};

std::optional<Derived> find_derived(std::string_view name);

// The subject that `name` needs: itself, unless it is derived of another.
std::string_view subject_of(std::string_view name);

}  // namespace contract_tests::plan
