// Arrays: each element satisfies prefixItems and items at its place, and also `contains` if one is
// needed.

#include "spec/json/value.hpp"
#include "spec/schema/generate/attempt.hpp"
#include "spec/schema/generate/constraints.hpp"

#include <algorithm>
#include <utility>

namespace spec::schema::generate {

using text::derive;

namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kMaxItems = 10'000;
constexpr unsigned kFewFromDepth = 2;  // elements of inner arrays are fewer

class ArrayMaker {
 public:
  ArrayMaker(const Attempt& attempt, const Constraints& constraints, const Location& location)
      : attempt_(attempt), constraints_(constraints), location_(location) {
    std::uint64_t contained = 0;
    for (const ContainsTable* table : constraints.contains) {
      contained += table->min;
    }
    min_count_ = std::max(constraints.min_items, std::min(contained, constraints.max_items));
  }

  std::optional<Json> run() {
    const std::uint64_t count = choose_count();
    attempt_.failure.is_too_large |= count > kMaxItems;
    if (count > std::min(kMaxItems, constraints_.max_items)) {
      return std::nullopt;
    }
    Json array = Json::array();
    while (array.size() < count) {
      auto element = make_element(array);
      if (!element) {
        return array.size() >= min_count_ ? std::optional(std::move(array)) : std::nullopt;
      }
      array.push_back(std::move(*element));
    }
    return array;
  }

 private:
  std::uint64_t choose_count() const {
    if (location_.depth > kMaxRichDepth || attempt_.number % 4 == 1) {
      return min_count_;
    }
    text::Random random(location_.seed);
    const std::uint64_t wanted = 1 + random.next_below(location_.depth >= kFewFromDepth ? 2 : 3);
    return std::clamp(std::max(wanted, constraints_.prefix_count), min_count_,
                      std::max(min_count_, constraints_.max_items));
  }

  std::vector<SchemaId> schemas_at(std::uint64_t index) const {
    std::vector<SchemaId> schemas =
        schemas_of_element(attempt_.context.program, constraints_, index);
    // Elements for `contains` follow each other, behind the prefix if there is room.
    std::uint64_t first = min_count_ <= constraints_.prefix_count ? 0 : constraints_.prefix_count;
    for (const ContainsTable* table : constraints_.contains) {
      if (index >= first && index < first + table->min) {
        schemas.push_back(table->schema);
      }
      first += table->min;
    }
    return schemas.empty() ? constraints_.unevaluated_items : schemas;
  }

  // Draws again, a number of times, if the element must differ from those before.
  std::optional<Json> make_element(const Json& before) const {
    constexpr std::uint64_t kDraws = 40;
    const auto schemas = schemas_at(before.size());
    const std::uint64_t seed = derive(location_.seed, before.size());
    for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
      auto element = make_value(attempt_, schemas,
                                {.seed = derive(seed, draw),
                                 .name = location_.name,
                                 .depth = location_.depth + 1,
                                 .outer = location_.outer,
                                 .index = before.size() + draw,
                                 .is_element = true,
                                 .list_seed = location_.seed,
                                 .scene = location_.scene});
      const bool is_there =
          element && constraints_.unique && std::ranges::any_of(before, [&](const Json& each) {
            return spec::json::equal(each, *element);
          });
      if (!is_there) {
        return element;
      }
    }
    return std::nullopt;
  }

  const Attempt& attempt_;
  const Constraints& constraints_;
  const Location& location_;
  std::uint64_t min_count_ = 0;
};

}  // namespace

std::optional<Json> make_array(const Attempt& attempt, const Constraints& constraints,
                               const Location& location) {
  return ArrayMaker(attempt, constraints, location).run();
}

}  // namespace spec::schema::generate
