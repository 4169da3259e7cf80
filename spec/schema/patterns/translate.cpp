// ECMAScript's grammar by recursive descent, one function a production, each appending what it read
// to the PCRE2 pattern. Source: ECMA-262 §22.2.1.

#include "spec/schema/patterns/translate.hpp"

#include "spec/schema/patterns/captures.hpp"
#include "spec/schema/patterns/characters.hpp"
#include "spec/schema/patterns/cursor.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace spec::schema::patterns {
namespace {

constexpr std::size_t kMaxDepth = 200;  // PCRE2's own limit is 250 parentheses
constexpr std::uint64_t kMaxCount = 65535;
constexpr std::string_view kAnyButLineEnds = "[^\\n\\r\\x{2028}\\x{2029}]";

bool is_digit(char byte) {
  return byte >= '0' && byte <= '9';
}

struct Quantifier {
  std::uint64_t least = 1;
  std::uint64_t most = 1;
  std::string text;
};

class Translator {
 public:
  Translator(std::string_view pattern, Grammar grammar)
      : cursor_{.text = pattern, .grammar = grammar} {}

  Result<std::string, SyntaxError> run() {
    read_disjunction();
    if (!cursor_.at_end()) {
      cursor_.fail(cursor_.at, "must not close a group that is not open");
    }
    resolve_names();
    check_back_references(cursor_, captures_);
    if (cursor_.error) {
      return Unexpected{*cursor_.error};
    }
    write_references();
    return std::move(out_);
  }

 private:
  struct NamedReference {
    std::size_t index = 0;  // in captures_.references
    std::string_view name;
  };

  // Where the text of a back reference goes, once it is known which groups are closed before it.
  struct Hole {
    std::size_t out = 0;
    std::size_t reference = 0;
  };

  void read_disjunction() {
    if (++depth_ > kMaxDepth) {
      cursor_.fail(cursor_.at, "must not nest groups deeper than 200");
    }
    std::vector<Span> alternatives;
    do {
      if (!alternatives.empty()) {
        out_ += '|';
      }
      const std::size_t start = cursor_.at;
      read_alternative();
      alternatives.push_back({start, cursor_.at});
    } while (cursor_.eat("|"));
    if (alternatives.size() > 1) {
      captures_.optional.insert(captures_.optional.end(), alternatives.begin(), alternatives.end());
    }
    --depth_;
  }

  void read_alternative() {
    while (!cursor_.at_end() && cursor_.peek() != '|' && cursor_.peek() != ')') {
      read_term();
    }
  }

  void read_term() {
    const std::size_t start = cursor_.at;
    const std::size_t out_start = out_.size();
    if (read_assertion()) {
      if (!cursor_.at_end() && peek_quantifier()) {
        cursor_.fail(cursor_.at, "must not repeat an assertion");
      }
      return;
    }
    read_atom();
    const auto quantifier = read_quantifier();
    if (!quantifier) {
      return;
    }
    const Span span{start, cursor_.at};
    if (quantifier->least == 0) {
      captures_.optional.push_back(span);
    }
    if (quantifier->most > 1) {
      captures_.repeated.push_back(span);
    }
    // "(?!)" stands for an empty class and may itself not be repeated.
    if (std::string_view(out_).substr(out_start) == "(?!)") {
      out_.replace(out_start, std::string::npos, "(?:(?!))");
    }
    out_ += quantifier->text;
  }

  // ^ $ \b \B and the look-arounds.
  bool read_assertion() {
    if (cursor_.eat("^")) {
      out_ += '^';
    } else if (cursor_.eat("$")) {
      out_ += '$';
    } else if (cursor_.eat("\\b")) {
      out_ += "\\b";
    } else if (cursor_.eat("\\B")) {
      out_ += "\\B";
    } else {
      for (const std::string_view open : {"(?=", "(?!", "(?<=", "(?<!"}) {
        const std::size_t start = cursor_.at;
        if (cursor_.eat(open)) {
          read_group(open, start);
          return true;
        }
      }
      return false;
    }
    return true;
  }

  // What stands between an opening parenthesis, just read, and its partner.
  void read_group(std::string_view open, std::size_t start) {
    out_ += open;
    read_disjunction();
    if (!cursor_.eat(")")) {
      cursor_.fail(start, "must close the group that is opened by (");
    }
    out_ += ')';
  }

  void read_atom() {
    const std::size_t start = cursor_.at;
    const char byte = cursor_.peek();
    switch (byte) {
      case '.':
        ++cursor_.at;
        out_ += kAnyButLineEnds;
        return;
      case '(':
        ++cursor_.at;
        read_parenthesis(start);
        return;
      case '[':
        ++cursor_.at;
        read_class(cursor_, out_);
        return;
      case '\\':
        ++cursor_.at;
        read_escape(start);
        return;
      case '*':
      case '+':
      case '?': cursor_.fail(start, "must not repeat nothing"); return;
      case '{':
      case '}':
      case ']':
        if (!cursor_.tolerant() || (byte == '{' && peek_quantifier())) {
          cursor_.fail(start, std::string("must not hold a bare ") + byte);
          return;
        }
        break;
      default: break;
    }
    append_literal(out_, cursor_.next_code_point());
  }

