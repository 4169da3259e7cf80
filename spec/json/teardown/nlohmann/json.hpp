#pragma once

// nlohmann_json, with values that are freed without allocating. The library's own way moves the
// content of an array or object to a std::vector first: if memory has run out, that throws inside a
// destructor, and the program ends; and it follows the null pointer of a value whose construction
// failed half way (3.11.2; fixed in 3.11.3). This file comes before the library's own in every
// search path (scripts/cmake/CounterpartTargets.cmake), so that every value is freed this way.

#include_next <nlohmann/json.hpp>

#include <memory>
#include <utility>

namespace counterpart::teardown {

using Json = nlohmann::json;

// The last element or the first member, which is taken next.
inline Json& next_of(Json& container) {
  return container.is_array() ? container.get_ref<Json::array_t&>().back()
                              : container.get_ref<Json::object_t&>().begin()->second;
}

inline void drop_next_of(Json& container) {
  if (container.is_array()) {
    container.get_ref<Json::array_t&>().pop_back();
  } else {
    auto& members = container.get_ref<Json::object_t&>();
    members.erase(members.begin());
  }
}

// Empties `root` and all that it holds, from the bottom up, without recursion or a stack: the place
// that a value was taken from keeps the container above it until that value is empty.
inline void empty_out(Json& root) noexcept {
  Json current = std::move(root);
  Json above;  // null above the root
  for (;;) {
    if (!current.empty()) {
      Json& next = next_of(current);
      if (next.is_structured() && !next.empty()) {
        Json child = std::move(next);
        next = std::move(above);
        above = std::move(current);
        current = std::move(child);
      } else {
        drop_next_of(current);
      }
    } else if (!above.is_null()) {
      current = std::move(above);
      Json& kept = next_of(current);
      above = std::move(kept);
      drop_next_of(current);
    } else {
      root = std::move(current);
      return;
    }
  }
}

inline void empty_out_elements(Json::array_t& elements) noexcept {
  for (Json& element : elements) {
    if (element.is_structured()) {
      empty_out(element);
    }
  }
}

inline void empty_out_elements(Json::object_t& members) noexcept {
  for (auto& member : members) {
    if (member.second.is_structured()) {
      empty_out(member.second);
    }
  }
}

template <typename Text>
void empty_out_elements(Text& /*text*/) noexcept {}

// Frees memory of the library's allocator; does nothing for a value whose construction failed half
// way.
template <typename Held>
void free_held(Held* held) noexcept {
  if (held == nullptr) {
    return;
  }
  empty_out_elements(*held);
  std::allocator<Held> allocator;
  std::destroy_at(held);
  allocator.deallocate(held, 1);
}

}  // namespace counterpart::teardown

namespace nlohmann {

template <>
inline void json::json_value::destroy(json::value_t type) {
  switch (type) {
    case value_t::array: counterpart::teardown::free_held(array); break;
    case value_t::object: counterpart::teardown::free_held(object); break;
    case value_t::string: counterpart::teardown::free_held(string); break;
    case value_t::binary: counterpart::teardown::free_held(binary); break;
    default: break;
  }
}

}  // namespace nlohmann
