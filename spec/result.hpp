#pragma once

// A value or the reason why there is none, for failures that the caller handles at once. Member
// names are those of std::expected, which this toolchain lacks in C++20 mode, so that a later
// switch is one alias. For unusable input at start use LoadError, for absence without a reason
// std::optional.

#include <cassert>
#include <utility>
#include <variant>

namespace spec {

// The error of a Result: `return Unexpected{error};`.
template <typename E>
struct Unexpected {
  E value;
};

template <typename E>
Unexpected(E) -> Unexpected<E>;

template <typename T, typename E>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}

  template <typename G>
  Result(Unexpected<G> failure) : state_(std::in_place_index<1>, std::move(failure.value)) {}

  bool has_value() const { return state_.index() == 0; }

  explicit operator bool() const { return has_value(); }

  // Precondition: has_value().
  T& value() { return *std::get_if<0>(&state_); }

  const T& value() const { return *std::get_if<0>(&state_); }

  T& operator*() { return value(); }

  const T& operator*() const { return value(); }

  T* operator->() { return &value(); }

  const T* operator->() const { return &value(); }

  // Precondition: !has_value().
  E& error() { return *std::get_if<1>(&state_); }

  const E& error() const { return *std::get_if<1>(&state_); }

 private:
  std::variant<T, E> state_;
};

}  // namespace spec
