#include "spec/schema/generate/identifiers.hpp"

#include "spec/schema/applicable.hpp"
#include "spec/schema/generate/word_tables.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/names.hpp"

#include <algorithm>
#include <cstddef>

namespace spec::schema::generate {
namespace {

bool has_digit(std::string_view text) {
  return std::ranges::any_of(text, &text::is_digit);
}

bool has_letter(std::string_view text) {
  return std::ranges::any_of(text, &text::is_letter);
}

// The start of a word that is an identifier: "cus_" of "cus_NffrFeUfNV2Hib". `after` is what
// follows the word: of a start alone, a quote or the points of "cus_...".
std::string_view start_of_word(std::string_view word, std::string_view after) {
  constexpr std::size_t kMaxStart = 16;
  constexpr std::size_t kMinTail = 6;
  const std::size_t size = word.find_last_of("_-") + 1;  // 0 when there is none
  const std::string_view start = word.substr(0, size);
  const std::string_view tail = word.substr(size);
  if (size < 3 || size > kMaxStart || has_digit(start)) {
    return {};
  }
  const bool is_open = tail.empty() && !after.empty() &&
                       (after.starts_with("..") || after.starts_with("\u2026") ||
                        after.starts_with('`') || after.starts_with('*'));
  const bool is_hidden = tail.size() > 1 && tail.find_first_not_of("xX") == tail.npos;
  const bool is_key =
      tail.size() >= kMinTail && has_digit(tail) && (has_letter(tail) || start.back() == '_');
  return is_open || is_hidden || is_key ? start : std::string_view{};
}

bool has_id(const Program& program, SchemaId id) {
  return std::ranges::any_of(applicable(program, id, Reach::kCertain), [&](SchemaId one) {
    const auto members = inner_schemas(program, one).properties;
    return std::ranges::find(members, "id", &NamedSchema::name) != members.end();
  });
}

SchemaId record_among(const Program& program, const std::vector<SchemaId>& alternatives) {
  const auto found = std::ranges::find_if(
      alternatives, [&program](SchemaId each) { return has_id(program, each); });
  return found == alternatives.end() ? kNoId : *found;
}

}  // namespace

std::string component_of(const Schema& schema) {
  const document::Node parent = schema.node.parent();
  const bool is_component = parent && parent.key() == "schemas" && parent.parent() &&
                            parent.parent().key() == "components" &&
                            !parent.parent().parent().parent();
  return is_component ? schema.node.key() : "";
}

std::string id_start_of_thing(std::string_view name) {
  constexpr std::size_t kLetters = 3;
  const Words& wrappers = word_tables().wrappers;
  const auto is_wrapper = [&wrappers](const std::string& word) {
    return std::ranges::find(wrappers, word) != wrappers.end();
  };
  std::string snake = snake_case(name);
  while (is_wrapper(snake.substr(snake.rfind('_') + 1))) {
    snake.resize(snake.rfind('_') == snake.npos ? 0 : snake.rfind('_'));
  }
  while (is_wrapper(snake.substr(0, snake.find('_')))) {
    snake.erase(0, snake.find('_') + 1);
  }
  std::erase_if(snake, [](char c) { return c < 'a' || c > 'z'; });
  return snake.size() < kLetters ? "" : snake.substr(0, kLetters) + '_';
}

std::string id_start_of_component(std::string_view component, std::string_view thing) {
  const std::string one = text::plain_name(text::singular(thing));
  const bool is_thing = !one.empty() && text::plain_name(component).ends_with(one);
  const std::string start = is_thing ? id_start_of_thing(one) : std::string{};
  return start.empty() ? id_start_of_thing(component) : start;
}

std::string id_start_in(std::string_view text) {
  const auto is_of_word = [](char c) {
    return text::is_letter_or_digit(c) || c == '_' || c == '-';
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t first = at;
    while (at < text.size() && is_of_word(text[at])) {
      ++at;
    }
    const auto start = start_of_word(text.substr(first, at - first), text.substr(at));
    if (!start.empty()) {
      return std::string(start);
    }
  }
  return "";
}

SchemaId key_beside_record(const Program& program, const std::vector<SchemaId>& alternatives) {
  const auto key = std::ranges::find_if(alternatives, [&program](SchemaId each) {
    return program.schemas[follow_references(program, each)].types == kStringType &&
           listed_constants(program, each).empty();
  });
  return key == alternatives.end() || record_among(program, alternatives) == kNoId ? kNoId : *key;
}

SchemaId record_of_key(const Program& program, const std::vector<SchemaId>& merged) {
  for (const SchemaId id : merged) {
    for (const Rule& rule : program.schemas[id].rules) {
      const bool is_union = rule.keyword == Keyword::kAnyOf || rule.keyword == Keyword::kOneOf;
      const auto all =
          is_union ? schemas_in_place(program, rule, Reach::kPossible) : std::vector<SchemaId>{};
      if (key_beside_record(program, all) != kNoId) {
        return record_among(program, all);
      }
    }
  }
  return kNoId;
}

}  // namespace spec::schema::generate
