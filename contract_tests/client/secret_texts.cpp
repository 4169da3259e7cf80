#include "contract_tests/client/secret_texts.hpp"

#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"

#include <algorithm>
#include <array>

namespace contract_tests::client {

using spec::text::to_lower;

namespace {

constexpr std::string_view kReplacement = "$TOKEN";

constexpr std::size_t kTellingPart = 16;

// The length of a part that reveals a secret: a shorter one reveals nothing ("dodo_test_" is known
// to everyone).
std::size_t recognizable_part(std::size_t size) {
  return std::min(std::max(kTellingPart, size / 2), size);
}

// The characters of the Base64 of `secret` behind `before` bytes (0 to 2, by threes) that depend on
// it alone. Source: RFC 4648 §4.
std::string base64_of(const std::string& secret, std::size_t before) {
  const auto first = (before * 8 + 5) / 6;
  const auto last = (before + secret.size()) * 8 / 6;
  return spec::text::to_base64(std::string(before, '\0') + secret).substr(first, last - first);
}

bool is_word(char letter) {
  return spec::text::is_letter_or_digit(letter) || letter == '_';
}

bool is_word_of_its_own(std::string_view text, std::size_t at, std::size_t size) {
  const auto end = at + size;
  return (at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]));
}

// Behind the name of a scheme and a blank, or behind the "=" of a query or a cookie.
bool is_where_credentials_are(std::string_view text, std::size_t at) {
  const auto before = text.substr(0, at);
  constexpr std::array<std::string_view, 4> kLeads{"=", "bearer ", "basic ", "digest "};
  return std::ranges::any_of(kLeads, [before](std::string_view lead) {
    return before.size() >= lead.size() &&
           spec::text::equals_ignoring_case(before.substr(before.size() - lead.size()), lead);
  });
}

// A letter of a text as its byte, in one of the spellings that a secret may have.
struct DecodedLetter {
  char byte = '\0';
  std::size_t size = 1;       // in the text
  std::string_view how = {};  // it is spelt; "" if as itself
};

// "%41" at the start of `text`; also "%2541", encoded twice.
std::optional<DecodedLetter> triplet_at(std::string_view text) {
  const std::size_t digits = text.starts_with("%25") ? 3 : 1;
  if (!text.starts_with('%') || text.size() < digits + 2) {
    return std::nullopt;
  }
  const int high = spec::text::hex_digit_value(text[digits]);
  const int low = spec::text::hex_digit_value(text[digits + 1]);
  return high < 0 || low < 0 ? std::nullopt
                             : std::optional(DecodedLetter{static_cast<char>(high * 16 + low),
                                                           digits + 2, "percent-encoded"});
}

// The letters that a JSON string may have behind a backslash and that mean themselves.
// Source: RFC 8259 §7.
bool is_escaped_as_itself(char letter) {
  return letter == '"' || letter == '\\' || letter == '/';
}

// "\/", "\u0041" and the like at the start of `text`. Source: RFC 8259 §7.
std::optional<DecodedLetter> json_escape_at(std::string_view text) {
  constexpr std::string_view kHow = "in JSON escapes";
  constexpr std::string_view kAscii = "\\u00";
  if (text.size() > 1 && text[0] == '\\' && is_escaped_as_itself(text[1])) {
    return DecodedLetter{text[1], 2, kHow};
  }
  if (!text.starts_with(kAscii) || text.size() < kAscii.size() + 2) {
    return std::nullopt;
  }
  const int high = spec::text::hex_digit_value(text[kAscii.size()]);
  const int low = spec::text::hex_digit_value(text[kAscii.size() + 1]);
  return high < 0 || high > 7 || low < 0
             ? std::nullopt
             : std::optional(
                   DecodedLetter{static_cast<char>(high * 16 + low), kAscii.size() + 2, kHow});
}

