// The JSON reader against nlohmann_json's own parser and against itself: whatever it accepts the
// other accepts too and both mean the same; what it writes reads back as equal; the offset of an
// error is the first byte that cannot be there.

#include "spec/json/number.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using nlohmann::json;

void demand(bool kept) {
  if (!kept) {
    std::abort();
  }
}

// True for errors that only we report: duplicates, depth, exponents, and bytes behind a NUL.
bool is_stricter(const spec::json::ReadError& error) {
  return error.message.starts_with("duplicate member ") ||
         error.message.starts_with("nested deeper") ||
         error.message.starts_with("the exponent has") ||
         error.message.find("byte order mark") != std::string::npos ||
         error.message.ends_with("byte 0x00");
}

// nlohmann_json has the nearest double of a number that has no exact form there, and rejects one
// beyond all doubles.
bool same(const json& ours, const json& theirs) {
  if (spec::json::is_number(ours)) {
    return theirs.is_number() && spec::json::to_double(ours) == theirs.get<double>();
  }
  if (ours.type() != theirs.type() || ours.size() != theirs.size()) {
    return false;
  }
  if (!ours.is_structured()) {
    return ours == theirs;
  }
  for (auto a = ours.begin(), b = theirs.begin(); a != ours.end(); ++a, ++b) {
    if ((ours.is_object() && a.key() != b.key()) || !same(*a, *b)) {
      return false;
    }
  }
  return true;
}

void check_value(std::string_view text, const json& value) {
  const std::string written = spec::json::write(value);
  const auto again = spec::json::read(written);
  demand(again && spec::json::equal(*again, value));
  demand(spec::json::hash(*again) == spec::json::hash(value));
  demand(spec::json::write(*again) == written);
  const auto pretty = spec::json::read(spec::json::write_pretty(value));
  demand(pretty && spec::json::equal(*pretty, value));
  try {
    demand(same(value, json::parse(text)));
  } catch (const json::out_of_range&) {
    // A number beyond all doubles: 406 there, exact here.
  }
}

void check_error(std::string_view text, const spec::json::ReadError& error) {
  demand(error.byte_offset <= text.size());
  demand(error.message.size() <= 200 && !error.message.empty());
  const auto before = spec::json::read(text.substr(0, error.byte_offset));
  demand(before || before.error().byte_offset == error.byte_offset);
  demand(is_stricter(error) || !json::accept(text));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto value = spec::json::read(text);
  if (value) {
    check_value(text, *value);
  } else {
    check_error(text, value.error());
  }
  return 0;
}
