#pragma once

// The secrets of a run, and where a text shows one in another spelling: in base64 (at any offset),
// backwards, in hexadecimal, or with characters escaped for a URI, JSON or HTML. Made once, then
// const; finding is one pass over the text.

#include <bitset>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::run {

// True for a secret that is found wherever it stands: of some length, and no plain word. "test" is
// not: it is known for a secret only where it stands as one ("Bearer test", "token=test").
bool is_telling(std::string_view secret);

// How much of a secret of this size gives it away: less is no secret ("dodo_test_" is known to
// everyone).
std::size_t telling_part(std::size_t size);

struct SecretSpot {
  std::size_t at = 0;
  std::size_t size = 0;
  std::string_view how;  // "in base64"
};

class Secrets {
 public:
  Secrets() = default;
  Secrets(std::initializer_list<std::string> words);
  explicit Secrets(std::vector<std::string> words);

  const std::vector<std::string>& words() const { return words_; }

  // The first place at or behind `from` where a telling secret stands in another spelling than its
  // own: all of it, or with `part` the beginning that gives it away, and as much as follows.
  std::optional<SecretSpot> find_spelt(std::string_view text, std::size_t from, bool part) const;

 private:
  struct Form {
    std::string text;
    std::string_view how;
    bool plain = false;  // the secret's own letters: only with an escape in them another spelling
  };

  void add(std::string text, std::string_view how, bool plain = false);
  // The stretch at `at` that `form` fits; 0 when it does not.
  static std::size_t fit(std::string_view text, std::size_t at, const Form& form, bool part);

  std::vector<std::string> words_;
  std::vector<Form> forms_;
  std::bitset<65536> starts_;  // two characters with which a form may begin
};

}  // namespace contract_tests::run
