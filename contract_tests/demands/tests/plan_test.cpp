// Names, requests and plans, without a server.

#include "contract_tests/demands/planning.hpp"
#include "contract_tests/demands/written_cases.hpp"
#include "contract_tests/plan/list_rules.hpp"
#include "contract_tests/plan/subjects.hpp"
#include "spec/contract/loading/load_contract.hpp"
#include "spec/load_error.hpp"
#include "spec/tests/folder.hpp"
#include "spec/tests/paths.hpp"
#include "spec/tests/rows.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <vector>

namespace contract_tests::plan {
namespace {

namespace fs = std::filesystem;
using run::Case;
using run::Plan;
using run::slug;
using run::touches;
using namespace std::string_view_literals;

TEST(Slug, is_letters_digits_and_single_underscores) {
  EXPECT_EQ(slug("a page size of -1 is rejected"), "a_page_size_of_minus_1_is_rejected");
  EXPECT_EQ(slug("GET /brands/{id}: ok?"), "GET_brands_id_ok");
  EXPECT_NE(slug("bytes=10-"), slug("bytes=-10"));
}

TEST(UnknownLike, keeps_the_shape_and_changes_the_value) {
  const auto unknown = unknown_like("cus_aB3f");

  EXPECT_TRUE(unknown.starts_with("cus_"));
  EXPECT_EQ(unknown.size(), std::string("cus_aB3f").size());
  EXPECT_NE(unknown, "cus_aB3f");
  EXPECT_NE(unknown_like("zzz"), "zzz");
}

TEST(Derived, values_are_similar_to_a_subject_and_differ) {
  Names names;
  names.set("customer", "cus_aBc3");

  EXPECT_EQ(names.find("cut.customer"), "cus_aBc");
  EXPECT_EQ(names.find("half.customer"), "cus_aB");
  EXPECT_EQ(names.find("swapped.customer"), "cus_AbC3");
  EXPECT_EQ(names.find("cut.nobody"), std::nullopt);
  const auto tail = names.find("tail.customer").value();
  EXPECT_TRUE(tail.starts_with("cus_aB"));
  EXPECT_EQ(tail.size(), 8U);
  EXPECT_NE(tail, "cus_aBc3");
  EXPECT_EQ(names_in(nlohmann::json{"${cut.customer} ${licence.valid}"}),
            (std::set<std::string>{"customer", "licence.valid"}));
}

TEST(Names, fill_texts_or_name_the_missing_one) {
  Names names;
  names.set("customer", "cus_1");

  EXPECT_EQ(fill("a ${customer} b"sv, names).value(), "a cus_1 b");
  EXPECT_EQ(fill("${customer}${brand}"sv, names).error(), "brand");
  EXPECT_EQ(fill(nlohmann::json{{"k", {"${customer}"}}}, names).value(),
            (nlohmann::json{{"k", {"cus_1"}}}));
}

Rules rules_of(DataFiles& files, const spec::contract::Contract& contract, const fs::path& file) {
  Rules rules = load_rules(files, file);
  add_inferred_lists(contract, rules);
  return rules;
}

// The project's own contract, rules and cases.
struct Loaded {
  DataFiles files{fs::path(test_paths::source()) / "contract_tests/rules/schemas"};
  fs::path root{test_paths::source()};
  spec::contract::Contract contract =
      spec::contract::load_contract(root / "spec/payments.openapi.yaml");
  Rules rules = rules_of(files, contract, root / "contract_tests/rules/payments.yaml");
  RuleBook book = load_rule_book(files, root / "contract_tests/rules/rule_book.yaml");

