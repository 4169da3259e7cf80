#include "spec/schema/generate/believable_values.hpp"
#include "spec/text/names.hpp"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <utility>

namespace spec::schema::generate {

namespace {

bool is_one_of(const Kind* kind, std::initializer_list<std::string_view> names) {
  return kind != nullptr && std::ranges::find(names, kind->name) != names.end();
}

template <typename Row>
const Row* row_of(const std::vector<Row>& rows, std::string_view snake) {
  const auto found =
      std::ranges::find_if(rows, [snake](const auto& row) { return is_named(snake, row.names); });
  return found == rows.end() ? nullptr : &*found;
}

NameTime time_of(std::string_view snake) {
  constexpr std::pair<std::string_view, NameTime> kTimes[] = {{"birth", NameTime::kBirth},
                                                              {"later", NameTime::kLater},
                                                              {"soon", NameTime::kSoon},
                                                              {"creation", NameTime::kCreation}};
  const NameRow* const row = row_of(word_tables().times, snake);
  const auto* const found = std::ranges::find_if(
      kTimes, [row](const auto& each) { return row != nullptr && each.first == row->kind; });
  return found == std::end(kTimes) ? NameTime::kOther : found->second;
}

bool holds(const Words& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

bool is_of_total(const TotalRow& row, const std::string& plain) {
  return holds(row.total, plain) || holds(row.minus, plain) ||
         std::ranges::any_of(row.parts, [&plain](const Words& part) { return holds(part, plain); });
}

// "price" for "pricecents".
std::string amount_in(const std::string& plain) {
  const Words& ends = word_tables().money_ends;
  const auto end = std::ranges::find_if(ends, [&plain](const std::string& each) {
    return plain.size() > each.size() && plain.ends_with(each);
  });
  return plain.substr(0, plain.size() - (end == ends.end() ? 0 : end->size()));
}

bool has_to_agree(const NameUsage& usage) {
  const WordTables& tables = word_tables();
  const auto is_total = [&usage](const TotalRow& row) { return is_of_total(row, usage.amount); };
  const auto is_end = [&usage](const auto& ends) {
    return is_named(usage.snake, ends[0]) || is_named(usage.snake, ends[1]);
  };
  return std::ranges::any_of(tables.sums, is_total) ||
         std::ranges::any_of(tables.products, is_total) ||
         std::ranges::any_of(tables.orders, is_end) ||
         std::ranges::any_of(
             tables.lists, [&usage](const auto& each) { return holds(each.second, usage.plain); });
}

// "manager" of "manager_name" and "manager"; "" for names of no role.
std::string role_in(std::string_view snake) {
  const WordTables& tables = word_tables();
  const auto end = std::ranges::find_if(
      tables.personal_ends, [snake](const std::string& each) { return snake.ends_with(each); });
  if (end != tables.personal_ends.end()) {
    snake.remove_suffix(end->size());
  }
  return holds(tables.roles, std::string(snake)) ? std::string(snake) : std::string{};
}

NameUsage read_usage_of(std::string_view name) {
  const WordTables& tables = word_tables();
  const std::string snake = snake_case(name);
  NameUsage usage{.snake = snake, .plain = text::plain_name(name)};
  usage.amount = amount_in(usage.plain);
  usage.thing = kind_of_thing(name);
  usage.agrees = has_to_agree(usage);
  const NameRow* const row = row_of(tables.texts, snake);
  usage.text = row == nullptr ? nullptr : find_kind(row->kind);
  usage.is_id = is_one_of(usage.text, {"id"});
  usage.is_date = is_one_of(usage.text, {"date_time", "date", "clock_time"});
  usage.time = time_of(snake);
  usage.is_epoch = is_named(snake, tables.epochs) && !snake.ends_with("_in");  // "expires_in"
  usage.is_absent = is_named(snake, tables.absent);
  usage.is_person = is_one_of(
      usage.text, {"first_name", "last_name", "full_name", "gender", "salutation", "job_title"});
  usage.is_own = is_named(snake, tables.persons);
  usage.role = role_in(snake);
  usage.is_mail = is_named(snake, Words{"=email", "=email_address", "=mail", "=username"});
  usage.is_place =
      is_one_of(usage.text, {"city", "postal_code", "street", "address_rest", "region"});
  usage.is_record = snake == "id" || is_one_of(usage.text, {"name", "currency", "uuid"}) ||
                    usage.is_person || usage.is_mail || usage.time == NameTime::kCreation;
  for (const auto& [range, names] : tables.ranges) {
    if (!usage.range && is_named(snake, names)) {
      usage.range = range;
    }
  }
  return usage;
}

}  // namespace

const Kind* kind_of_thing(std::string_view name) {
  const WordTables& tables = word_tables();
  std::string snake = snake_case(name);
  const auto known = [&tables](const std::string& word) {
    const auto found = tables.things.find(word);
    return found == tables.things.end() ? nullptr : find_kind(found->second);
  };
  while (!snake.empty()) {
    const std::size_t start = snake.rfind('_') + 1;  // 0 when there is none
    const std::string word = text::singular(snake.substr(start));
    const std::size_t before = start < 2 ? 0 : snake.rfind('_', start - 2) + 1;
    const bool is_wrapper =
        start > 0 && std::ranges::find(tables.wrappers, word) != tables.wrappers.end();
    if (const Kind* two =
            start > 0 ? known(snake.substr(before, start - before) + word) : nullptr) {
      return two;
    }
    if (const Kind* one = is_wrapper ? nullptr : known(word)) {
      return one;
    }
    snake.resize(start == 0 ? 0 : start - 1);
  }
  return nullptr;
}

bool is_wrapper(std::string_view name) {
  const std::string snake = snake_case(name);
  return holds(word_tables().wrappers, snake) ||
         holds(word_tables().wrappers, text::singular(snake));
}

bool is_of_company(const Scene& scene) {
  return !scene.has_person &&
         is_one_of(scene.thing, {"company", "place_name", "restaurant", "hotel", "bank", "team"});
}

bool is_of_person(const Kind* thing) {
  return is_one_of(thing, {"full_name"});
}

const NameUsage& usage_of(std::string_view name) {
  static std::shared_mutex mutex;
  static std::map<std::string, std::unique_ptr<const NameUsage>, std::less<>> kept;
  {
    const std::shared_lock lock(mutex);
    if (const auto found = kept.find(name); found != kept.end()) {
      return *found->second;
    }
  }
  auto made = std::make_unique<const NameUsage>(read_usage_of(name));
  const std::unique_lock lock(mutex);
  return *kept.try_emplace(std::string(name), std::move(made)).first->second;
}

}  // namespace spec::schema::generate
