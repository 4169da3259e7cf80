#pragma once

// The values of `enum` or `const`, looked up by hash. Built at load, then const.

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace spec::schema {

class ConstantSet {
 public:
  explicit ConstantSet(std::vector<nlohmann::json> values);

  // Equality of instances: 1 is 1.0 (JSON Schema 2020-12 Core §4.2.2).
  bool contains(const nlohmann::json& instance) const;
  // The index of the first value that equals it; none if there is none.
  std::optional<std::size_t> find(const nlohmann::json& instance) const;

  const std::vector<nlohmann::json>& values() const { return values_; }

 private:
  struct Text {
    std::uint64_t prefix = 0;  // prefix_of(the text)
    std::string text;
  };

  bool has_text(const std::string& text) const;

  std::vector<nlohmann::json> values_;
  std::vector<Text> texts_;           // the values, when all are strings and few
  std::vector<std::uint32_t> slots_;  // open addressing: 1 + index of the value, 0 if free
};

}  // namespace spec::schema
