#pragma once

// Valid instances of compiled schemas: a pure function of seed, schema and key. Examples, defaults
// and constants come first; other values look like what their names and formats say; recursion
// ends. Every instance was validated; if none is found, the failure has the reason. Made once
// after the last compile; safe from any thread.

#include "spec/document/document.hpp"
#include "spec/result.hpp"
#include "spec/schema/schema_set.hpp"
#include "spec/schema/validator/validate.hpp"

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spec::schema::generate {

// A value for members of that name if their schema allows it: the path's key, for one.
using Given = std::pair<std::string, nlohmann::json>;

// One of several instances of a schema: the first is as the examples say, others vary, and none
// has a name of another.
struct Row {
  std::uint64_t list_seed = 0;  // the same for all
  std::uint64_t number = 0;     // from 0 on
};

struct GenerateOptions {
  std::uint64_t seed = 0;
  std::string_view name;  // of a parameter or header; "" if there is none
  std::string_view key;   // of the instance's record; "" if there is none
  Direction direction = Direction::kNone;
  bool use_examples = true;  // `example`, `examples` and `default` of the schemas
  const std::vector<Given>* given = nullptr;
  std::chrono::seconds later{0};  // the instance's dates lie so much later than usual
  std::optional<Row> row;
  std::string currency;     // of responses; "": the one of all records
  std::string thing;        // what the instance is: a name that means "customer" or "product"
  bool is_success = false;  // members that only failures have are left out, null, false or empty
};

// The reason why there is no instance: the schema, and the reason in words.
struct GenerateFailure {
  document::Node schema;
  std::string message;
};

struct Context;

class Generator {
 public:
  // Keeps a reference to `schemas`, which must outlive it and grow no more.
  explicit Generator(const SchemaSet& schemas);
  ~Generator();
  Generator(Generator&&) noexcept;
  Generator& operator=(Generator&&) noexcept;

  Result<nlohmann::json, GenerateFailure> generate(SchemaId schema,
                                                   const GenerateOptions& options = {}) const;

 private:
  class Failures;

  Result<nlohmann::json, GenerateFailure> search_instance(SchemaId schema,
                                                          const GenerateOptions& options,
                                                          unsigned& budget) const;

  std::unique_ptr<const Context> context_;
  std::unique_ptr<Failures> failures_;  // that took long: they are not looked for again
};

}  // namespace spec::schema::generate
