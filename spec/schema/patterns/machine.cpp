// The pattern is read from its end to its beginning's needs: a term first becomes a node of a tree,
// then each node becomes states that lead to what comes after it. Source: ECMA-262 §22.2.1,
// §22.2.2.

#include "spec/schema/patterns/machine.hpp"

#include "spec/schema/patterns/code_points.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace spec::schema::patterns {
namespace {

constexpr std::size_t kMaxStates = 600;
constexpr std::size_t kMaxDepth = 20;
constexpr std::uint32_t kMaxCount = 100;
constexpr std::uint32_t kNoLimit = 0xFFFFFFFFU;
constexpr std::string_view kSyntaxCharacters = "^$\\.*+?()[]{}|/";

struct Term {
  enum class Kind : std::uint8_t { kSet, kBegin, kEnd, kSequence, kChoice, kRepeat };

  Kind kind = Kind::kSequence;
  CodePoints set;           // of kSet
  std::vector<Term> parts;  // of kSequence, kChoice, kRepeat (one)
  std::uint32_t least = 0;  // of kRepeat
  std::uint32_t most = 0;
};

// Reads a pattern into terms. Gives up, for good, at anything that is not plain.
class Reader {
 public:
  explicit Reader(std::string_view pattern) : rest_(pattern) {}

  std::optional<Term> run() {
    Term whole = choice(0);
    return gave_up_ || !rest_.empty() ? std::nullopt : std::optional(std::move(whole));
  }

 private:
  bool eat(char byte) {
    const bool here = rest_.starts_with(byte);
    rest_.remove_prefix(here ? 1 : 0);
    return here;
  }

  char take() {
    if (rest_.empty()) {
      gave_up_ = true;
      return '\0';
    }
    const char byte = rest_.front();
    rest_.remove_prefix(1);
    return byte;
  }

  Term choice(std::size_t depth) {
    Term term{.kind = Term::Kind::kChoice};
    gave_up_ = gave_up_ || depth > kMaxDepth;
    do {
      term.parts.push_back(sequence(depth));
    } while (!gave_up_ && eat('|'));
    return term;
  }

  Term sequence(std::size_t depth) {
    Term term{.kind = Term::Kind::kSequence};
    while (!gave_up_ && !rest_.empty() && rest_.front() != '|' && rest_.front() != ')') {
      term.parts.push_back(quantified(atom(depth)));
    }
    return term;
  }

  Term atom(std::size_t depth) {
    const char byte = take();
    switch (byte) {
      case '^': return {.kind = Term::Kind::kBegin};
      case '$': return {.kind = Term::Kind::kEnd};
      case '(': return group(depth);
      case '[': return set_of(char_class());
      case '.': return set_of(all_but_line_ends());
      case '\\': return set_of(escape(false));
      case '*':
      case '+':
      case '?':
      case '{':
      case '}':
      case ']': gave_up_ = true; return {};
      default: return set_of(character(byte));
    }
  }

  // Capturing or not makes no difference: nobody asks what was captured.
  Term group(std::size_t depth) {
    if (rest_.starts_with('?') && !rest_.starts_with("?:")) {
      gave_up_ = true;
    }
    if (eat('?')) {
      take();
    }
    Term inner = choice(depth + 1);
    gave_up_ = gave_up_ || !eat(')');
    return inner;
  }

  static Term set_of(CodePoints set) { return {.kind = Term::Kind::kSet, .set = std::move(set)}; }

  // Whether as few or as many as can be: found is found.
  Term quantified(Term term) {
    const auto [least, most] = count();
    if (least == 1 && most == 1) {
      return term;
    }
    eat('?');
    const bool is_place = term.kind == Term::Kind::kBegin || term.kind == Term::Kind::kEnd;
    gave_up_ = gave_up_ || is_place;
    Term repeat{.kind = Term::Kind::kRepeat, .least = least, .most = most};
    repeat.parts.push_back(std::move(term));
    return repeat;
  }

  std::pair<std::uint32_t, std::uint32_t> count() {
    if (eat('*')) {
      return {0, kNoLimit};
    }
    if (eat('+')) {
      return {1, kNoLimit};
    }
    if (eat('?')) {
      return {0, 1};
    }
    if (!eat('{')) {
      return {1, 1};
    }
    const std::uint32_t least = number();
    std::uint32_t most = least;
    if (eat(',')) {
      most = rest_.starts_with('}') ? kNoLimit : number();
    }
    gave_up_ = gave_up_ || !eat('}') || most < least;
    return {least, most};
  }

  std::uint32_t number() {
    std::uint32_t value = 0;
    gave_up_ = gave_up_ || rest_.empty() || rest_.front() < '0' || rest_.front() > '9';
    while (!gave_up_ && !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9') {
      value = value * 10 + static_cast<std::uint32_t>(take() - '0');
      gave_up_ = value > kMaxCount;
    }
    return value;
  }

