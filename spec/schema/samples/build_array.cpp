// Arrays: each element keeps what prefixItems and items ask of its place, and `contains` besides
// where one is needed.

#include "spec/json/value.hpp"
#include "spec/schema/samples/builder.hpp"

#include <algorithm>

namespace spec::schema::samples {

namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kMaxItems = 10'000;
constexpr unsigned kFewFromDepth = 2;  // elements of inner arrays are fewer
constexpr unsigned kSoftDepth = 5;

class ArrayBuilder {
 public:
  ArrayBuilder(const Attempt& attempt, const Shape& shape, const Spot& spot)
      : attempt_(attempt), shape_(shape), spot_(spot), random_(spot.seed) {}

  std::optional<Json> run() {
    const std::uint64_t count = choose_count();
    attempt_.stuck.is_too_large |= count > kMaxItems;
    if (count > kMaxItems || count > shape_.most_items) {
      return std::nullopt;
    }
    Json array = Json::array();
    for (std::uint64_t index = 0; index < count; ++index) {
      auto element = build_element(index, array);
      if (!element) {
        return index >= least_count() ? std::optional{std::move(array)} : std::nullopt;
      }
      array.push_back(std::move(*element));
    }
    return array;
  }

 private:
  std::uint64_t needed_by_contains() const {
    std::uint64_t needed = 0;
    for (const ContainsTable* table : shape_.contains) {
      needed += table->least;
    }
    return needed;
  }

  std::uint64_t least_count() const {
    return std::max(shape_.least_items, std::min(needed_by_contains(), shape_.most_items));
  }

  // How many elements the prefixes say more about than `items` would.
  std::uint64_t named_places() const {
    std::uint64_t places = 0;
    for (const auto* prefix : shape_.prefixes) {
      places = std::max<std::uint64_t>(places, prefix->size());
    }
    return places;
  }

  std::uint64_t choose_count() {
    const std::uint64_t least = least_count();
    if (spot_.depth >= kSoftDepth || attempt_.number % 4 == 1) {
      return least;
    }
    std::uint64_t wanted = 1 + random_.below(spot_.depth >= kFewFromDepth ? 2 : 3);
    wanted = std::max(wanted, named_places());
    return std::clamp(wanted, least, std::max(least, shape_.most_items));
  }

  std::vector<SchemaId> schemas_at(std::uint64_t index) const {
    std::vector<SchemaId> schemas;
    bool evaluated = false;
    for (const auto* prefix : shape_.prefixes) {
      if (index < prefix->size()) {
        schemas.push_back((*prefix)[index]);
        evaluated = true;
      }
    }
    for (const ItemsTable* items : shape_.items) {
      if (index >= items->first) {
        schemas.push_back(items->schema);
        evaluated = true;
      }
    }
    // The last elements are for `contains`, one after the other; the first that are free, that is.
    std::uint64_t before = 0;
    for (const ContainsTable* table : shape_.contains) {
      const std::uint64_t place = index - std::min(index, named_places());
      const bool free = index >= named_places() || least_count() <= named_places();
      const std::uint64_t at = least_count() <= named_places() ? index : place;
      if (free && at >= before && at < before + table->least) {
        schemas.push_back(table->schema);
        evaluated = true;
      }
      before += table->least;
    }
    if (!evaluated) {
      schemas.insert(schemas.end(), shape_.unevaluated_items.begin(),
                     shape_.unevaluated_items.end());
    }
    return schemas;
  }

  // Another value where all must differ: draws again, then counts on its last resort.
  std::optional<Json> build_element(std::uint64_t index, const Json& before) {
    constexpr std::uint64_t kDraws = 40;
    const auto schemas = schemas_at(index);
    for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
      const Spot spot{derive(derive(spot_.seed, index), draw), spot_.name, spot_.sense,
                      spot_.depth + 1, spot_.outer};
      auto element = build(attempt_, schemas, spot);
      if (!element || !shape_.unique || !holds(before, *element)) {
        return element;
      }
    }
    return std::nullopt;
  }

  static bool holds(const Json& array, const Json& value) {
    return std::any_of(array.begin(), array.end(),
                       [&](const Json& each) { return spec::json::equal(each, value); });
  }

  const Attempt& attempt_;
  const Shape& shape_;
  const Spot& spot_;
  Random random_;
};

}  // namespace

std::optional<Json> build_array(const Attempt& attempt, const Shape& shape, const Spot& spot) {
  return ArrayBuilder(attempt, shape, spot).run();
}

}  // namespace spec::schema::samples
