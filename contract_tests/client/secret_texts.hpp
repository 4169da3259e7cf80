#pragma once

// The secrets of a run: where a text shows one, and a text without them. A secret is found as it
// is, in any letter case, with any of its letters percent-encoded or as the escape of a JSON
// string, in hexadecimal, and in Base64 at any offset. Made once, then const.

#include <bitset>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace contract_tests::client {

// True for a secret that can be found anywhere in a text: long enough, and no plain word. "test" is
// not: it is found only next to a scheme or a name ("Bearer test", "token=test").
bool is_recognizable(std::string_view secret);

// A credential of the run, by the name of the variable from which a shell takes it.
struct Variable {
  std::string name;
  std::string value;
};

class Secrets {
 public:
  Secrets() = default;
  Secrets(std::initializer_list<std::string> words);
  // Empty words are left out.
  explicit Secrets(std::vector<std::string> words, std::vector<Variable> variables = {});

  const std::vector<Variable>& variables() const { return variables_; }

  const std::vector<std::string>& words() const { return words_; }

  // The spelling in which `text` shows a whole secret: "" for its own, else "percent-encoded" and
  // the like; empty if it shows none.
  std::optional<std::string> shown_in(std::string_view text) const;

  // `text` with $TOKEN for every secret, also where only the first half of one is left, as cut
  // texts leave it.
  std::string redacted(std::string_view text) const;

 private:
  struct EncodedSecret {
    std::string text;
    std::string_view how;
    bool is_coded = false;  // Base64, hexadecimal: no word ends where it does
    bool is_cased = false;  // Base64: letter case counts
    bool is_plain_word = false;
    std::string key = {};   // the text in lower case
    std::size_t order = 0;  // in which they were added: of two that fit alike the first counts
  };

  // A position at which a form may match, and how the text is read there.
  struct Position {
    std::string_view text;
    std::size_t at = 0;
    bool part = false;  // a recognizable part of a secret is enough
    bool json = false;  // the escapes of JSON strings are letters
  };

  // A place of a text that a form fits.
  struct Match {
    std::size_t size = 0;  // in the text; 0 if it does not fit
    std::string_view how;
  };

  // The longest of several matches; of equal ones the first that was added.
  struct LongestMatch {
    Match found;
    std::size_t order = 0;

    void take(const Match& other, std::size_t its_order) {
      if (other.size > found.size ||
          (other.size != 0 && other.size == found.size && its_order < order)) {
        found = other;
        order = its_order;
      }
    }
  };

  void add(EncodedSecret form);
  static Match match(const Position& place, const EncodedSecret& form);
  static std::span<const EncodedSecret> forms_ending(std::span<const EncodedSecret> forms,
                                                     std::size_t letters);
  static std::span<const EncodedSecret> forms_continuing(std::span<const EncodedSecret> forms,
                                                         std::size_t letters, char letter);
  // The first place from `at` on where a form may begin, the last byte at the latest; if `at` is
  // behind that, `at`.
  std::size_t next_start(std::string_view text, std::size_t at) const;
  // The longest fit of any form there.
  Match longest_match(const Position& place) const;
  Match match_at(Position place, bool has_escapes) const;

  std::vector<std::string> words_;
  std::vector<Variable> variables_;
  std::vector<EncodedSecret> forms_;  // sorted by their keys
  std::bitset<256 * 256> starts_;     // pairs of bytes with which a form may begin
};

}  // namespace contract_tests::client