  // The code point that starts with `byte`, as a set.
  CodePoints character(char byte) {
    const auto first = static_cast<unsigned char>(byte);
    if (first < 0x80U) {
      return {{first, first}};
    }
    const std::size_t more = first >= 0xF0U ? 3 : (first >= 0xE0U ? 2 : 1);
    std::uint32_t value = first & (0x3FU >> more);
    for (std::size_t i = 0; i < more; ++i) {
      value = (value << 6U) | (static_cast<unsigned char>(take()) & 0x3FU);
    }
    return {{value, value}};
  }

  CodePoints escape(bool in_class) {
    const char byte = take();
    switch (byte) {
      case 'd': return digits();
      case 'D': return complement(digits());
      case 'w': return word_characters();
      case 'W': return complement(word_characters());
      case 's': return spaces();
      case 'S': return complement(spaces());
      case 't': return {{'\t', '\t'}};
      case 'n': return {{'\n', '\n'}};
      case 'r': return {{'\r', '\r'}};
      case 'v': return {{'\v', '\v'}};
      case 'f': return {{'\f', '\f'}};
      default: break;
    }
    const bool is_itself =
        kSyntaxCharacters.find(byte) != std::string_view::npos || (in_class && byte == '-');
    gave_up_ = gave_up_ || !is_itself;
    return character(is_itself ? byte : '?');
  }

  // What stands between brackets, the opening one taken.
  CodePoints char_class() {
    const bool is_negated = eat('^');
    CodePoints set;
    while (!gave_up_ && !eat(']')) {
      CodePoints low = class_atom();
      if (rest_.starts_with('-') && !rest_.starts_with("-]")) {
        take();
        const CodePoints high = class_atom();
        gave_up_ = gave_up_ || !is_one(low) || !is_one(high) || high[0].low < low[0].low;
        if (!gave_up_) {
          low[0].high = high[0].high;
        }
      }
      set.insert(set.end(), low.begin(), low.end());
    }
    set = tidy(std::move(set));
    return is_negated ? complement(set) : set;
  }

  CodePoints class_atom() {
    const char byte = take();
    return byte == '\\' ? escape(true) : character(byte);
  }

  std::string_view rest_;
  bool gave_up_ = false;
};

class Writer {
 public:
  std::optional<Machine> run(const Term& whole) {
    const StateId match = add({.kind = State::Kind::kMatch});
    machine_.start = write(whole, match);
    return is_full() ? std::nullopt : std::optional(std::move(machine_));
  }

 private:
  bool is_full() const { return machine_.states.size() > kMaxStates; }

  // A machine that is too large is thrown away: it need not be right any more.
  StateId add(State state) {
    if (!is_full()) {
      machine_.states.push_back(state);
    }
    return static_cast<StateId>(machine_.states.size() - 1);
  }

  StateId split(StateId one, StateId other) {
    return add({.kind = State::Kind::kSplit, .next = one, .other = other});
  }

  // The state from which `term`, then `next`, is read.
  StateId write(const Term& term, StateId next) {
    switch (term.kind) {
      case Term::Kind::kSet: return write_set(term.set, next);
      case Term::Kind::kBegin: return add({.kind = State::Kind::kBegin, .next = next});
      case Term::Kind::kEnd: return add({.kind = State::Kind::kEnd, .next = next});
      case Term::Kind::kSequence:
        for (auto part = term.parts.rbegin(); part != term.parts.rend(); ++part) {
          next = write(*part, next);
        }
        return next;
      case Term::Kind::kChoice: return write_choice(term, next);
      case Term::Kind::kRepeat: return write_repeat(term, next);
    }
    return next;
  }

  StateId write_choice(const Term& term, StateId next) {
    StateId start = write(term.parts.back(), next);
    for (std::size_t i = term.parts.size() - 1; i > 0; --i) {
      start = split(write(term.parts[i - 1], next), start);
    }
    return start;
  }

  StateId write_repeat(const Term& term, StateId next) {
    const Term& part = term.parts.front();
    StateId at = next;
    if (term.most == kNoLimit) {
      at = split(next, next);
      const StateId body = write(part, at);
      machine_.states[at].other = body;
    } else {
      for (std::uint32_t i = term.least; i < term.most && !is_full(); ++i) {
        at = split(write(part, at), next);
      }
    }
    for (std::uint32_t i = 0; i < term.least && !is_full(); ++i) {
      at = write(part, at);
    }
    return at;
  }

  StateId write_set(const CodePoints& set, StateId next) {
    std::optional<StateId> start;
    for (const ByteSequence& sequence : byte_sequences(set)) {
      StateId at = next;
      for (auto range = sequence.rbegin(); range != sequence.rend(); ++range) {
        at = add({.kind = State::Kind::kBytes, .low = range->low, .high = range->high, .next = at});
      }
      start = start ? split(at, *start) : at;
    }
    // The empty class matches nothing: a byte that no UTF-8 has.
    return start ? *start
                 : add({.kind = State::Kind::kBytes, .low = 0xFF, .high = 0xFF, .next = next});
  }

  Machine machine_;
};

}  // namespace

std::optional<Machine> make_machine(std::string_view pattern) {
  const auto whole = Reader(pattern).run();
  return whole ? Writer().run(*whole) : std::nullopt;
}

}  // namespace spec::schema::patterns