// The first letter of `text`, which is not empty.
DecodedLetter letter_at(std::string_view text, bool json) {
  if (text[0] != '%' && text[0] != '\\') {
    return {.byte = text[0]};
  }
  const auto encoded = triplet_at(text);
  const auto escaped = json ? json_escape_at(text) : std::nullopt;
  return encoded ? *encoded : escaped.value_or(DecodedLetter{.byte = text[0]});
}

}  // namespace

bool is_recognizable(std::string_view secret) {
  constexpr std::size_t kLongWord = 20;
  constexpr std::size_t kShort = 8;
  return secret.size() >= (std::ranges::all_of(secret, spec::text::is_letter) ? kLongWord : kShort);
}

Secrets::Secrets(std::initializer_list<std::string> words)
    : Secrets(std::vector<std::string>(words), {{"TOKEN", *words.begin()}}) {}

Secrets::Secrets(std::vector<std::string> words, std::vector<Variable> variables)
    : words_(std::move(words)), variables_(std::move(variables)) {
  std::erase(words_, "");
  for (const auto& word : words_) {
    add({.text = word, .how = "", .is_plain_word = !is_recognizable(word)});
    if (!is_recognizable(word)) {
      continue;
    }
    for (const std::size_t before : {0U, 1U, 2U}) {
      add({.text = base64_of(word, before),
           .how = "in base64",
           .is_coded = true,
           .is_cased = true});
    }
    add({.text = spec::text::to_hex(word), .how = "in hexadecimal", .is_coded = true});
  }
  std::ranges::stable_sort(forms_, {}, &EncodedSecret::key);
}

void Secrets::add(EncodedSecret form) {
  const auto is_spelling = [](unsigned found, char letter) {
    return found == '%' || found == '\\' || to_lower(static_cast<char>(found)) == to_lower(letter);
  };
  const char letter = form.text.front();
  for (const char start : {letter, to_lower(letter), spec::text::to_upper(letter), '%'}) {
    for (unsigned next = 0; next < 256; ++next) {
      if (start == '%' || form.text.size() == 1 || is_spelling(next, form.text[1])) {
        starts_.set(static_cast<unsigned char>(start) * 256U + next);
      }
    }
  }
  starts_.set('\\' * 256U + 'u');
  if (is_escaped_as_itself(letter)) {
    starts_.set('\\' * 256U + static_cast<unsigned char>(letter));
  }
  form.order = forms_.size();
  form.key = to_lower(std::string_view(form.text));
  forms_.push_back(std::move(form));
}

Secrets::Match Secrets::match(const Position& place, const EncodedSecret& form) {
  std::size_t size = 0;
  std::size_t letters = 0;
  std::string_view spelt;
  bool exact = true;
  const auto text = place.text.substr(place.at);
  for (; letters < form.text.size() && size < text.size(); ++letters) {
    const char wanted = form.text[letters];
    const auto found = letter_at(text.substr(size), place.json);
    if (form.is_cased ? found.byte != wanted : to_lower(found.byte) != to_lower(wanted)) {
      break;
    }
    exact = exact && found.byte == wanted;
    spelt = found.how.empty() ? spelt : found.how;
    size += found.size;
  }
  const bool whole = letters == form.text.size();
  if (form.is_plain_word) {
    const bool is_whole_word = whole && is_word_of_its_own(place.text, place.at, size);
    return {is_whole_word && is_where_credentials_are(place.text, place.at) ? size : 0, form.how};
  }
  const bool enough = place.part ? letters >= recognizable_part(form.text.size())
                                 : whole && (form.is_coded || !spelt.empty() ||
                                             is_word_of_its_own(place.text, place.at, size));
  return {enough ? size : 0, form.is_coded    ? form.how
                             : !spelt.empty() ? spelt
                             : exact          ? ""
                                              : "in another letter case"};
}

std::size_t Secrets::next_start(std::string_view text, std::size_t at) const {
  for (; at + 1 < text.size(); ++at) {
    const auto pair =
        static_cast<unsigned char>(text[at]) * 256U + static_cast<unsigned char>(text[at + 1]);
    if (starts_[pair]) {
      return at;
    }
  }
  return at;
}

