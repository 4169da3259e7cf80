#include "spec/schema/patterns/automaton.hpp"

#include "spec/json/utf8.hpp"
#include "spec/schema/patterns/machine.hpp"

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <map>
#include <utility>

namespace spec::schema::patterns {

namespace {

constexpr std::size_t kMaxTableStates = 128;
constexpr unsigned kHighBit = 0x80;

// States of the machine that are awake at once, in order.
using Awake = std::vector<StateId>;

}  // namespace

// Makes sets of the machine's states into states of the table.
class AutomatonBuilder {
 public:
  explicit AutomatonBuilder(Machine machine) : machine_(std::move(machine)) {}

  std::optional<Automaton> run() {
    find_classes();
    Awake start;
    std::vector<bool> seen(machine_.states.size());
    wake(machine_.start, true, false, seen, start);
    std::sort(start.begin(), start.end());
    id_of(start, true);
    for (std::size_t at = 0; at < order_.size(); ++at) {
      if (order_.size() > kMaxTableStates) {
        return std::nullopt;
      }
      add_row(at);
    }
    mark_hopeless();
    write_rows();
    return std::move(automaton_);
  }

 private:
  // Two bytes are of one class when every state's range has both or neither.
  void find_classes() {
    std::bitset<257> starts;
    for (const State& state : machine_.states) {
      if (state.kind == State::Kind::kBytes) {
        starts.set(state.low);
        starts.set(state.high + std::size_t{1});
      }
    }
    std::uint8_t current = 0;
    samples_.push_back(0);
    for (std::size_t byte = 0; byte < 256; ++byte) {
      if (byte > 0 && starts.test(byte)) {
        ++current;
        samples_.push_back(static_cast<std::uint8_t>(byte));
      }
      automaton_.classes_.at(byte) = current;
    }
    automaton_.class_count_ = static_cast<std::uint32_t>(samples_.size());
  }

  // Adds to `awake` the byte-reading and matching states that `from` leads to without a byte. Paths
  // are short: machines have at most some hundred states.
  void wake(StateId from, bool at_begin, bool at_end, std::vector<bool>& seen, Awake& awake) const {
    std::vector<StateId> pending{from};
    while (!pending.empty()) {
      const StateId id = pending.back();
      pending.pop_back();
      if (seen[id]) {
        continue;
      }
      seen[id] = true;
      const State& state = machine_.states[id];
      switch (state.kind) {
        case State::Kind::kSplit:
          pending.push_back(state.next);
          pending.push_back(state.other);
          break;
        case State::Kind::kBegin:
          if (at_begin) {
            pending.push_back(state.next);
          }
          break;
        case State::Kind::kEnd:
          if (at_end) {
            pending.push_back(state.next);
          }
          awake.push_back(id);
          break;
        case State::Kind::kBytes:
        case State::Kind::kMatch: awake.push_back(id); break;
      }
    }
  }

  bool matches(const Awake& awake) const {
    return std::any_of(awake.begin(), awake.end(), [this](StateId id) {
      return machine_.states[id].kind == State::Kind::kMatch;
    });
  }

  // Whether the text may end here. `at_begin`: nothing of it was read.
  bool matches_at_end(const Awake& awake, bool at_begin) const {
    std::vector<bool> seen(machine_.states.size());
    Awake reached;
    for (const StateId id : awake) {
      wake(id, at_begin, true, seen, reached);
    }
    return matches(reached);
  }

  std::uint16_t id_of(const Awake& awake, bool at_begin) {
    const auto [entry, is_new] =
        ids_.try_emplace({at_begin, awake}, static_cast<std::uint16_t>(order_.size()));
    if (is_new) {
      order_.push_back(&entry->first.second);
      Automaton::Outcome outcome = Automaton::kOpen;
      if (matches(awake)) {
        outcome = Automaton::kFound;
      } else if (matches_at_end(awake, at_begin)) {
        outcome = Automaton::kFoundAtEnd;
      }
      outcomes_.push_back(outcome);
    }
    return entry->second;
  }

  void add_row(std::size_t at) {
    for (const std::uint8_t byte : samples_) {
      Awake next;
      std::vector<bool> seen(machine_.states.size());
      for (const StateId id : *order_[at]) {
        const State& state = machine_.states[id];
        if (state.kind == State::Kind::kBytes && state.low <= byte && byte <= state.high) {
          wake(state.next, false, false, seen, next);
        }
      }
      wake(machine_.start, false, false, seen, next);  // a match may begin at any byte
      std::sort(next.begin(), next.end());
      next_.push_back(id_of(next, false));
    }
  }

  // A state that leads to itself alone and has found nothing will find nothing.
  void mark_hopeless() {
    for (std::size_t state = 0; state < order_.size(); ++state) {
      const auto row = next_.begin() + static_cast<std::ptrdiff_t>(state * automaton_.class_count_);
      const bool stays =
          std::all_of(row, row + static_cast<std::ptrdiff_t>(automaton_.class_count_),
                      [state](std::uint16_t next) { return next == state; });
      if (stays && outcomes_[state] == Automaton::kOpen) {
        outcomes_[state] = Automaton::kHopeless;
      }
    }
  }

  // The places of the states' rows: that of the start first, those at which a search ends last.
  std::vector<std::size_t> places() {
    std::vector<std::size_t> places(order_.size());
    std::size_t next = 1;
    for (const bool final : {false, true}) {
      if (final) {
        automaton_.first_final_ = next * (automaton_.class_count_ + 1);
      }
      for (std::size_t state = 1; state < order_.size(); ++state) {
        if ((outcomes_[state] >= Automaton::kFound) == final) {
          places[state] = next++;
        }
      }
    }
    return places;
  }

  void write_rows() {
    const std::size_t classes = automaton_.class_count_;
    const std::vector<std::size_t> at = places();
    automaton_.rows_.resize(order_.size() * (classes + 1));
    for (std::size_t state = 0; state < order_.size(); ++state) {
      auto row = automaton_.rows_.begin() + static_cast<std::ptrdiff_t>(at[state] * (classes + 1));
      for (std::size_t i = 0; i < classes; ++i) {
        *row++ = static_cast<std::uint16_t>(at[next_[state * classes + i]] * (classes + 1));
      }
      *row = outcomes_[state];
    }
  }

  Machine machine_;
  Automaton automaton_;
  std::vector<std::uint8_t> samples_;  // the first byte of each class
  std::map<std::pair<bool, Awake>, std::uint16_t> ids_;
  std::vector<const Awake*> order_;
  std::vector<std::uint16_t> next_;  // by state, then class
  std::vector<Automaton::Outcome> outcomes_;
};

std::optional<Automaton> Automaton::compile(std::string_view pattern) {
  auto machine = make_machine(pattern);
  return machine ? AutomatonBuilder(std::move(*machine)).run() : std::nullopt;
}

bool Automaton::search(std::string_view text) const {
  const std::uint16_t* rows = rows_.data();
  std::size_t row = 0;
  unsigned bits = 0;  // of all bytes: without the highest one the text is ASCII
  if (rows[class_count_] < kFound) {
    for (const char byte : text) {
      const auto value = static_cast<unsigned char>(byte);
      bits |= value;
      row = rows[row + classes_[value]];
      if (row >= first_final_) {
        break;
      }
    }
  }
  const std::uint16_t outcome = rows[row + class_count_];
  if (outcome == kFound) {
    return json::is_utf8(text);
  }
  return outcome == kFoundAtEnd && ((bits & kHighBit) == 0 || json::is_utf8(text));
}

}  // namespace spec::schema::patterns
