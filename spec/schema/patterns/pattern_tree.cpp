// ECMAScript's grammar by recursive descent, one function a production. Source: ECMA-262 §22.2.1.

#include "spec/schema/patterns/pattern_tree.hpp"

#include "spec/schema/patterns/characters.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace spec::schema::patterns {

// Back references on which ECMAScript and PCRE2 disagree. ECMAScript empties the groups of a
// repeated part before each round; PCRE2 keeps the captures of earlier rounds.

namespace {

// The parts that decide the text of a back reference.
struct Captures {
  std::map<std::size_t, Span> groups;  // by number
  std::vector<Span> repeated;          // parts that may match more than once
  std::vector<Span> optional;  // parts that may be passed over: x?, x*, one of several alternatives
  std::vector<const Node*> references;

  void collect(const Node& node) {
    if (node.kind == Node::Kind::kGroup && node.group != 0) {
      groups.emplace(node.group, node.span);
    } else if (node.kind == Node::Kind::kReference) {
      references.push_back(&node);
    } else if (node.kind == Node::Kind::kRepeat) {
      if (node.min == 0) {
        optional.push_back(node.span);
      }
      if (node.max > 1) {
        repeated.push_back(node.span);
      }
    }
    for (const Node& child : node.children) {
      if (node.kind == Node::Kind::kAlternatives && node.children.size() > 1) {
        optional.push_back(child.span);
      }
      collect(child);
    }
  }

  // True when `group` may be left out of a round of `round` that `reference` can then see.
  bool may_be_stale(const Span& round, const Span& group, const Span& reference) const {
    return round.contains(group) && std::ranges::any_of(optional, [&](const Span& part) {
             return round.contains(part) && part != round && part.contains(group) &&
                    !part.contains(reference);
           });
  }
};

// The first back reference that names no group, or that may see what an earlier round captured.
std::optional<SyntaxError> wrong_back_reference(const Node& tree) {
  Captures captures;
  captures.collect(tree);
  for (const Node* reference : captures.references) {
    const auto group = captures.groups.find(reference->group);
    if (group == captures.groups.end()) {
      return SyntaxError{reference->span.first, "back reference to a group that does not exist"};
    }
    if (std::ranges::any_of(captures.repeated, [&](const Span& round) {
          return captures.may_be_stale(round, group->second, reference->span);
        })) {
      return SyntaxError{reference->span.first,
                         "back reference to a group that a repetition may skip"};
    }
  }
  return std::nullopt;
}

constexpr std::size_t kMaxDepth = 200;            // PCRE2's own limit is 250 parentheses
constexpr std::size_t kMaxCount = 1'000'000'000;  // longer than any text that is searched

// The set of ".": all but line ends.
CharacterSet all_but_line_ends() {
  return {.negated = true,
          .items = {single('\n'), single('\r'), single(U'\u2028'), single(U'\u2029')}};
}

struct Quantifier {
  std::size_t min = 1;
  std::size_t max = 1;
  bool lazy = false;
};

class Parser {
 public:
  Parser(std::string_view pattern, Grammar grammar)
      : cursor_{.text = pattern, .grammar = grammar} {}

  Result<Node, SyntaxError> run() {
    Node tree = read_disjunction();
    if (!cursor_.at_end()) {
      cursor_.fail(cursor_.at, "unmatched \")\"");
    }
    if (cursor_.error) {
      return Unexpected{*cursor_.error};
    }
    resolve_names(tree);
    if (auto wrong = wrong_back_reference(tree)) {
      return Unexpected{std::move(*wrong)};
    }
    return tree;
  }

 private:
  Node node(Node::Kind kind, std::size_t start) const {
    return {.kind = kind, .span = {start, cursor_.at}, .children = {}, .set = {}};
  }

  Node read_disjunction() {
    if (++depth_ > kMaxDepth) {
      cursor_.fail(cursor_.at, "groups are nested deeper than 200 levels");
    }
    const std::size_t start = cursor_.at;
    std::vector<Node> alternatives;
    do {
      alternatives.push_back(read_alternative());
    } while (cursor_.take("|"));
    --depth_;
    Node all = node(Node::Kind::kAlternatives, start);
    all.children = std::move(alternatives);
    return all;
  }

