#include "mock_server/invoice/invoice_pdf.hpp"

#include "mock_server/invoice/invoice_canvas.hpp"
#include "mock_server/invoice/invoice_record.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace mock_server::invoice {

namespace {

constexpr std::array<std::string_view, 17> kNoMinorUnit = {"BIF", "CLP", "DJF", "GNF", "ISK", "JPY",
                                                           "KMF", "KRW", "PYG", "RWF", "UGX", "UYI",
                                                           "VND", "VUV", "XAF", "XOF", "XPF"};
constexpr std::array<std::string_view, 7> kThousandths = {"BHD", "IQD", "JOD", "KWD",
                                                          "LYD", "OMR", "TND"};

// "1,234,567" for "1234567".
std::string grouped(std::string_view digits) {
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) {
      text += ',';
    }
    text += digits[i];
  }
  return text;
}

}  // namespace

int minor_digits(std::string_view currency) {
  if (std::ranges::find(kNoMinorUnit, currency) != kNoMinorUnit.end()) {
    return 0;
  }
  return std::ranges::find(kThousandths, currency) != kThousandths.end() ? 3 : 2;
}

std::string format_amount(std::int64_t smallest_units, std::string_view currency) {
  const auto fraction = static_cast<std::size_t>(minor_digits(currency));
  // The magnitude of the smallest int64 has no int64.
  const auto bits = static_cast<std::uint64_t>(smallest_units);
  std::string digits = std::to_string(smallest_units < 0 ? ~bits + 1 : bits);
  if (digits.size() <= fraction) {
    digits.insert(0, fraction + 1 - digits.size(), '0');
  }
  const std::string_view all = digits;
  std::string text =
      (smallest_units < 0 ? "-" : "") + grouped(all.substr(0, all.size() - fraction));
  if (fraction > 0) {
    text += '.';
    text += all.substr(all.size() - fraction);
  }
  return text;
}

std::string format_decimal(std::string_view decimal) {
  const bool negative = decimal.starts_with('-');
  decimal.remove_prefix(negative ? 1 : 0);
  const std::size_t whole = std::min(decimal.find('.'), decimal.size());
  return (negative ? "-" : "") + grouped(decimal.substr(0, whole)) +
         std::string(decimal.substr(whole));
}

namespace {

constexpr float kLeft = 54;
constexpr float kRight = kPageWidth - 54;
constexpr float kMiddle = 306;
constexpr float kTop = 72;
constexpr float kBottom = kPageHeight - 84;
constexpr float kLineHeight = 13;
constexpr float kGap = 22;
constexpr float kMaxRowLines = 40;  // that stay together on a page

// The right ends of the table's columns of numbers, and the width of the column of descriptions.
constexpr float kQuantityRight = 366;
constexpr float kUnitPriceRight = 452;
constexpr float kDescriptionWidth = 240;
constexpr float kSumLabelRight = 452;

constexpr Colour kGrey{.red = 0.42F, .green = 0.42F, .blue = 0.45F};
constexpr Colour kPale{.red = 0.85F, .green = 0.85F, .blue = 0.87F};
constexpr Colour kAccent{.red = 0.80F, .green = 0.42F, .blue = 0.03F};

constexpr Style kBody{};
constexpr Style kStrong{.bold = true};
constexpr Style kLabel{.size = 8, .colour = kGrey};
constexpr Style kTitle{.size = 20, .bold = true};
constexpr Style kHeading{.size = 20, .colour = kAccent};
constexpr Style kTotal{.size = 11.5F, .bold = true};

// Every text of the record, to find out which characters the document needs.
bool all_latin(const Invoice& invoice) {
  std::string all = invoice.payment_id + invoice.number + invoice.currency +
                    invoice.payment_method + invoice.subscription_id + invoice.note;
  for (const Party* const party : {&invoice.seller, &invoice.customer}) {
    all += party->id + party->name + party->email + party->url + party->tax_id;
    for (const std::string& line : party->address) {
      all += line;
    }
  }
  for (const Line& line : invoice.lines) {
    all += line.description;
  }
  for (const Tax& tax : invoice.taxes) {
    all += tax.name;
  }
  if (invoice.discount) {
    all += invoice.discount->description;
  }
  return is_latin(code_points(all));
}

// One block of text: lines of one style.
struct Block {
  float x = kLeft;
  Style style;
  std::vector<std::u32string> lines;
};

// Draws one invoice from the top of its first page to the foot of its last.
class Sheet {
 public:
  explicit Sheet(const Invoice& invoice)
      : invoice_(invoice), canvas_(all_latin(invoice) ? Characters::kLatin : Characters::kAll) {}

