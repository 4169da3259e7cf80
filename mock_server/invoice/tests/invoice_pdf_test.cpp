#include "mock_server/invoice/invoice_pdf.hpp"

#include "mock_server/invoice/tests/payments.hpp"
#include "spec/document/library.hpp"
#include "spec/tests/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poppler/cpp/poppler-document.h>
#include <poppler/cpp/poppler-global.h>
#include <poppler/cpp/poppler-image.h>
#include <poppler/cpp/poppler-page-renderer.h>
#include <poppler/cpp/poppler-page.h>
#include <qpdf/qpdf-c.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace mock_server::invoice {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// The PDF as two libraries that are not the writer's read it.
struct Reading {
  std::vector<std::string> warnings;  // of qpdf
  std::string text;                   // of poppler, pages one after the other
  std::vector<std::string> pages;
};

std::string utf8(const poppler::ustring& text) {
  const poppler::byte_array bytes = text.to_utf8();
  return {bytes.begin(), bytes.end()};
}

// The warnings of qpdf about the file's structure and streams.
std::vector<std::string> structure_warnings(const std::string& bytes) {
  std::vector<std::string> warnings;
  qpdf_data file = qpdf_init();
  qpdf_set_suppress_warnings(file, QPDF_TRUE);
  qpdf_read_memory(file, "invoice", bytes.data(), bytes.size(), nullptr);
  if ((static_cast<unsigned>(qpdf_check_pdf(file)) & QPDF_ERRORS) != 0) {
    warnings.emplace_back(qpdf_get_error_full_text(file, qpdf_get_error(file)));
  }
  while (qpdf_more_warnings(file) != 0) {
    warnings.emplace_back(qpdf_get_error_full_text(file, qpdf_next_warning(file)));
  }
  qpdf_cleanup(&file);
  return warnings;
}

Reading read_pdf(const std::string& bytes) {
  Reading reading;
  reading.warnings = structure_warnings(bytes);
  poppler::set_debug_error_function([](const std::string&, void*) {}, nullptr);
  const std::unique_ptr<poppler::document> document(
      poppler::document::load_from_raw_data(bytes.data(), static_cast<int>(bytes.size())));
  for (int index = 0; document && index < document->pages(); ++index) {
    const std::unique_ptr<poppler::page> page(document->create_page(index));
    reading.pages.push_back(utf8(page->text(poppler::rectf(), poppler::page::physical_layout)));
    reading.text += reading.pages.back();
  }
  return reading;
}

// The number of pixels of the first page, drawn at one pixel a point, that are darker than middle
// grey.
int dark_pixels(const std::string& bytes) {
  const std::unique_ptr<poppler::document> document(
      poppler::document::load_from_raw_data(bytes.data(), static_cast<int>(bytes.size())));
  const std::unique_ptr<poppler::page> page(document->create_page(0));
  poppler::page_renderer renderer;
  renderer.set_image_format(poppler::image::format_gray8);
  const poppler::image image = renderer.render_page(page.get());
  const std::string_view pixels(
      image.const_data(),
      static_cast<std::size_t>(image.bytes_per_row()) * static_cast<std::size_t>(image.height()));
  return static_cast<int>(std::ranges::count_if(
      pixels, [](char pixel) { return static_cast<unsigned char>(pixel) < 128; }));
}

Reading rendered(const json& payment) {
  return read_pdf(render_invoice(payment));
}

TEST(InvoicePdf, is_a_sound_file_of_one_page) {
  const std::string bytes = render_invoice(sample_payment());

  const Reading reading = read_pdf(bytes);

  EXPECT_THAT(bytes, testing::StartsWith("%PDF-"));
  EXPECT_THAT(reading.warnings, testing::IsEmpty());
  EXPECT_THAT(reading.pages, testing::SizeIs(1));
}

TEST(InvoicePdf, shows_every_text_of_the_record) {
  const std::string text = rendered(sample_payment()).text;

  for (const char* const shown : {"pay_5Yk2TnWq8VxLz0RcJm3Hd",
                                  "MG-2025-000418",
                                  "3 August 2025",
                                  "31 December 2025",
                                  "Card ending in 4242",
                                  "sub_8LqWz3NcYt5KmRx1VhTbP",
                                  "brnd_2RnXc6TwKq9LmZv4YhJsP",
                                  "Marigold Maps",
                                  "14 Quayside Row",
                                  "Bristol",
                                  "support@marigold.example",
                                  "https://marigold.example",
                                  "GB 000 0000 00",
                                  "cus_6TzQm1XkWn7RvYc3LpHdJ",
                                  "Jürgen Weiß",
                                  "Lindenstraße 9",
                                  "Freiburg",
                                  "j@weiss.example",
                                  "DE 111",
                                  "Fleet plan",
                                  "249.00",
                                  "Map tiles",
                                  "228,991",
                                  "0.0005",
                                  "114.50",
                                  "363.50",
                                  "Members",
                                  "-3.50",
                                  "VAT 20 %",
                                  "72.00",
                                  "USD 432.00",
                                  "Thank you.",
                                  "Page 1 of 1"}) {
    EXPECT_THAT(text, HasSubstr(shown));
  }
}

