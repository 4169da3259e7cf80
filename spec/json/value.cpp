#include "spec/json/value.hpp"

#include "spec/json/number.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

namespace spec::json {

namespace {

using Json = nlohmann::json;

// Writes without recursion: a value may be as deep as memory allows.
class Writer {
 public:
  // `indent` below 0 writes compactly.
  Writer(std::string& out, int indent) : out_(out), indent_(indent) {}

  void write(const Json& root) {
    begin(root);
    while (!open_.empty()) {
      Frame& frame = open_.back();
      if (frame.next == frame.container->end()) {
        close(frame.container->is_object());
        continue;
      }
      separate(frame.next == frame.container->begin());
      if (frame.container->is_object()) {
        text::append_json_string(out_, frame.next.key());
        out_ += indent_ < 0 ? ":" : ": ";
      }
      const Json& child = *frame.next;
      ++frame.next;
      begin(child);
    }
  }

 private:
  struct Frame {
    const Json* container;
    Json::const_iterator next;
  };

  // Writes a scalar or an empty container; opens any other.
  void begin(const Json& value) {
    switch (value.type()) {
      case Json::value_t::object:
      case Json::value_t::array:
        if (value.empty()) {
          out_ += value.is_object() ? "{}" : "[]";
        } else {
          out_ += value.is_object() ? '{' : '[';
          open_.push_back({&value, value.begin()});
        }
        break;
      case Json::value_t::string:
        text::append_json_string(out_, *value.get_ptr<const std::string*>());
        break;
      case Json::value_t::boolean: out_ += value.get<bool>() ? "true" : "false"; break;
      case Json::value_t::null:
      case Json::value_t::discarded: out_ += "null"; break;
      default: append_number(out_, value); break;
    }
  }

  void separate(bool first) {
    if (!first) {
      out_ += ',';
    }
    break_line();
  }

  void close(bool object) {
    open_.pop_back();
    break_line();
    out_ += object ? '}' : ']';
  }

  void break_line() {
    if (indent_ >= 0) {
      out_ += '\n';
      out_.append(open_.size() * static_cast<std::size_t>(indent_), ' ');
    }
  }

  std::string& out_;
  int indent_;
  std::vector<Frame> open_;
};

using Pair = std::pair<const Json*, const Json*>;

// Compares two values without their contents, which it appends to `pending`.
bool equal_here(const Json& left, const Json& right, std::vector<Pair>& pending) {
  const Type type = type_of(left);
  if (type != type_of(right)) {
    return false;
  }
  switch (type) {
    case Type::kNull: return true;
    case Type::kBoolean: return left.get<bool>() == right.get<bool>();
    case Type::kNumber: return compare_numbers(left, right) == std::strong_ordering::equal;
    case Type::kString:
      return *left.get_ptr<const std::string*>() == *right.get_ptr<const std::string*>();
    case Type::kArray:
    case Type::kObject: break;
  }
  if (left.size() != right.size()) {
    return false;
  }
  // Members are sorted by key, so equal objects agree place by place. Most unequal ones differ in a
  // scalar, so containers are compared later.
  for (auto a = left.begin(), b = right.begin(); a != left.end(); ++a, ++b) {
    if (type == Type::kObject && a.key() != b.key()) {
      return false;
    }
    if (!a->is_structured() && !equal_here(*a, *b, pending)) {
      return false;
    }
  }
  for (auto a = left.begin(), b = right.begin(); a != left.end(); ++a, ++b) {
    if (a->is_structured()) {
      pending.emplace_back(&*a, &*b);
    }
  }
  return true;
}

// Adds the value to the hash, without its contents, which it appends to `pending`.
void hash_here(KeyedHash& hash, const Json& value, std::vector<const Json*>& pending) {
  const Type type = type_of(value);
  hash.add(static_cast<std::uint64_t>(type));
  switch (type) {
    case Type::kNull: return;
    case Type::kBoolean: return hash.add(std::uint64_t{value.get<bool>()});
    case Type::kNumber: return add_number(hash, value);
    case Type::kString: return hash.add(*value.get_ptr<const std::string*>());
    case Type::kArray:
    case Type::kObject: break;
  }
  hash.add(std::uint64_t{value.size()});
  for (auto member = value.begin(); member != value.end(); ++member) {
    if (type == Type::kObject) {
      hash.add(member.key());
    }
    pending.push_back(&*member);
  }
}

}  // namespace

std::size_t depth_of(const nlohmann::json& value) {
  if (!value.is_structured()) {
    return 0;
  }
  std::size_t inner = 0;
  for (const auto& one : value) {
    inner = std::max(inner, depth_of(one));
  }
  return inner + 1;
}

bool equal(const Json& left, const Json& right) {
  std::vector<Pair> pending;
  if (!equal_here(left, right, pending)) {
    return false;
  }
  while (!pending.empty()) {
    const auto [a, b] = pending.back();
    pending.pop_back();
    if (!equal_here(*a, *b, pending)) {
      return false;
    }
  }
  return true;
}

std::size_t hash(const Json& value) {
  KeyedHash hash;
  std::vector<const Json*> pending;
  hash_here(hash, value, pending);
  while (!pending.empty()) {
    const Json* next = pending.back();
    pending.pop_back();
    hash_here(hash, *next, pending);
  }
  return hash.finish();
}

std::string write(const Json& value) {
  std::string out;
  write_to(out, value);
  return out;
}

std::string write_pretty(const Json& value, int indent) {
  std::string out;
  Writer(out, indent < 0 ? 0 : indent).write(value);
  return out;
}

void write_to(std::string& out, const Json& value) {
  Writer(out, -1).write(value);
}

// Source: Aumasson and Bernstein, "SipHash: a fast short-input PRF", section 2.

namespace {

struct Key {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};

std::uint64_t draw_word(std::random_device& device) {
  return (std::uint64_t{device()} << 32U) | device();
}

// The key affects nothing but places in tables.
const Key& process_key() {
  static const Key key = [] {
    std::random_device device;
    return Key{.first = draw_word(device), .second = draw_word(device)};
  }();
  return key;
}

}  // namespace

KeyedHash::KeyedHash()
    : a_(process_key().first ^ 0x736F6D6570736575U),
      b_(process_key().second ^ 0x646F72616E646F6DU),
      c_(process_key().first ^ 0x6C7967656E657261U),
      d_(process_key().second ^ 0x7465646279746573U) {}

void KeyedHash::round() {
  a_ += b_;
  b_ = std::rotl(b_, 13) ^ a_;
  a_ = std::rotl(a_, 32);
  c_ += d_;
  d_ = std::rotl(d_, 16) ^ c_;
  a_ += d_;
  d_ = std::rotl(d_, 21) ^ a_;
  c_ += b_;
  b_ = std::rotl(b_, 17) ^ c_;
  c_ = std::rotl(c_, 32);
}

void KeyedHash::add(std::string_view text) {
  add(std::uint64_t{text.size()});
  while (!text.empty()) {
    std::uint64_t word = 0;
    const std::size_t bytes = text.copy(reinterpret_cast<char*>(&word), sizeof word);
    add(word);
    text.remove_prefix(bytes);
  }
}

std::size_t KeyedHash::finish() {
  c_ ^= 0xFFU;
  round();
  round();
  round();
  return a_ ^ b_ ^ c_ ^ d_;
}

}  // namespace spec::json
