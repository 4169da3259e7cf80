#pragma once

// Which cases of an operation stay in a plan that has not room for all: the plain ones, then the
// first case of each rule, then the second, beginning with other rules at each operation.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace contract_tests::demands {

class Share {
 public:
  // Room for `limit` cases of the operation of this number.
  Share(std::size_t limit, std::size_t operation) : limit_(limit), operation_(operation) {}

  // False when a further case of the rule would not stay, whatever comes after it.
  bool has_room(std::string_view rule) const;
  // A case of the rule was added.
  void add(std::string_view rule);

  // A case was not made, because there was no room.
  void leave_out() { ++not_made_; }

  // Whether each case stays, in the order in which they were added.
  std::vector<bool> staying() const;
  // How many do not stay, and how many were not made.
  std::size_t left_out() const;

 private:
  struct Rule {
    std::size_t number = 0;  // 0 for the plain cases, which come first
    std::size_t cases = 0;
  };

  // When its turn is, with 0 for all plain cases, and the number of its rule.
  using Place = std::pair<std::size_t, std::size_t>;

  std::size_t limit_;
  std::size_t operation_;
  std::map<std::string, Rule, std::less<>> rules_;
  std::vector<Place> places_;  // of each case
  std::size_t not_made_ = 0;
};

}  // namespace contract_tests::demands