  void read_parenthesis(std::size_t start) {
    if (cursor_.eat("?:")) {
      read_group("(?:", start);
      return;
    }
    const std::size_t number = captures_.groups.size();
    if (cursor_.eat("?<")) {
      read_group_name(start);
    } else if (cursor_.peek() == '?') {
      cursor_.fail(start, "must not hold a group of this kind");
      return;
    }
    captures_.groups.push_back({start, cursor_.text.size()});
    read_group("(", start);
    captures_.groups[number].last = cursor_.at;
  }

  // A name and its ">", for the group that is about to be numbered.
  void read_group_name(std::size_t start) {
    const std::string_view name = read_name();
    const bool taken =
        std::ranges::any_of(names_, [name](const auto& known) { return known.first == name; });
    if (name.empty() || taken) {
      cursor_.fail(start, name.empty() ? "must name a group with letters and digits"
                                       : "must not give two groups the same name");
      return;
    }
    names_.emplace_back(name, captures_.groups.size() + 1);
  }

  // An identifier and the ">" behind it; empty if there is none.
  std::string_view read_name() {
    const std::size_t close = cursor_.text.find('>', cursor_.at);
    const std::string_view name =
        close == std::string_view::npos ? "" : cursor_.text.substr(cursor_.at, close - cursor_.at);
    const bool well_formed = std::ranges::all_of(name, [](char byte) {
      return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || is_digit(byte) ||
             byte == '_' || byte == '$' || static_cast<unsigned char>(byte) >= 0x80U;
    });
    if (name.empty() || !well_formed || is_digit(name[0])) {
      return {};
    }
    cursor_.at = close + 1;
    return name;
  }

  void read_escape(std::size_t start) {
    const char byte = cursor_.peek();
    if (byte >= '1' && byte <= '9') {
      std::size_t group = 0;
      const char* first = cursor_.text.data() + cursor_.at;
      const auto result = std::from_chars(first, cursor_.text.data() + cursor_.text.size(), group);
      cursor_.at += static_cast<std::size_t>(result.ptr - first);
      add_reference(start, result.ec == std::errc{} ? group : 0);
    } else if (cursor_.eat("k<")) {
      const std::string_view name = read_name();
      named_.push_back({captures_.references.size(), name});
      add_reference(start, 0);
    } else {
      append_set(out_, read_character_escape(cursor_, false));
    }
  }

  void add_reference(std::size_t start, std::size_t group) {
    holes_.push_back({out_.size(), captures_.references.size()});
    captures_.references.push_back({.span = {start, cursor_.at}, .group = group});
    out_ += "(?:)";
  }

  void resolve_names() {
    for (const NamedReference& reference : named_) {
      for (const auto& [name, group] : names_) {
        if (name == reference.name) {
          captures_.references[reference.index].group = group;
        }
      }
    }
  }

  // A reference to a group that is not closed before it matches nothing, which "(?:)" says already.
  void write_references() {
    for (auto hole = holes_.rbegin(); hole != holes_.rend(); ++hole) {
      const BackReference& reference = captures_.references[hole->reference];
      if (captures_.groups[reference.group - 1].last <= reference.span.first) {
        out_.replace(hole->out, 4, "\\g{" + std::to_string(reference.group) + '}');
      }
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
    if (cursor_.eat("*")) {
      quantifier = Quantifier{.least = 0, .most = UINT64_MAX, .text = "*"};
    } else if (cursor_.eat("+")) {
      quantifier = Quantifier{.least = 1, .most = UINT64_MAX, .text = "+"};
    } else if (cursor_.eat("?")) {
      quantifier = Quantifier{.least = 0, .most = 1, .text = "?"};
    } else {
      quantifier = read_braces();
    }
    if (!quantifier) {
      return std::nullopt;
    }
    if (quantifier->least > quantifier->most) {
      cursor_.fail(start, "must not repeat at least more often than at most");
    } else if (quantifier->least > kMaxCount ||
               (quantifier->most > kMaxCount && quantifier->most != UINT64_MAX)) {
      cursor_.fail(start, "must not repeat more often than 65535 times");
    }
    if (cursor_.eat("?")) {
      quantifier->text += '?';
    }
    return quantifier;
  }

  std::optional<std::uint64_t> read_count() {
    const std::size_t start = cursor_.at;
    std::uint64_t count = 0;
    while (is_digit(cursor_.peek())) {
      const auto digit = static_cast<std::uint64_t>(cursor_.text[cursor_.at++] - '0');
      count = std::min(count * 10 + digit, kMaxCount + 1);
    }
    return cursor_.at == start ? std::nullopt : std::optional(count);
  }

  // {n}, {n,} or {n,m}; no step if what is here is none of them.
  std::optional<Quantifier> read_braces() {
    const std::size_t start = cursor_.at;
    if (cursor_.eat("{")) {
      const auto least = read_count();
      const bool comma = least && cursor_.eat(",");
      const auto most = comma ? read_count() : least;
      if (least && cursor_.eat("}")) {
        return Quantifier{.least = *least,
                          .most = most.value_or(UINT64_MAX),
                          .text = std::string(cursor_.text.substr(start, cursor_.at - start))};
      }
    }
    cursor_.at = start;
    return std::nullopt;
  }

  Cursor cursor_;
  std::string out_;
  Captures captures_;
  std::vector<std::pair<std::string_view, std::size_t>> names_;
  std::vector<NamedReference> named_;
  std::vector<Hole> holes_;
  std::size_t depth_ = 0;
};

}  // namespace

Result<std::string, SyntaxError> translate(std::string_view pattern, Grammar grammar) {
  return Translator(pattern, grammar).run();
}

}  // namespace spec::schema::patterns
