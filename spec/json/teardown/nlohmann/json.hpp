#pragma once

// nlohmann_json, with values that are freed without allocating. The library's own way moves what an
// array or object holds to a std::vector first: where memory has run out, that throws inside a
// destructor, and the program ends. This file stands before the library's own in every search path
// (scripts/cmake/CounterpartTargets.cmake), so that there is no value that is freed otherwise.

#include_next <nlohmann/json.hpp>

#include <memory>
#include <utility>

namespace counterpart::teardown {

using Json = nlohmann::json;

// The last element or the first member: where the next value is taken from.
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

// Empties `root` and all that it holds, from the bottom up: neither recursion nor a stack, since the
// place that a value was taken from keeps the container above it until that value is empty.
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

// Frees a container of `values` that was made as the library makes it.
template <typename Container>
void free_container(Container* container) noexcept {
  std::allocator<Container> allocator;
  std::allocator_traits<std::allocator<Container>>::destroy(allocator, container);
  allocator.deallocate(container, 1);
}

}  // namespace counterpart::teardown

namespace nlohmann {

template <>
inline void json::json_value::destroy(json::value_t type) {
  namespace teardown = counterpart::teardown;
  switch (type) {
    case value_t::array:
      for (json& element : *array) {
        if (element.is_structured()) {
          teardown::empty_out(element);
        }
      }
      teardown::free_container(array);
      break;
    case value_t::object:
      for (auto& member : *object) {
        if (member.second.is_structured()) {
          teardown::empty_out(member.second);
        }
      }
      teardown::free_container(object);
      break;
    case value_t::string: teardown::free_container(string); break;
    case value_t::binary: teardown::free_container(binary); break;
    default: break;
  }
}

}  // namespace nlohmann
