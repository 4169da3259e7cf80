#include "mock_server/upstream/settings.hpp"

#include "spec/http/list_field.hpp"
#include "spec/text/number.hpp"
#include "spec/text/quote.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace mock_server::upstream {

namespace {

constexpr std::array<std::string_view, 3> kModes{"observe", "record", "fill"};

}  // namespace

std::optional<Mode> mode_of(std::string_view name) {
  const auto* const found = std::ranges::find(kModes, name);
  return found == kModes.end() ? std::nullopt
                               : std::optional(static_cast<Mode>(found - kModes.begin()));
}

std::string_view name_of(Mode mode) {
  return kModes.at(static_cast<std::size_t>(mode));
}

spec::Result<Fill, std::string> parse_fill(std::string_view text) {
  Fill fill;
  std::string problem;
  spec::http::for_each_element(text, [&](std::string_view element) {
    const auto status = spec::text::parse_number<int>(element);
    if (element == "404-operation") {
      fill.unknown_operation = true;
    } else if (element == "connect-error") {
      fill.connect_error = true;
    } else if (element == "timeout") {
      fill.timeout = true;
    } else if (status && *status >= 200 && *status <= 599) {
      fill.statuses.push_back(*status);
    } else {
      problem =
          "must be a list of statuses (200 to 599), 404-operation, connect-error and "
          "timeout, but has " +
          spec::text::in_quotes(element);
    }
  });
  if (!problem.empty()) {
    return spec::Unexpected{problem};
  }
  return fill;
}

std::string settings_text(std::string_view url, Mode mode, std::string_view fill_on) {
  return std::string(name_of(mode)) + '\n' + std::string(url) + '\n' + std::string(fill_on);
}

std::optional<Settings> parse_settings(std::string_view text) {
  const std::size_t first = text.find('\n');
  const std::size_t second = first == text.npos ? text.npos : text.find('\n', first + 1);
  if (second == text.npos) {
    return std::nullopt;
  }
  const auto mode = mode_of(text.substr(0, first));
  auto url = parse_url(text.substr(first + 1, second - first - 1));
  auto fill = parse_fill(text.substr(second + 1));
  if (!mode || !url || !fill) {
    return std::nullopt;
  }
  return Settings{std::move(url.value()), *mode, std::move(fill.value())};
}

spec::Result<spec::http::client::BaseUrl, std::string> parse_url(std::string_view text) {
  auto url = spec::http::client::parse_base_url(text);
  if (!url) {
    return url;
  }
  auto& made = url.value();
  auto proxy = spec::http::client::proxy_for(made.tls, made.host, made.port,
                                             spec::http::client::read_proxy_environment());
  if (!proxy) {
    return spec::Unexpected{proxy.error()};
  }
  made.proxy = std::move(proxy.value());
  return url;
}

}  // namespace mock_server::upstream