TEST(InvoicePdf, can_be_seen) {
  EXPECT_GT(dark_pixels(render_invoice(sample_payment())), 2000);
}

TEST(InvoicePdf, writes_amounts_by_the_minor_units_of_the_currency) {
  json payment = sample_payment();

  payment["currency"] = "JPY";
  const std::string yen = rendered(payment).text;
  payment["currency"] = "KWD";
  const std::string dinars = rendered(payment).text;

  EXPECT_THAT(yen, HasSubstr("JPY 43,200"));
  EXPECT_THAT(dinars, HasSubstr("KWD 43.200"));
}

TEST(InvoicePdf, has_the_same_bytes_for_the_same_record) {
  EXPECT_EQ(render_invoice(sample_payment()), render_invoice(sample_payment()));
}

TEST(InvoicePdf, has_other_bytes_for_another_record) {
  json other = sample_payment();
  other["total"] = 43201;

  EXPECT_NE(render_invoice(sample_payment()), render_invoice(other));
}

TEST(InvoicePdf, has_the_same_bytes_on_every_thread) {
  json payment = sample_payment();
  payment["customer"]["name"] = "田中";
  const std::string expected = render_invoice(payment);
  std::vector<std::string> results(8);
  {
    std::vector<std::jthread> threads;
    threads.reserve(results.size());
    for (std::string& result : results) {
      threads.emplace_back([&] { result = render_invoice(payment); });
    }
  }

  EXPECT_THAT(results, testing::Each(expected));
}

TEST(InvoicePdf, puts_many_lines_on_many_pages_and_the_table_head_on_each) {
  json payment = sample_payment();
  payment["lines"] = json(100, payment["lines"][0]);

  const Reading reading = rendered(payment);

  ASSERT_THAT(reading.pages, testing::SizeIs(4));
  EXPECT_THAT(reading.pages[1], HasSubstr("Quantity"));
  EXPECT_THAT(reading.pages[2], HasSubstr("Page 3 of 4"));
  EXPECT_THAT(reading.pages[3], HasSubstr("USD 432.00"));
}

TEST(InvoicePdf, shows_characters_that_the_font_lacks_without_losing_the_rest) {
  json payment = sample_payment();
  payment["customer"]["name"] = "田中 美咲";

  const Reading reading = rendered(payment);

  EXPECT_THAT(reading.warnings, testing::IsEmpty());
  EXPECT_THAT(reading.text, HasSubstr("cus_6TzQm1XkWn7RvYc3LpHdJ"));
  EXPECT_THAT(reading.text, HasSubstr("Lindenstraße 9"));
  EXPECT_THAT(reading.text, HasSubstr("田中 美咲"));
}

TEST(InvoicePdf, breaks_words_that_are_wider_than_their_column) {
  json payment = sample_payment();
  payment["lines"][0]["description"] = std::string(300, '#');

  const Reading reading = rendered(payment);

  EXPECT_EQ(std::ranges::count(reading.text, '#'), 300);
  EXPECT_THAT(reading.pages, testing::SizeIs(1));
}

// Texts and lists at the bounds that the collection's schema sets, in the widest of characters.
TEST(InvoicePdf, is_made_of_the_longest_record_that_there_may_be) {
  std::string widest;
  for (int count = 0; count < 500; ++count) {
    widest += "\xEF\xB7\xBA";  // U+FDFA, a sentence in one character
  }
  json payment = sample_payment();
  payment["lines"][0]["description"] = widest;
  payment["lines"] = json(500, payment["lines"][0]);
  payment["seller"]["name"] = widest;
  payment["customer"]["address"] = json(500, widest);
  payment["note"] = widest;

  const Reading reading = rendered(payment);

  EXPECT_THAT(reading.warnings, testing::IsEmpty());
  EXPECT_THAT(reading.text, HasSubstr("USD 432.00"));
}

TEST(InvoicePdf, is_rejected_with_the_place_of_what_is_wrong) {
  json payment = sample_payment();
  payment["lines"][1]["amount"] = "11450";

  EXPECT_EQ(invoice_problem(payment), "lines/1/amount must be a 64-bit integer");
  EXPECT_THROW(render_invoice(payment), std::runtime_error);
}

TEST(InvoicePdf, has_no_problem_with_a_sound_record) {
  EXPECT_EQ(invoice_problem(sample_payment()), std::nullopt);
}

TEST(InvoicePdf, is_made_of_every_payment_of_the_fixtures) {
  spec::document::Library library;
  const auto root = library.open(test_paths::source() + "/fixtures/payments.yaml");
  ASSERT_GE(root.size(), 2U);

  for (const auto& [key, place, payment] : root.members()) {
    const json record = payment.value();
    const Reading reading = rendered(record);
    EXPECT_THAT(reading.warnings, testing::IsEmpty()) << key;
    EXPECT_THAT(reading.text, HasSubstr(std::string(key)));
    EXPECT_THAT(reading.text, HasSubstr(record["customer"]["customer_id"].get<std::string>()));
  }
}

}  // namespace
}  // namespace mock_server::invoice