  Node read_alternative() {
    const std::size_t start = cursor_.at;
    std::vector<Node> terms;
    while (!cursor_.at_end() && cursor_.peek() != '|' && cursor_.peek() != ')') {
      terms.push_back(read_term());
    }
    Node all = node(Node::Kind::kSequence, start);
    all.children = std::move(terms);
    return all;
  }

  Node read_term() {
    const std::size_t start = cursor_.at;
    if (auto assertion = read_assertion()) {
      if (!cursor_.at_end() && peek_quantifier()) {
        cursor_.fail(cursor_.at, "an assertion cannot be repeated");
      }
      return std::move(*assertion);
    }
    Node atom = read_atom();
    const auto quantifier = read_quantifier();
    if (!quantifier) {
      return atom;
    }
    Node repeat = node(Node::Kind::kRepeat, start);
    repeat.min = quantifier->min;
    repeat.max = quantifier->max;
    repeat.lazy = quantifier->lazy;
    repeat.children.push_back(std::move(atom));
    return repeat;
  }

  // ^ $ \b \B and the look-arounds.
  std::optional<Node> read_assertion() {
    const std::size_t start = cursor_.at;
    for (const std::string_view token : {"^", "$", "\\b", "\\B"}) {
      if (cursor_.take(token)) {
        Node anchor = node(Node::Kind::kAnchor, start);
        anchor.anchor = token.back();
        return anchor;
      }
    }
    for (const std::string_view open : {"(?=", "(?!", "(?<=", "(?<!"}) {
      if (cursor_.take(open)) {
        Node look = read_group(Node::Kind::kLook, start);
        look.behind = open.size() == 4;
        look.negated = open.back() == '!';
        return look;
      }
    }
    return std::nullopt;
  }

  // Reads from behind an opening parenthesis to its partner.
  Node read_group(Node::Kind kind, std::size_t start) {
    Node inner = read_disjunction();
    if (!cursor_.take(")")) {
      cursor_.fail(start, "unclosed \"(\"");
    }
    Node group = node(kind, start);
    group.children.push_back(std::move(inner));
    return group;
  }

  Node read_atom() {
    const std::size_t start = cursor_.at;
    const char byte = cursor_.peek();
    switch (byte) {
      case '.': ++cursor_.at; return set_node(all_but_line_ends(), start);
      case '(': ++cursor_.at; return read_parenthesis(start);
      case '[': ++cursor_.at; return set_node(read_class(cursor_), start);
      case '\\': ++cursor_.at; return read_escape(start);
      case '*':
      case '+':
      case '?': cursor_.fail(start, "nothing to repeat"); return {};
      case '{':
      case '}':
      case ']':
        if (!cursor_.tolerant() || (byte == '{' && peek_quantifier())) {
          cursor_.fail(start, std::string("unescaped ") + byte);
          return {};
        }
        break;
      default: break;
    }
    return set_node({.negated = false, .items = {single(cursor_.next_code_point())}}, start);
  }

  Node set_node(CharacterSet set, std::size_t start) const {
    Node one = node(Node::Kind::kSet, start);
    one.set = std::move(set);
    return one;
  }

  Node read_parenthesis(std::size_t start) {
    if (cursor_.take("?:")) {
      return read_group(Node::Kind::kGroup, start);
    }
    if (cursor_.take("?<")) {
      read_group_name(start);
    } else if (cursor_.peek() == '?') {
      cursor_.fail(start, "unknown kind of group");
      return {};
    }
    const std::size_t number = ++groups_;
    Node group = read_group(Node::Kind::kGroup, start);
    group.group = number;
    return group;
  }

  // Reads a name and its ">", for the group that is about to be numbered.
  void read_group_name(std::size_t start) {
    const std::string_view name = read_name();
    const bool taken =
        std::ranges::any_of(names_, [name](const auto& known) { return known.first == name; });
    if (name.empty() || taken) {
      cursor_.fail(start, name.empty() ? "a group name has letters, digits, $ and _"
                                       : "duplicate group name");
      return;
    }
    names_.emplace_back(name, groups_ + 1);
  }

