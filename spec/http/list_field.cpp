#include "spec/http/list_field.hpp"

namespace spec::http {

std::optional<std::string> list_field(const Headers& headers, std::string_view name) {
  std::optional<std::string> list;
  for (const std::string_view value : headers.all(name)) {
    list = list ? *list + ", " + std::string(value) : std::string(value);
  }
  return list;
}

}  // namespace spec::http
