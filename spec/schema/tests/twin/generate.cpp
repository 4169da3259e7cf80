#include "spec/schema/tests/twin/generate.hpp"

#include "spec/json/number.hpp"

#include <array>
#include <iterator>
#include <string>

namespace spec::schema::twin {

namespace {

using nlohmann::json;

constexpr std::array kNames{"a", "b", "ab", "x-1", ""};
constexpr std::array kTexts{"", "a", "ab", "abc", "d1", "d2", "2024-02-29", "é", "\U0001F600", "1"};
constexpr std::array kNumbers{"0",
                              "-0",
                              "1",
                              "1.0",
                              "2",
                              "3",
                              "-1",
                              "1.5",
                              "0.1",
                              "0.07",
                              "0.01",
                              "1e2",
                              "100",
                              "9007199254740992",
                              "9007199254740993",
                              "9007199254740993.0",
                              "18446744073709551616",
                              "1e400",
                              "-1e400"};
constexpr std::array kDivisors{"1", "2", "0.01", "0.1", "1.5", "3", "1e-3"};
constexpr std::array kPatterns{"a", "^a", "b$", "^.?$", "[0-9]", "^x-", "(a|b)+$", "^\\S*$"};
constexpr std::array kTypes{"null", "boolean", "integer", "number", "string", "array", "object"};
constexpr int kDefinitions = 4;
constexpr int kAnywhere = -1;  // a place where every definition may be named

// splitmix64: small, and the same everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }

  int below(int bound) { return static_cast<int>(next() % static_cast<std::uint64_t>(bound)); }

  bool one_in(int n) { return below(n) == 0; }

  template <typename Pool>
  auto pick(const Pool& pool) {
    return pool[static_cast<std::size_t>(below(static_cast<int>(std::size(pool))))];
  }

 private:
  std::uint64_t state_;
};

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  json root() {
    json schema = object_schema(3, kDefinitions);
    schema["$id"] = "https://example.test/root";
    if (random_.one_in(3)) {
      schema["$dynamicAnchor"] = "node";
    }
    json definitions = json::object();
    for (int i = 0; i < kDefinitions; ++i) {
      definitions["d" + std::to_string(i)] = definition(i);
    }
    schema["$defs"] = std::move(definitions);
    return schema;
  }

  json value(int depth) {
    const int kind = random_.below(depth > 0 ? 9 : 6);
    if (kind < 2) {
      return json(random_.pick(kTexts));
    }
    if (kind < 4) {
      return spec::json::make_number(random_.pick(kNumbers));
    }
    if (kind < 6) {
      return random_.one_in(2) ? json(nullptr) : json(random_.one_in(2));
    }
    return kind == 6 ? array(depth) : object(depth);
  }

 private:
  // `floor`: in place, only definitions above it may be named, so that no chain of references comes
  // back; kAnywhere inside child applicators, where the instance gets smaller.
  json schema(int depth, int floor) {
    if (random_.one_in(12)) {
      return json(!random_.one_in(3));
    }
    return object_schema(depth, floor);
  }

  json definition(int index) {
    json made = object_schema(1, index);
    if (random_.one_in(4)) {
      made["$anchor"] = "n" + std::to_string(index);
    }
    if (random_.one_in(4)) {
      made["$id"] = "https://example.test/d" + std::to_string(index);
      made["$dynamicAnchor"] = "node";
      if (random_.one_in(2)) {
        made["properties"]["a"] = {{"$dynamicRef", "#node"}};
      }
    }
    return made;
  }

  json object_schema(int depth, int floor) {
    json made = json::object();
    for (int count = 1 + random_.below(3); count > 0; --count) {
      keyword(made, depth, floor);
    }
    return made;
  }

  void keyword(json& made, int depth, int floor) {
    switch (random_.below(depth > 0 ? 8 : 4)) {
      case 0: return value_keyword(made);
      case 1: return number_keyword(made);
      case 2: return text_keyword(made);
      case 3: return size_keyword(made);
      case 4: return logic_keyword(made, depth - 1, floor);
      case 5: return array_keyword(made, depth - 1);
      case 6: return object_keyword(made, depth - 1);
      default: return reference_keyword(made, floor);
    }
  }

  void value_keyword(json& made) {
    switch (random_.below(3)) {
      case 0: made["type"] = random_.pick(kTypes); return;
      case 1: made["const"] = value(1); return;
      default: made["enum"] = json::array({value(1), value(0), value(0)}); return;
    }
  }

