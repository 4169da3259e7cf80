#include "spec/http/form.hpp"

#include "spec/http/bytes.hpp"
#include "spec/http/message.hpp"
#include "spec/text/encoding.hpp"

#include <algorithm>

namespace spec::http {

namespace {

FormPair split_pair(std::string_view text) {
  const std::size_t equals = text.find('=');
  FormPair pair{.name = std::string(text.substr(0, equals)), .value = {}, .text = text};
  if (equals != std::string_view::npos) {
    pair.value = text.substr(equals + 1);
    pair.has_equals = true;
  }
  return pair;
}

// Calls `use` with each piece of `text` between `delimiter`s.
template <typename Use>
void for_each_piece(std::string_view text, char delimiter, Use use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(delimiter), text.size());
    use(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

std::vector<FormPair> split_form(std::string_view text) {
  std::vector<FormPair> pairs;
  for_each_piece(text, '&', [&pairs](std::string_view piece) {
    if (piece.empty()) {
      return;
    }
    FormPair& pair = pairs.emplace_back(split_pair(piece));
    if (pair.name.find_first_of("%+") != std::string::npos) {
      pair.name = text::percent_decode(pair.name, true).value_or(pair.name);
    }
  });
  return pairs;
}

std::vector<FormPair> split_cookies(std::string_view field) {
  std::vector<FormPair> pairs;
  for_each_piece(field, ';', [&pairs](std::string_view piece) {
    if (!trimmed(piece).empty()) {
      pairs.push_back(split_pair(trimmed(piece)));
    }
  });
  return pairs;
}

}  // namespace spec::http
