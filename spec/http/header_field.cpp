#include "spec/http/header_field.hpp"

#include "spec/text/quote.hpp"

namespace spec::http {

std::optional<std::string> list_field(const Headers& headers, std::string_view name) {
  const auto values = headers.all(name);
  return values.empty() ? std::nullopt : std::optional(text::join(values));
}

}  // namespace spec::http