  void number_keyword(json& made) {
    static constexpr std::array kBounds{"minimum", "maximum", "exclusiveMinimum",
                                        "exclusiveMaximum"};
    if (random_.one_in(3)) {
      made["multipleOf"] = spec::json::make_number(random_.pick(kDivisors));
    } else {
      made[random_.pick(kBounds)] = spec::json::make_number(random_.pick(kNumbers));
    }
  }

  void text_keyword(json& made) {
    if (random_.one_in(2)) {
      made["pattern"] = random_.pick(kPatterns);
    } else {
      made[random_.one_in(2) ? "minLength" : "maxLength"] = random_.below(4);
    }
  }

  void size_keyword(json& made) {
    static constexpr std::array kSizes{"minItems", "maxItems", "minProperties", "maxProperties"};
    switch (random_.below(4)) {
      case 0: made["uniqueItems"] = random_.one_in(2); return;
      case 1: made["required"] = json::array({random_.pick(kNames)}); return;
      case 2:
        made["dependentRequired"] = {{random_.pick(kNames), json::array({random_.pick(kNames)})}};
        return;
      default: made[random_.pick(kSizes)] = random_.below(4); return;
    }
  }

  void logic_keyword(json& made, int depth, int floor) {
    switch (random_.below(6)) {
      case 0: made["not"] = schema(depth, floor); return;
      case 1: made["allOf"] = json::array({schema(depth, floor), schema(depth, floor)}); return;
      case 2: return alternatives(made, "anyOf", depth, floor);
      case 3: return alternatives(made, "oneOf", depth, floor);
      case 4: made["dependentSchemas"] = {{random_.pick(kNames), schema(depth, floor)}}; return;
      default:
        made["if"] = schema(depth, floor);
        made["then"] = schema(depth, floor);
        made["else"] = schema(depth, floor);
        return;
    }
  }

  void alternatives(json& made, const char* keyword, int depth, int floor) {
    made[keyword] = json::array({schema(depth, floor), schema(depth, floor)});
    if (random_.one_in(3)) {
      made["discriminator"] = {{"propertyName", random_.pick(kNames)}};
      if (random_.one_in(2)) {
        made["discriminator"]["mapping"] = {{random_.pick(kTexts), definition_uri(0)}};
      }
    }
  }

  static std::string definition_uri(int index) {
    return "https://example.test/root#/$defs/d" + std::to_string(index);
  }

  void array_keyword(json& made, int depth) {
    switch (random_.below(4)) {
      case 0: made["items"] = schema(depth, kAnywhere); return;
      case 1:
        made["prefixItems"] = json::array({schema(depth, kAnywhere), schema(depth, kAnywhere)});
        return;
      case 2:
        made["contains"] = schema(depth, kAnywhere);
        made[random_.one_in(2) ? "minContains" : "maxContains"] = random_.below(3);
        return;
      default: made["unevaluatedItems"] = schema(depth, kAnywhere); return;
    }
  }

  void object_keyword(json& made, int depth) {
    switch (random_.below(5)) {
      case 0:
        for (int i = 0; i < 2; ++i) {
          made["properties"][random_.pick(kNames)] = schema(depth, kAnywhere);
        }
        return;
      case 1: made["patternProperties"][random_.pick(kPatterns)] = schema(depth, kAnywhere); return;
      case 2: made["additionalProperties"] = schema(depth, kAnywhere); return;
      case 3: made["propertyNames"] = schema(depth, kAnywhere); return;
      default: made["unevaluatedProperties"] = schema(depth, kAnywhere); return;
    }
  }

  void reference_keyword(json& made, int floor) {
    const int lowest = floor + 1;
    if (lowest >= kDefinitions) {
      return value_keyword(made);
    }
    const int index = lowest + random_.below(kDefinitions - lowest);
    made["$ref"] = definition_uri(index);
    if (floor == kAnywhere && random_.one_in(4)) {
      made["$ref"] = "https://example.test/root";
    }
  }

  json array(int depth) {
    json made = json::array();
    for (int count = random_.below(4); count > 0; --count) {
      made.push_back(value(depth - 1));
    }
    return made;
  }

  json object(int depth) {
    json made = json::object();
    for (int count = random_.below(4); count > 0; --count) {
      made[random_.pick(kNames)] = value(depth - 1);
    }
    return made;
  }

  Random random_;
};

}  // namespace

Pair generate(std::uint64_t seed) {
  Generator generator(seed);
  json schema = generator.root();
  json instance = generator.value(3);
  return {std::move(schema), std::move(instance), seed % 2 == 1};
}

}  // namespace spec::schema::twin