  std::string draw() {
    begin_page();
    draw_head();
    draw_facts();
    draw_parties();
    draw_table();
    draw_sums();
    draw_note();
    draw_feet();
    canvas_.describe(code_points("Invoice " + invoice_.number), code_points(invoice_.seller.name));
    return canvas_.finish();
  }

 private:
  void begin_page() {
    canvas_.add_page();
    y_ = kTop;
  }

  // Makes room for `height`; says whether that took a new page.
  bool need(float height) {
    if (y_ + height <= kBottom) {
      return false;
    }
    begin_page();
    return true;
  }

  std::vector<std::u32string> wrapped(std::string_view text, float width,
                                      const Style& style) const {
    return wrap(code_points(text), width, [&](char32_t character) {
      return canvas_.width(std::u32string_view(&character, 1), style);
    });
  }

  // Blocks side by side, line by line, over as many pages as they need.
  void draw_side_by_side(const std::vector<Block>& blocks) {
    std::size_t height = 0;
    for (const Block& block : blocks) {
      height = std::max(height, block.lines.size());
    }
    for (std::size_t row = 0; row < height; ++row) {
      need(kLineHeight);
      for (const Block& block : blocks) {
        if (row < block.lines.size()) {
          canvas_.draw(block.x, y_, block.lines[row], block.style);
        }
      }
      y_ += kLineHeight;
    }
  }

  void draw_head() {
    canvas_.draw_right(kRight, y_, U"Invoice", kHeading);
    for (const std::u32string& line : wrapped(invoice_.seller.name, kMiddle, kTitle)) {
      need(kTitle.size);
      canvas_.draw(kLeft, y_, line, kTitle);
      y_ += kTitle.size + 4;
    }
    canvas_.rule(kLeft, kRight, y_ - 8, 1.2F, kAccent);
    y_ += kGap - 8;
  }

  void draw_fact(std::string_view label, std::string_view value) {
    if (!value.empty()) {
      draw_side_by_side(
          {{.x = kLeft, .style = kLabel, .lines = {code_points(label)}},
           {.x = kLeft + 96, .style = kBody, .lines = wrapped(value, kRight - kLeft - 96, kBody)}});
    }
  }

  void draw_facts() {
    draw_fact("Invoice number", invoice_.number);
    draw_fact("Payment", invoice_.payment_id);
    draw_fact("Subscription", invoice_.subscription_id);
    draw_fact("Date", date_words(invoice_.issued_at));
    draw_fact("Paid", date_words(invoice_.paid_at));
    draw_fact("Paid by", invoice_.payment_method);
    y_ += kGap - kLineHeight + 4;
  }

  std::vector<std::u32string> party_lines(const Party& party) const {
    std::vector<std::u32string> lines;
    const auto add = [&](std::string_view text) {
      if (!text.empty()) {
        std::ranges::move(wrapped(text, kMiddle - kLeft - 24, kBody), std::back_inserter(lines));
      }
    };
    std::ranges::for_each(party.address, add);
    add(party.email);
    add(party.url);
    add(party.tax_id.empty() ? std::string() : "Tax ID " + party.tax_id);
    add(party.id);
    return lines;
  }

  void draw_parties() {
    const float width = kMiddle - kLeft - 24;
    draw_side_by_side({{.x = kLeft, .style = kLabel, .lines = {U"From"}},
                       {.x = kMiddle, .style = kLabel, .lines = {U"Billed to"}}});
    draw_side_by_side(
        {{.x = kLeft, .style = kStrong, .lines = wrapped(invoice_.seller.name, width, kStrong)},
         {.x = kMiddle,
          .style = kStrong,
          .lines = wrapped(invoice_.customer.name, width, kStrong)}});
    draw_side_by_side({{.x = kLeft, .style = kBody, .lines = party_lines(invoice_.seller)},
                       {.x = kMiddle, .style = kBody, .lines = party_lines(invoice_.customer)}});
    y_ += kGap;
  }