  // Reads an identifier and the ">" behind it; empty if there is none.
  std::string_view read_name() {
    const std::size_t close = cursor_.text.find('>', cursor_.at);
    const std::string_view name =
        close == std::string_view::npos ? "" : cursor_.text.substr(cursor_.at, close - cursor_.at);
    const bool well_formed = std::ranges::all_of(name, [](char byte) {
      return text::is_letter_or_digit(byte) || byte == '_' || byte == '$' ||
             static_cast<unsigned char>(byte) >= 0x80U;
    });
    if (name.empty() || !well_formed || text::is_digit(name[0])) {
      return {};
    }
    cursor_.at = close + 1;
    return name;
  }

  Node read_escape(std::size_t start) {
    const char byte = cursor_.peek();
    if (byte >= '1' && byte <= '9') {
      std::size_t group = 0;
      const char* first = cursor_.text.data() + cursor_.at;
      const auto result = std::from_chars(first, cursor_.text.data() + cursor_.text.size(), group);
      cursor_.at += static_cast<std::size_t>(result.ptr - first);
      return reference(start, result.ec == std::errc{} ? group : 0);
    }
    if (cursor_.take("k<")) {
      const std::string_view name = read_name();
      Node named = reference(start, 0);
      named_.emplace(start, name);
      return named;
    }
    return set_node({.negated = false, .items = {read_character_escape(cursor_, false)}}, start);
  }

  Node reference(std::size_t start, std::size_t group) const {
    Node to = node(Node::Kind::kReference, start);
    to.group = group;
    return to;
  }

  // A reference by name may come before its group.
  void resolve_names(Node& tree) const {
    const auto named =
        tree.kind == Node::Kind::kReference ? named_.find(tree.span.first) : named_.end();
    if (named != named_.end()) {
      const auto group =
          std::ranges::find(names_, named->second, [](const auto& known) { return known.first; });
      tree.group = group == names_.end() ? 0 : group->second;
    }
    for (Node& child : tree.children) {
      resolve_names(child);
    }
  }

  bool peek_quantifier() {
    const std::size_t start = cursor_.at;
    const bool found =
        read_braces() || cursor_.peek() == '*' || cursor_.peek() == '+' || cursor_.peek() == '?';
    cursor_.at = start;
    return found;
  }

  std::optional<Quantifier> read_quantifier() {
    const std::size_t start = cursor_.at;
    std::optional<Quantifier> quantifier;
    if (cursor_.take("*")) {
      quantifier = Quantifier{.min = 0, .max = Node::kEndless};
    } else if (cursor_.take("+")) {
      quantifier = Quantifier{.min = 1, .max = Node::kEndless};
    } else if (cursor_.take("?")) {
      quantifier = Quantifier{.min = 0, .max = 1};
    } else {
      quantifier = read_braces();
    }
    if (!quantifier) {
      return std::nullopt;
    }
    if (quantifier->min > quantifier->max) {
      cursor_.fail(start, "quantifier out of order: its minimum is above its maximum");
    }
    quantifier->lazy = cursor_.take("?");
    return quantifier;
  }

  std::optional<std::size_t> read_count() {
    const std::size_t start = cursor_.at;
    std::size_t count = 0;
    while (text::is_digit(cursor_.peek())) {
      const auto digit = static_cast<std::size_t>(cursor_.text[cursor_.at++] - '0');
      count = std::min(count * 10 + digit, kMaxCount);
    }
    return cursor_.at == start ? std::nullopt : std::optional(count);
  }

  // Reads {n}, {n,} or {n,m}; no step if none of them is here.
  std::optional<Quantifier> read_braces() {
    const std::size_t start = cursor_.at;
    if (cursor_.take("{")) {
      const auto min = read_count();
      const bool comma = min && cursor_.take(",");
      const auto max = comma ? read_count() : min;
      if (min && cursor_.take("}")) {
        return Quantifier{.min = *min, .max = max.value_or(Node::kEndless)};
      }
    }
    cursor_.at = start;
    return std::nullopt;
  }

  Cursor cursor_;
  std::vector<std::pair<std::string_view, std::size_t>> names_;  // of groups, with their numbers
  std::map<std::size_t, std::string_view> named_;  // references by name, by their offset
  std::size_t groups_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace

Result<Node, SyntaxError> parse(std::string_view pattern, Grammar grammar) {
  return Parser(pattern, grammar).run();
}

}  // namespace spec::schema::patterns
