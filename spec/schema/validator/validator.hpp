#pragma once

// Validates an instance against a compiled schema, yes or no, without messages and usually without
// allocation. Bounded in depth and in steps. One Validator serves one instance, on one thread. Used
// only by this folder.

#include "spec/schema/program.hpp"
#include "spec/schema/validator/validate.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace spec::schema::validator {

// The members or elements of one instance that have been evaluated, for unevaluatedProperties and
// unevaluatedItems: a set of their places, on the stack while they are few. Used only by this
// folder.
class EvaluatedParts {
 public:
  // Takes the number of members or elements of the instance.
  explicit EvaluatedParts(std::size_t size) : size_(size) {
    if (size > kFew) {
      many_.resize((size + 63) / 64);
    }
  }

  std::size_t size() const { return size_; }

  void mark(std::size_t place) { words()[place / 64] |= std::uint64_t{1} << (place % 64); }

  void mark_all() { all_ = true; }

  bool has(std::size_t place) const {
    return all_ || ((words()[place / 64] >> (place % 64)) & 1U) != 0;
  }

  bool has_all() const { return all_; }

  // Adds the parts in `other`, which is about the same instance.
  void merge(const EvaluatedParts& other) {
    all_ = all_ || other.all_;
    uncertain_ = uncertain_ || other.uncertain_;
    for (std::size_t i = 0; i < (size_ + 63) / 64; ++i) {
      words()[i] |= other.words()[i];
    }
  }

  // Notes that a limit was reached where more might have been evaluated.
  void mark_uncertain() { uncertain_ = true; }

  bool uncertain() const { return uncertain_; }

 private:
  static constexpr std::size_t kFew = 256;

  std::uint64_t* words() { return size_ > kFew ? many_.data() : few_.data(); }

  const std::uint64_t* words() const { return size_ > kFew ? many_.data() : few_.data(); }

  std::size_t size_;
  bool all_ = false;
  bool uncertain_ = false;
  std::array<std::uint64_t, kFew / 64> few_{};
  std::vector<std::uint64_t> many_;
};

using Json = nlohmann::json;

// A schema that is being applied: the dynamic scope, and who applied it.
struct Frame {
  const Frame* outer = nullptr;
  SchemaId schema = 0;
  const Json* instance = nullptr;
  EvaluatedParts* evaluated = nullptr;  // null when it is not needed
  std::uint32_t depth = 0;

  void mark(std::size_t place) const {
    if (evaluated != nullptr) {
      evaluated->mark(place);
    }
  }

  void mark_all() const {
    if (evaluated != nullptr) {
      evaluated->mark_all();
    }
  }

  void mark_uncertain() const {
    if (evaluated != nullptr) {
      evaluated->mark_uncertain();
    }
  }
};

// Beyond this depth of schemas that are applied inside each other the verdict is undecided. A whole
// instance may be 128 levels deep, and each level a chain of references.
inline constexpr std::uint32_t kMaxDepth = 2000;

// True if `types` has that of `value`, whose quick_type_of() is `type`. Decides whether a number is
// whole only if it matters.
inline bool allows(TypeSet types, const Json& value, TypeSet type) {
  return (types & type) == type ||
         (type == kNumberType && (types & kNumberType) != 0 && (types & type_of(value)) != 0);
}

class Validator {
 public:
  Validator(const Program& program, const ValidateOptions& options)
      : program_(program),
        entries_(program.entries.data()),
        steps_of_all_(program.steps.data()),
        options_(options) {}

  // Checks `instance` against a schema, applied from `outer` (null at the start). Adds the
  // evaluated parts to `evaluated`, unless the verdict is kInvalid.
  Verdict check(SchemaId schema, const Json& instance, const Frame* outer,
                EvaluatedParts* evaluated = nullptr) {
    const Entry& at = entries_[schema];
    const TypeSet type = quick_type_of(instance);
    if (!allows(at.types, instance, type)) {
      return Verdict::kInvalid;
    }
    if (at.step_count == 0) {
      return Verdict::kValid;
    }
    return at.plain ? run_plain(at, instance, type, evaluated)
                    : run(at, instance, type, outer, evaluated);
  }

  // Checks one rule or step of the schema of `frame`.
  Verdict test(Keyword keyword, std::uint32_t operand, const Frame& frame);

  // Checks that the value of the discriminator in the instance selects an alternative. Without a
  // text as value, the alternatives decide.
  static Verdict test_discriminator(const DiscriminatorTable& table, const Json& object);

  // The verdict on a required `name` that is missing from the instance of `frame`: kValid if it is
  // readOnly in a request or writeOnly in a response.
  Verdict absence(std::string_view name, const Frame& frame);

  // The target of a dynamic reference in the scope of `frame`.
  SchemaId dynamic_target(const DynamicTable& table, const Frame& frame);