  void draw_table_head() {
    canvas_.draw(kLeft, y_, U"Description", kLabel);
    canvas_.draw_right(kQuantityRight, y_, U"Quantity", kLabel);
    canvas_.draw_right(kUnitPriceRight, y_, U"Unit price", kLabel);
    canvas_.draw_right(kRight, y_, code_points("Amount, " + invoice_.currency), kLabel);
    canvas_.rule(kLeft, kRight, y_ + 6, 0.8F, kGrey);
    y_ += kLineHeight + 8;
  }

  void draw_table() {
    need(3 * kLineHeight + 8);
    draw_table_head();
    for (const Line& line : invoice_.lines) {
      draw_row(line);
    }
    y_ += 6;
  }

  void need_in_table(float height) {
    if (need(height)) {
      draw_table_head();
    }
  }

  // A row is torn apart only if a page cannot hold it.
  void draw_row(const Line& line) {
    const auto description = wrapped(line.description, kDescriptionWidth, kBody);
    need_in_table(std::min(static_cast<float>(description.size()), kMaxRowLines) * kLineHeight);
    canvas_.draw_right(kQuantityRight, y_, code_points(format_decimal(line.quantity)), kBody);
    canvas_.draw_right(kUnitPriceRight, y_, code_points(format_decimal(line.unit_price)), kBody);
    canvas_.draw_right(kRight, y_, amount(line.amount), kBody);
    for (const std::u32string& part : description) {
      need_in_table(kLineHeight);
      canvas_.draw(kLeft, y_, part, kBody);
      y_ += kLineHeight;
    }
    canvas_.rule(kLeft, kRight, y_ - 7, 0.4F, kPale);
    y_ += 5;
  }

  std::u32string amount(std::int64_t units) const {
    return code_points(format_amount(units, invoice_.currency));
  }

  void draw_sum(std::string_view label, std::u32string_view value, const Style& style) {
    const auto lines = wrapped(label, kSumLabelRight - kMiddle, style);
    need(static_cast<float>(lines.size()) * kLineHeight + 3);
    canvas_.draw_right(kRight, y_, std::u32string(value), style);
    const float right = std::min(kSumLabelRight, kRight - canvas_.width(value, style) - 12);
    for (const std::u32string& line : lines) {
      canvas_.draw_right(right, y_, line, style);
      y_ += kLineHeight;
    }
    y_ += 3;
  }

  void draw_sums() {
    draw_sum("Subtotal", amount(invoice_.subtotal), kBody);
    if (invoice_.discount) {
      draw_sum(invoice_.discount->description, U"-" + amount(invoice_.discount->amount), kBody);
    }
    for (const Tax& tax : invoice_.taxes) {
      draw_sum(tax.name + ' ' + format_decimal(tax.rate) + " %", amount(tax.amount), kBody);
    }
    need(3 * kLineHeight);
    canvas_.rule(kMiddle, kRight, y_ - 5, 0.8F, kGrey);
    y_ += kLineHeight - 2;
    draw_sum("Total", code_points(invoice_.currency) + U' ' + amount(invoice_.total), kTotal);
    y_ += kGap;
  }

  void draw_note() {
    if (!invoice_.note.empty()) {
      draw_side_by_side(
          {{.x = kLeft, .style = kLabel, .lines = wrapped(invoice_.note, kRight - kLeft, kLabel)}});
    }
  }

  void draw_feet() {
    const std::string of = " of " + std::to_string(canvas_.page_count());
    for (std::size_t page = 0; page < canvas_.page_count(); ++page) {
      canvas_.select_page(page);
      canvas_.rule(kLeft, kRight, kPageHeight - 60, 0.4F, kPale);
      const auto left = wrapped(invoice_.payment_id, kRight - kLeft - 80, kLabel);
      canvas_.draw(kLeft, kPageHeight - 46, left.front(), kLabel);
      canvas_.draw_right(kRight, kPageHeight - 46,
                         code_points("Page " + std::to_string(page + 1) + of), kLabel);
    }
  }

  const Invoice& invoice_;
  Canvas canvas_;
  float y_ = kTop;
};

}  // namespace

std::optional<std::string> invoice_problem(const nlohmann::json& payment) {
  const auto invoice = read_invoice(payment);
  return invoice ? font_problem() : invoice.error();
}

std::string render_invoice(const nlohmann::json& payment) {
  const auto invoice = read_invoice(payment);
  if (!invoice) {
    throw std::runtime_error(invoice.error());
  }
  return Sheet(*invoice).draw();
}

}  // namespace mock_server::invoice