// Goes through the text letter by letter, with the forms that begin as it does: many secrets cost
// little more than one.
Secrets::Match Secrets::longest_match(const Position& place) const {
  LongestMatch longest;
  std::span<const EncodedSecret> alike(forms_);
  // Takes forms that end after so many letters; a short part of a secret counts only where it is
  // whole.
  const auto take = [&](std::span<const EncodedSecret> forms, std::size_t letters) {
    for (const auto& form : letters < kTellingPart ? forms_ending(forms, letters) : forms) {
      const bool whole = !place.part || form.is_plain_word;
      if (letters >= (whole ? form.key.size() : recognizable_part(form.key.size()))) {
        longest.take(match(place, form), form.order);
      }
    }
  };
  for (std::size_t letters = 0, size = 0; !alike.empty(); ++letters) {
    const auto rest = place.text.substr(std::min(place.at + size, place.text.size()));
    const auto letter = rest.empty() ? DecodedLetter{} : letter_at(rest, place.json);
    const auto next = rest.empty() ? alike.first(0) : forms_continuing(alike, letters, letter.byte);
    const auto before = static_cast<std::size_t>(next.data() - alike.data());
    take(alike.first(before), letters);
    take(alike.subspan(before + next.size()), letters);
    alike = next;
    size += letter.size;
  }
  return longest.found;
}

// A backslash is itself or begins an escape: of both readings the longer fit.
Secrets::Match Secrets::match_at(Position place, bool has_escapes) const {
  const auto found = longest_match(place);
  place.json = true;
  const auto escaped = has_escapes ? longest_match(place) : Match{};
  return escaped.size > found.size ? escaped : found;
}

// Those of `forms`, which are sorted and the same up to `letters`, that end there.
std::span<const Secrets::EncodedSecret> Secrets::forms_ending(std::span<const EncodedSecret> forms,
                                                              std::size_t letters) {
  const auto end = std::ranges::find_if(
      forms, [letters](const EncodedSecret& form) { return form.key.size() != letters; });
  return forms.first(static_cast<std::size_t>(end - forms.begin()));
}

// Those of `forms`, which are sorted and the same up to `letters`, that go on with `letter`.
std::span<const Secrets::EncodedSecret> Secrets::forms_continuing(
    std::span<const EncodedSecret> forms, std::size_t letters, char letter) {
  const auto at = [letters](const EncodedSecret& form) {
    return form.key.size() > letters
               ? static_cast<int>(static_cast<unsigned char>(form.key[letters]))
               : -1;
  };
  const int wanted = static_cast<unsigned char>(to_lower(letter));
  const auto first = std::ranges::lower_bound(forms, wanted, {}, at);
  const auto last = std::ranges::upper_bound(forms, wanted, {}, at);
  return {first, last};
}

std::optional<std::string> Secrets::shown_in(std::string_view text) const {
  const bool has_escapes = text.find('\\') != std::string_view::npos;
  for (auto at = next_start(text, 0); at < text.size(); at = next_start(text, at + 1)) {
    if (const auto found = match_at({.text = text, .at = at}, has_escapes); found.size != 0) {
      return std::string(found.how);
    }
  }
  return std::nullopt;
}

std::string Secrets::redacted(std::string_view text) const {
  std::string kept;
  std::size_t from = 0;  // of what is not kept yet
  const bool has_escapes = text.find('\\') != std::string_view::npos;
  for (auto at = next_start(text, 0); at < text.size();) {
    const auto found = match_at({.text = text, .at = at, .part = true}, has_escapes);
    if (found.size != 0) {
      kept.append(text, from, at - from).append(kReplacement);
      from = at + found.size;
    }
    at = next_start(text, at + std::max<std::size_t>(found.size, 1));
  }
  return kept.append(text, from);
}

}  // namespace contract_tests::client