  // Counts steps; false if there were too many.
  bool spend(std::size_t steps) {
    steps_ += steps;
    return steps_ <= options_.max_steps;
  }

  std::size_t steps() const { return steps_; }

  // True if some verdict may be undecided because of a limit. If not, it depends on keywords that
  // are not understood.
  bool met_limit() const {
    return steps_ > options_.max_steps || hard_searches_ > 0 || is_too_deep_;
  }

  // Searches `text` for a match of the pattern; kUndecided after too many searches that were too
  // hard.
  patterns::Search search(std::uint32_t pattern, const std::string& text);

  const Program& program() const { return program_; }

  // The function declares_absent of validate.hpp, in this direction.
  Verdict declares_absent(SchemaId schema, std::string_view name);

 private:
  struct VerdictKey {
    SchemaId schema;
    const Json* instance;

    friend bool operator==(const VerdictKey&, const VerdictKey&) = default;
  };

  struct VerdictKeyHash {
    std::size_t operator()(const VerdictKey& key) const {
      return std::hash<const void*>{}(key.instance) * 31U + key.schema;
    }
  };

  // `type` is quick_type_of() the instance.
  Verdict run_plain(const Entry& at, const Json& instance, TypeSet type, EvaluatedParts* evaluated);
  Verdict run(const Entry& at, const Json& instance, TypeSet type, const Frame* outer,
              EvaluatedParts* evaluated);
  Verdict run_remembering(const Entry& at, TypeSet type, const Frame& frame);
  Verdict run_tracking(const Entry& at, TypeSet type, Frame& frame);
  Verdict run_steps(const Entry& at, TypeSet type, const Frame& frame);

  // Values.
  Verdict test_pattern(std::uint32_t pattern, const Json& instance);
  Verdict test_value(Keyword keyword, std::uint32_t operand, const Json& instance);
  Verdict test_unique(const Json& instance);
  // Arrays.
  Verdict test_prefix_items(const std::vector<SchemaId>& schemas, const Frame& frame);
  Verdict test_items(const ItemsTable& table, const Frame& frame);
  Verdict test_contains(const ContainsTable& table, const Frame& frame);
  Verdict test_unevaluated_items(SchemaId schema, const Frame& frame);
  // Objects.
  Verdict test_object(const ObjectTable& table, const Frame& frame);
  Verdict find_members(const ObjectTable& table, const Frame& frame);
  Verdict walk_members(const ObjectTable& table, const Frame& frame);
  Verdict test_unlisted_member(const ObjectTable& table, const Json::object_t::value_type& member,
                               const Frame& frame, bool known, std::size_t place);
  Verdict test_property_names(SchemaId schema, const Frame& frame);
  Verdict test_dependent_names(const std::vector<DependentNames>& table, const Frame& frame);
  Verdict test_unevaluated_properties(SchemaId schema, const Frame& frame);
  // Schemas for the instance itself.
  Verdict test_all(const std::vector<SchemaId>& schemas, const Frame& frame);
  Verdict test_any(std::uint32_t list, const Frame& frame);
  Verdict test_one(std::uint32_t list, const Frame& frame);
  Verdict test_not(SchemaId schema, const Frame& frame);
  Verdict test_if(const ConditionTable& table, const Frame& frame);
  Verdict test_dependent_schemas(const std::vector<Property>& table, const Frame& frame);
  Verdict test_alternative(SchemaId schema, const Frame& frame);
  Verdict is_one_sided(SchemaId schema);

  const Program& program_;
  const Entry* entries_;
  const Step* steps_of_all_;
  ValidateOptions options_;
  std::size_t steps_ = 0;
  std::size_t hard_searches_ = 0;
  bool is_too_deep_ = false;
  std::unordered_map<VerdictKey, Verdict, VerdictKeyHash> remembered_;
};

// The worse of two: kInvalid before kUndecided before kValid.
constexpr Verdict worse(Verdict left, Verdict right) {
  if (left == Verdict::kInvalid || right == Verdict::kInvalid) {
    return Verdict::kInvalid;
  }
  return left == Verdict::kUndecided ? left : right;
}

// The better of two: kValid before kUndecided before kInvalid.
constexpr Verdict better(Verdict left, Verdict right) {
  if (left == Verdict::kValid || right == Verdict::kValid) {
    return Verdict::kValid;
  }
  return left == Verdict::kUndecided ? left : right;
}

// Two equal elements of an array.
struct EqualPair {
  std::size_t first = 0;
  std::size_t second = 0;
};

// The equal pair whose second element comes first, if there is one. Linear, whatever the elements:
// their hashes are keyed.
std::optional<EqualPair> find_repeated(const nlohmann::json& array);

}  // namespace spec::schema::validator
