#include "mock_server/service/request/prefer_header.hpp"

#include "spec/http/bytes.hpp"
#include "spec/text/ascii.hpp"

namespace mock_server::service::request {
namespace {

class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }

  void skip_blanks() {
    while (!rest_.empty() && spec::http::is_blank(rest_.front())) {
      rest_.remove_prefix(1);
    }
  }

  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) {
      return false;
    }
    rest_.remove_prefix(1);
    return true;
  }

  std::string token() {
    const std::size_t size = spec::http::run_of(rest_, spec::http::kTokenByte);
    std::string token(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return token;
  }

  // A token or a quoted string.
  std::string word() {
    if (!take('"')) {
      return token();
    }
    std::string text;
    while (!rest_.empty() && !take('"')) {
      if (take('\\') && rest_.empty()) {
        break;
      }
      text += rest_.front();
      rest_.remove_prefix(1);
    }
    return text;
  }

  // Up to and with the next comma that is outside quotes.
  void skip_to_next() {
    while (!rest_.empty() && !take(',')) {
      if (rest_.front() == '"') {
        word();
      } else {
        rest_.remove_prefix(1);
      }
    }
  }

 private:
  std::string_view rest_;
};

}  // namespace

std::vector<Preference> parse_preferences(std::string_view line) {
  std::vector<Preference> preferences;
  Scanner in(line);
  while (!in.done()) {
    in.skip_blanks();
    Preference preference{in.token(), ""};
    in.skip_blanks();
    if (in.take('=')) {
      in.skip_blanks();
      preference.value = in.word();
    }
    if (!preference.name.empty()) {
      preference.name = spec::text::to_lower(preference.name);
      preferences.push_back(std::move(preference));
    }
    in.skip_to_next();
  }
  return preferences;
}

}  // namespace mock_server::service::request
