// Values are freed without allocating, also half-made ones: where memory has run out, what fails is
// the reading or the copying, never the freeing. This program's own operator new keeps the count.

#include "spec/json/read.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <memory>
#include <new>
#include <string>

namespace {

constexpr long kNever = -1;

thread_local long left = kNever;  // allocations until all fail
thread_local long held = 0;       // allocated and not freed

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t bytes) {
  if (left == 0) {
    throw std::bad_alloc();
  }
  left -= left > 0 ? 1 : 0;
  void* const memory = std::malloc(bytes);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  ++held;
  return memory;
}

[[gnu::noinline]] void operator delete(void* memory) noexcept {
  held -= memory != nullptr ? 1 : 0;
  std::free(memory);
}

[[gnu::noinline]] void operator delete(void* memory, std::size_t /*bytes*/) noexcept {
  operator delete(memory);
}

namespace spec::json {
namespace {

using Json = nlohmann::json;

const std::string kLong(40, 'x');
const std::string kText = R"([0, 1.50, 1e0, "short", ")" + kLong +
                          R"(", [], {}, [[[["deep"]]]], {"a": [1, {"b": [")" + kLong + R"("], ")" +
                          kLong + R"(": {"c": {}}}], "d": {"e": [[], [2, 3]]}}])";

// Runs `act` again and again, with one allocation more each time, until it succeeds; demands that
// it fails with std::bad_alloc until then and that nothing is held afterwards.
template <typename Act>
long expect_nothing_held_wherever_it_fails(Act act) {
  for (long allowed = 0;; ++allowed) {
    const long before = held;
    bool failed = false;
    left = allowed;
    try {
      act();
    } catch (const std::bad_alloc&) {
      failed = true;
    }
    left = kNever;
    EXPECT_EQ(held, before) << "after " << allowed << " allocations";
    if (!failed || held != before) {
      return allowed;
    }
  }
}

}  // namespace

TEST(Teardown, freeing_a_value_allocates_nothing) {
  auto value = std::make_unique<Result<Json, ReadError>>(read(kText));

  left = 0;
  value.reset();
  left = kNever;

  SUCCEED();  // an allocation would have ended the program
}

TEST(Teardown, freeing_a_half_read_value_allocates_nothing) {
  const long needed = expect_nothing_held_wherever_it_fails([] {
    const auto value = read(kText);
    left = 0;
  });

  EXPECT_GT(needed, 30);
}

TEST(Teardown, freeing_a_half_copied_value_allocates_nothing) {
  const Json value = *read(kText);

  const long needed = expect_nothing_held_wherever_it_fails([&value] {
    const Json copy = value;
    left = 0;
  });

  EXPECT_GT(needed, 20);
}

TEST(Teardown, freeing_a_deep_value_needs_no_stack) {
  const auto deep = [](const char* open, const char* close) {
    std::string text;
    for (int at = 0; at < 300'000; ++at) {
      text += open;
    }
    text += '0';
    for (int at = 0; at < 300'000; ++at) {
      text += close;
    }
    return text;
  };
  for (const std::string& text : {deep("[", "]"), deep("{\"a\":", "}")}) {
    auto value = std::make_unique<Result<Json, ReadError>>(read(text, {.max_depth = 1'000'000}));
    ASSERT_TRUE(value->has_value());

    left = 0;
    value.reset();
    left = kNever;
  }

  SUCCEED();
}

}  // namespace spec::json
