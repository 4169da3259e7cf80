#include "spec/schema/generate/word_tables.hpp"

#include "spec/document/library.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <charconv>

namespace spec::schema::generate {

namespace {

std::string text_of(const document::Node& node) {
  return std::string(node.is_number() ? node.number_text() : node.string());
}

Words words_of(const document::Node& list, std::size_t from = 0) {
  Words words;
  for (const document::Node& each : list.elements()) {
    words.push_back(text_of(each));
  }
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(from));
  return words;
}

std::int64_t integer_of(const std::string& text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

Region read_region(const document::Node& node) {
  const auto text = [&node](std::string_view name) { return text_of(node.find(name)); };
  Region region{.country = text("country"),
                .code = text("code"),
                .code3 = text("code3"),
                .currency = text("currency"),
                .language = text("language"),
                .phone = text("phone"),
                .phone_digits = static_cast<std::size_t>(integer_of(text("digits"))),
                .first_names = words_of(node.find("first")),
                .last_names = words_of(node.find("last")),
                .streets = words_of(node.find("streets")),
                .places = {}};
  for (const document::Node& each : node.find("places").elements()) {
    const Words parts = words_of(each);
    region.places.push_back({parts[0], parts[1], parts[2], parts[3], parts[4], parts[5], parts[6]});
  }
  return region;
}

std::vector<NameRow> rows_of(const document::Node& list) {
  std::vector<NameRow> rows;
  for (const document::Node& each : list.elements()) {
    rows.push_back({words_of(each).front(), words_of(each, 1)});
  }
  return rows;
}

std::vector<TotalRow> totals_of(const document::Node& list, std::string_view parts) {
  std::vector<TotalRow> rows;
  for (const document::Node& each : list.elements()) {
    TotalRow row{words_of(each.find("total")), {}, {}};
    for (const document::Node& part : each.find(parts).elements()) {
      row.parts.push_back(words_of(part));
    }
    row.minus = each.find("minus") ? words_of(each.find("minus")) : Words{};
    rows.push_back(std::move(row));
  }
  return rows;
}

void read_usage(const document::Node& root, WordTables& tables) {
  tables.texts = rows_of(root.find("texts"));
  for (const NameRow& row : rows_of(root.find("things"))) {
    for (const std::string& name : row.names) {
      tables.things.emplace(name, row.kind);
    }
  }
  for (const auto& [name, place, kind] : root.find("formats").members()) {
    tables.formats.emplace(name, kind.string());
  }
  for (const auto& [name, place, kind] : root.find("hints").members()) {
    tables.hints.emplace(name, kind.string());
  }
  for (const document::Node& each : root.find("ranges").elements()) {
    const Words words = words_of(each);
    tables.ranges.push_back({{integer_of(words[0]), integer_of(words[1])}, words_of(each, 2)});
  }
  for (const document::Node& each : root.find("orders").elements()) {
    tables.orders.push_back({words_of(each)[0], words_of(each)[1]});
  }
  for (const auto& [name, place, words] : root.find("lists").members()) {
    tables.lists.emplace(name, words_of(words));
  }
  tables.wrappers = words_of(root.find("wrappers"));
  tables.persons = words_of(root.find("persons"));
  tables.roles = words_of(root.find("roles"));
  tables.personal_ends = words_of(root.find("personal_ends"));
  tables.times = rows_of(root.find("times"));
  tables.epochs = words_of(root.find("epochs"));
  tables.usable = words_of(root.find("usable"));
  tables.counters = words_of(root.find("counters"));
  tables.outputs = words_of(root.find("outputs"));
  tables.beginnings = words_of(root.find("beginnings"));
  tables.absent = words_of(root.find("absent"));
  tables.money_ends = words_of(root.find("money_ends"));
  tables.sums = totals_of(root.find("sums"), "parts");
  tables.products = totals_of(root.find("products"), "factors");
}

WordTables read_tables() {
  document::Library library;
  const auto root = [&library](const std::string& name, std::string_view text) {
    return library.add("words:" + name, name, text, document::Format::kYaml);
  };
  WordTables tables;
  for (const document::Node& each : root("regions.yaml", regions_text()).elements()) {
    tables.regions.push_back(read_region(each));
  }
  for (const auto& [kind, place, words] : root("pools.yaml", pools_text()).members()) {
    tables.pools.emplace(kind, words_of(words));
  }
  read_usage(root("usage.yaml", usage_text()), tables);
  return tables;
}

bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

}  // namespace

const WordTables& word_tables() {
  static const WordTables tables = read_tables();
  return tables;
}

std::string snake_case(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool ends_capitals =
        i > 0 && is_upper(name[i - 1]) && i + 1 < name.size() && is_lower(name[i + 1]);
    const bool starts_word =
        is_upper(c) && i > 0 &&
        (is_lower(name[i - 1]) || text::is_digit(name[i - 1]) || ends_capitals);
    out += starts_word ? "_" : "";
    out += text::is_letter_or_digit(c) ? c : '_';
  }
  return text::to_lower(out);
}

bool is_named(std::string_view snake, std::string_view form) {
  if (form.starts_with('=')) {
    return snake == form.substr(1);
  }
  const char last = form.back();
  const std::string_view word = last == '$' || last == '*' ? form.substr(0, form.size() - 1) : form;
  for (std::size_t at = snake.find(word); at != snake.npos; at = snake.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool starts = word.front() == '_' || at == 0 || snake[at - 1] == '_';
    const bool ends = end == snake.size() || (last != '$' && (last == '*' || snake[end] == '_'));
    if (starts && ends) {
      return true;
    }
  }
  return false;
}

bool is_named(std::string_view snake, const Words& forms) {
  return std::ranges::any_of(forms,
                             [snake](const std::string& form) { return is_named(snake, form); });
}

}  // namespace spec::schema::generate