  Plan plan(std::uint64_t seed = 1, std::size_t max_cases = demands::kMaxPlannedCases) {
    return demands::make_plan(
        {.contract = contract,
         .rules = rules,
         .book = book,
         .written =
             demands::load_cases(files, root / "contract_tests/cases", contract, rules, book),
         .seed = seed,
         .hostile = load_hostile_texts(files, root / "contract_tests/rules/hostile_texts.yaml"),
         .max_cases = max_cases});
  }
};

TEST(Plan, is_the_same_for_the_same_seed_only) {
  Loaded loaded;

  EXPECT_EQ(loaded.plan().hash(), loaded.plan().hash());
  EXPECT_NE(loaded.plan(1).hash(), loaded.plan(2).hash());
}

// A value that the record does not show cannot be restored from it.
TEST(Plan, changes_an_image_only_on_the_mock_or_where_a_subject_names_it) {
  Loaded loaded;
  std::size_t named = 0;

  for (const auto& item : loaded.plan().cases) {
    if (item.operation == "patch_brand_handler" && touches(item, "image_id")) {
      EXPECT_EQ(item.needs.restores, "brand_image") << item.id;
      named += item.needs.mock_only ? 0 : 1;
    } else {
      EXPECT_EQ(item.needs.restores, "") << item.id;
    }
  }

  EXPECT_GE(named, 5U);
}

TEST(Plan, has_cases_for_every_operation_each_with_a_clause) {
  Loaded loaded;

  const auto plan = loaded.plan();

  EXPECT_GE(plan.cases.size(), 300U);
  for (const auto& operation : loaded.contract.operations()) {
    EXPECT_TRUE(std::ranges::any_of(plan.cases, [&](const Case& item) {
      return item.operation == operation.id;
    })) << operation.id;
  }
  for (const auto& item : plan.cases) {
    EXPECT_FALSE(item.basis.source.clause.empty()) << item.id;
  }
}

// The response to a second request is known only if the first changes nothing, or as rules say.
TEST(Plan, compares_responses_on_one_connection_only_of_what_may_be_repeated) {
  Loaded loaded;
  const auto compared = [](const Plan& plan) {
    std::set<std::string> operations;
    for (const auto& item : plan.cases) {
      if (item.basis.rule == "http/poisoned") {
        operations.insert(item.operation);
      }
    }
    return operations;
  };
  EXPECT_EQ(compared(loaded.plan()).size(), loaded.contract.operations().size());

  const auto answer = std::string("responses: {'200': {description: ok}}}");
  loaded.contract = spec::contract::load_contract_text(
      "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n  /books/1:\n"
      "    get: {operationId: read, " +
      answer + "\n    put: {operationId: change, " + answer + "\n    post: {operationId: create, " +
      answer + "\n    delete: {operationId: remove, " + answer + "\n");
  EXPECT_EQ(compared(demands::make_plan(
                {.contract = loaded.contract, .rules = Rules{}, .book = loaded.book, .seed = 1})),
            std::set<std::string>{"read"});
}

// A contract of a thousand operations has more cases than fit into memory.
TEST(Plan, has_no_more_cases_than_it_may) {
  Loaded loaded;
  const auto whole = loaded.plan();

  const auto plan = loaded.plan(1, 10 * loaded.contract.operations().size());

  EXPECT_EQ(whole.left_out, 0U);
  EXPECT_GE(plan.cases.size() + plan.left_out, whole.cases.size());
  EXPECT_LE(plan.cases.size() + plan.left_out, whole.cases.size() + whole.cases.size() / 10);
  std::set<std::string> rules;
  for (const auto& operation : loaded.contract.operations()) {
    const auto generated = std::ranges::count_if(plan.cases, [&](const Case& item) {
      rules.insert(item.basis.rule);
      return item.operation == operation.id;
    });
    EXPECT_GE(generated, 10) << operation.id;
    EXPECT_LE(generated, 110) << operation.id;  // those in cases/ stay
    EXPECT_TRUE(std::ranges::any_of(plan.cases, [&](const Case& item) {
      return item.operation == operation.id && item.basis.rule == "status/success";
    })) << operation.id;
  }
  EXPECT_GE(rules.size(), 30U);
}

TEST(Requests, are_built_from_the_names_in_the_contract) {
  Loaded loaded;
  Names names;
  names.set("customer", "cus/1");
  names.set("token", "t");
  RequestPlan plan;
  plan.path["customer_id"] = "${customer}";
  plan.query = {{"a", "1+2"}};

  const auto request =
      build_request(*loaded.contract.operation("get_customer_handler"), plan, names, "/v1");

  ASSERT_TRUE(request.has_value());
  EXPECT_EQ(request->target, "/v1/customers/cus%2F1?a=1%2B2");
  EXPECT_EQ(request->headers.find("Authorization"), "Bearer t");
}

TEST(Requests, are_the_same_after_conversion_to_data) {
  RequestPlan plan;
  plan.method = "PATCH";
  plan.path["id"] = "x";
  plan.query = {{"a", "1"}, {"a", "2"}};
  plan.body = nlohmann::json{{"k", nullptr}};
  plan.authorization = "";

  EXPECT_EQ(request_from(to_json(plan)), plan);
}

TEST(HostileTexts, are_sent_unchanged_in_paths_and_queries) {
  Loaded loaded;
  std::set<std::string> targets;
  Names names;
  names.set("subscription", "sub_1");
  names.set("token", "t");

  for (const auto& item : loaded.plan().cases) {
    const auto& operation = *loaded.contract.operation(item.operation);
    const auto request = build_request(operation, item.request, names, "");
    targets.insert(request ? request->target : "");
  }

  for (const auto* target :
       {"/customers/x%FFy", "/customers/x%27", "/customers/..%C0%AF..%C0%AFetc", "/customers/x%00y",
        "/subscriptions/sub_1/usage-history?page_size=x%FFy",
        "/subscriptions/sub_1/usage-history?meter_id=x%ED%A0%80y",
        "/subscriptions/sub_1/usage-history?start_date=x%zzy"}) {
    EXPECT_TRUE(targets.contains(target)) << target;
  }
}

TEST(LeakMarks, find_what_each_row_shows_and_nothing_in_what_it_hides) {
  Loaded loaded;
  const auto file = loaded.root / "contract_tests/rules/leaks.yaml";
  const auto marks = load_leak_marks(loaded.files, file);
  const auto lists = loaded.files.read(file, "leaks").value();

  for (const auto& [list, rows] : lists.items()) {
    for (const auto& row : rows) {
      const auto pattern = row.at("pattern").get<std::string>();
      const auto hides = row.at("hides").get<std::string>();
      EXPECT_TRUE(checks::LeakPatterns({pattern}).find(row.at("shows").get<std::string>()))
          << list << ": " << pattern;
      EXPECT_EQ(marks.anywhere.find(hides), std::nullopt) << pattern;
      EXPECT_EQ(marks.in_errors.find(hides), std::nullopt) << pattern;
      EXPECT_EQ(marks.of_parsers.find(hides), std::nullopt) << pattern;
    }
  }
}

struct WrongFile {
  std::string name;
  std::string text;
  std::string says;
};

using WrongTexts = spec::tests::RowTest;

TEST_P(WrongTexts, are_rejected_with_the_place) {
  const WrongFile& row = GetParam();

  Loaded loaded;
  const test_support::Folder folder;
  const auto file = folder.write("texts.yaml", row.text);
  const bool leaks = row.text.starts_with("anywhere");
  std::string said;

  try {
    leaks ? void(load_leak_marks(loaded.files, file))
          : void(load_hostile_texts(loaded.files, file));
  } catch (const spec::LoadError& error) {
    said = error.what();
  }

  EXPECT_THAT(said, testing::HasSubstr("texts.yaml:" + row.says));
}

const std::vector<WrongFile> kTextsWrongTexts = {
    {"mark_that_is_no_pattern",
     "anywhere: []\nin_errors:\n"
     "  - {pattern: \"x(y)z(\", source: s, shows: a, hides: b}\nof_parsers: []\n",
     "3:"},
    {"mark_too_short",
     "anywhere:\n  - {pattern: at, source: s, shows: a, hides: b}\nin_errors: []\n"
     "of_parsers: []\n",
     "2:"},
    {"mark_without_a_source",
     "anywhere:\n  - {pattern: good, shows: a, hides: b}\nin_errors: []\nof_parsers: []\n", "2:"},
    {"mark_twice",
     "anywhere:\n  - &m {pattern: good, source: s, shows: a, hides: b}\n"
     "  - *m\nin_errors: []\nof_parsers: []\n",
     "2:"},
    {"no_text", "texts:\n  - {what: nothing}\n", "2:"},
    {"two_texts", "texts:\n  - {what: two, text: a, encoded: b}\n", "2:"},
    {"blank_in_what_is_encoded", "texts:\n  - {what: x, encoded: \"a b\"}\n", "2:"},
    {"unknown_word", "texts:\n  - {what: x, text: a, path: true}\n", "2:"}};

INSTANTIATE_TEST_SUITE_P(Texts, WrongTexts, testing::ValuesIn(spec::tests::rows(kTextsWrongTexts)),
                         spec::tests::kRowNames);

using WrongRules = spec::tests::RowTest;

TEST_P(WrongRules, are_rejected_with_the_place) {
  const WrongFile& row = GetParam();

  Loaded loaded;
  const test_support::Folder folder;
  const auto file = folder.write("rules.yaml", "operations:\n  one:\n" + row.text);
  std::string said;

  try {
    load_rules(loaded.files, file);
  } catch (const spec::LoadError& error) {
    said = error.what();
  }

  EXPECT_THAT(said, testing::HasSubstr("rules.yaml:" + row.says));
}

const std::vector<WrongFile> kRulesWrongRules = {
    {"filters_without_pages", "    filters: {clause: c, items: /items}\n",
     "3:14: `filters` needs `pages`"},
    {"nothing_is_shown",
     "    update:\n      {clause: c, nothing: {}, owned: {},\n"
     "       fields: {a: {at: /a, values: [1, 2], echo: derived}}}\n",
     "5:16: at least one field"},
    {"one_value_of_a_volatile_field",
     "    update:\n      {clause: c, nothing: {}, volatile: [/b],\n"
     "       fields: {a: {at: /a, values: [1, 2]}},\n       owned: {b: [1]}}\n",
     "6:19: b is volatile"},
    {"no_key", "    response:\n      - {rule: response/unique, at: /items, clause: c}\n",
     "4:9: response/unique needs `key`"},
    {"unknown_word", "    pages: {clauses: c}\n", "3:"}};

INSTANTIATE_TEST_SUITE_P(Rules, WrongRules, testing::ValuesIn(spec::tests::rows(kRulesWrongRules)),
                         spec::tests::kRowNames);

TEST(Subjects, template_can_be_read_back_and_names_every_subject) {
  Loaded loaded;
  const test_support::Folder folder;
  const auto file = folder.write(
      "subjects.yaml",
      subjects_template(
          {.contract = loaded.contract, .rules = loaded.rules, .made_up = loaded.plan().made_up}));

  const auto names = load_subjects(loaded.files, file);

  for (const auto& subject : loaded.rules.subjects) {
    EXPECT_EQ(names.find(subject.name), subject.example) << subject.name;
  }
}

}  // namespace
}  // namespace contract_tests::plan
