#include "mock_server/invoice/invoice_record.hpp"

#include "spec/json/number.hpp"
#include "spec/text/ascii.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

namespace mock_server::invoice {
namespace {

using nlohmann::json;
using spec::text::is_all_digits;

bool is_decimal(std::string_view text) {
  text.remove_prefix(text.starts_with('-') ? 1 : 0);
  const std::size_t point = text.find('.');
  return is_all_digits(text.substr(0, point)) &&
         (point == std::string_view::npos || is_all_digits(text.substr(point + 1)));
}

// Reads the members of one object and keeps the first thing that is wrong with any of them. Readers
// of inner objects share the violation.
class Reader {
 public:
  Reader(const json& object, std::string where, std::string& violation)
      : object_(object), where_(std::move(where)), violation_(violation) {
    if (!object.is_object()) {
      violation_of("", "must be an object");
    }
  }

  // "" when it is not there.
  std::string text(const char* name) {
    const json* const value = member(name);
    if (value == nullptr || value->is_null()) {
      return {};
    }
    if (!value->is_string()) {
      violation_of(name, "must be a string");
      return {};
    }
    const auto& found = value->get_ref<const std::string&>();
    if (found.size() > kMaxTextBytes) {
      violation_of(name, "must have at most 2000 bytes");
    }
    return found;
  }

  std::string required_text(const char* name) {
    std::string found = text(name);
    if (found.empty()) {
      violation_of(name, "must be a non-empty string");
    }
    return found;
  }

  std::string decimal(const char* name) {
    std::string found = text(name);
    if (!is_decimal(found) || found.size() > kMaxDecimalBytes) {
      violation_of(name, "must be a string with a decimal number of at most 24 characters");
    }
    return found;
  }

  std::int64_t amount(const char* name) {
    const json* const value = member(name);
    const auto found = value != nullptr ? spec::json::to_int64(*value) : std::nullopt;
    if (!found) {
      violation_of(name, "must be a 64-bit integer");
    }
    return found.value_or(0);
  }

  // A reader of the member `name`; it reports if there is no object.
  Reader inner(const char* name) {
    static const json none;
    const json* const value = member(name);
    return {value == nullptr ? none : *value, where_ + name + '/', violation_};
  }

  bool has(const char* name) const {
    const json* const value = member(name);
    return value != nullptr && !value->is_null();
  }

  // The results of `read` for each element of the array `name`, of at most kMaxElements.
  template <typename Read>
  auto list(const char* name, Read read) {
    std::vector<decltype(read(std::declval<Reader&>()))> result;
    const json* const array = member(name);
    if (array == nullptr) {
      return result;
    }
    if (!array->is_array() || array->size() > kMaxElements) {
      violation_of(name, "must be an array with at most 500 elements");
      return result;
    }
    for (const json& element : *array) {
      Reader reader(element, where_ + name + '/' + std::to_string(result.size()) + '/', violation_);
      result.push_back(read(reader));
    }
    return result;
  }

  std::vector<std::string> texts(const char* name) {
    std::vector<std::string> result;
    const json* const array = member(name);
    if (array == nullptr) {
      return result;
    }
    const auto is_text = [](const json& element) {
      return element.is_string() && element.get_ref<const std::string&>().size() <= kMaxTextBytes;
    };
    if (!array->is_array() || array->size() > kMaxElements ||
        !std::ranges::all_of(*array, is_text)) {
      violation_of(name, "must be an array with at most 500 strings");
      return result;
    }
    return array->get<std::vector<std::string>>();
  }

  void violation_of(std::string_view name, std::string_view message) {
    if (violation_.empty()) {
      std::string place = where_ + std::string(name);
      if (place.ends_with('/')) {
        place.pop_back();
      }
      violation_ = (place.empty() ? "the record" : place) + ' ' + std::string(message);
    }
  }

 private:
  const json* member(const char* name) const {
    if (!object_.is_object()) {
      return nullptr;
    }
    const auto found = object_.find(name);
    return found == object_.end() ? nullptr : &*found;
  }

  const json& object_;
  std::string where_;
  std::string& violation_;
};

Party read_party(Reader reader) {
  Party party;
  party.name = reader.required_text("name");
  party.address = reader.texts("address");
  party.email = reader.text("email");
  party.url = reader.text("url");
  party.tax_id = reader.text("tax_id");
  return party;
}

Line read_line(Reader& reader) {
  return {.description = reader.text("description"),
          .quantity = reader.decimal("quantity"),
          .unit_price = reader.decimal("unit_price"),
          .amount = reader.amount("amount")};
}

Tax read_tax(Reader& reader) {
  return {.name = reader.text("name"),
          .rate = reader.decimal("rate"),
          .amount = reader.amount("amount")};
}

void read_parties(Reader& reader, Invoice& invoice) {
  invoice.seller = read_party(reader.inner("seller"));
  invoice.seller.id = reader.inner("seller").text("brand_id");
  invoice.customer = read_party(reader.inner("customer"));
  invoice.customer.id = reader.inner("customer").required_text("customer_id");
}

void read_amounts(Reader& reader, Invoice& invoice) {
  invoice.lines = reader.list("lines", read_line);
  invoice.subtotal = reader.amount("subtotal");
  if (reader.has("discount")) {
    Reader discount = reader.inner("discount");
    invoice.discount = {.description = discount.text("description"),
                        .amount = discount.amount("amount")};
  }
  invoice.taxes = reader.list("taxes", read_tax);
  invoice.total = reader.amount("total");
}

}  // namespace

spec::Result<Invoice, std::string> read_invoice(const nlohmann::json& payment) {
  std::string violation;
  Reader reader(payment, "", violation);
  Invoice invoice;
  invoice.payment_id = reader.required_text("payment_id");
  invoice.number = reader.text("number");
  invoice.issued_at = reader.required_text("issued_at");
  invoice.paid_at = reader.text("paid_at");
  invoice.currency = reader.required_text("currency");
  if (invoice.currency.size() != 3) {
    reader.violation_of("currency", "must be a currency code of three letters");
  }
  invoice.payment_method = reader.text("payment_method");
  if (invoice.paid_at.empty()) {
    invoice.payment_method.clear();  // what is not paid was paid in no way
  }
  invoice.subscription_id = reader.text("subscription_id");
  read_parties(reader, invoice);
  read_amounts(reader, invoice);
  invoice.note = reader.text("note");
  if (!violation.empty()) {
    return spec::Unexpected{std::move(violation)};
  }
  return invoice;
}

}  // namespace mock_server::invoice
