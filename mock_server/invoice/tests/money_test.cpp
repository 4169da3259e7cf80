#include "mock_server/invoice/invoice_pdf.hpp"
#include "spec/tests/rows.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <ostream>
#include <vector>

namespace mock_server::invoice {
namespace {

struct AmountCase {
  const char* name;
  std::int64_t units;
  const char* currency;
  const char* text;

  friend void PrintTo(const AmountCase& shown, std::ostream* out) { *out << shown.name; }
};

using Amount = spec::tests::RowTest;

TEST_P(Amount, is_written_by_the_minor_units_of_its_currency) {
  const AmountCase& row = GetParam();

  EXPECT_EQ(format_amount(row.units, row.currency), row.text);
}

const std::vector<AmountCase> kMoneyAmount = {
    {"dollars", 123450, "USD", "1,234.50"},
    {"nothing", 0, "USD", "0.00"},
    {"cents", 7, "EUR", "0.07"},
    {"credit", -5, "USD", "-0.05"},
    {"hundreds", 99999, "USD", "999.99"},
    {"yen", 1234567, "JPY", "1,234,567"},
    {"no_yen", 0, "JPY", "0"},
    {"dinars", 1302125, "KWD", "1,302.125"},
    {"few_fils", -5, "KWD", "-0.005"},
    {"unknown_code", 100, "QQQ", "1.00"},
    {"least_of_all", std::numeric_limits<std::int64_t>::min(), "JPY", "-9,223,372,036,854,775,808"},
    {"most_of_all", std::numeric_limits<std::int64_t>::max(), "USD", "92,233,720,368,547,758.07"}};

INSTANTIATE_TEST_SUITE_P(Money, Amount, testing::ValuesIn(spec::tests::rows(kMoneyAmount)),
                         spec::tests::kRowNames);

TEST(Decimal, keeps_its_digits_and_groups_the_whole_part) {
  EXPECT_EQ(format_decimal("228991"), "228,991");
  EXPECT_EQ(format_decimal("0.0005"), "0.0005");
  EXPECT_EQ(format_decimal("-1234.5678"), "-1,234.5678");
  EXPECT_EQ(format_decimal("100"), "100");
}

}  // namespace
}  // namespace mock_server::invoice
