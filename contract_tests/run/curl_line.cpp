#include "contract_tests/run/curl_line.hpp"

#include "contract_tests/plan/request_plan.hpp"
#include "contract_tests/plan/subjects.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/quote.hpp"
#include "spec/text/utf8.hpp"

#include <vector>

namespace contract_tests::run {

using client::Exchange;
using client::Secrets;
using spec::text::equals_ignoring_case;

namespace {

// A text that cases send for a credential, and what a shell makes into it.
struct Spelling {
  std::string text;
  std::string expression;
  bool anywhere = false;  // not only in the field Authorization
};

std::vector<Spelling> spellings_of(const Secrets& secrets) {
  std::vector<Spelling> all;
  for (const auto& [name, value] : secrets.variables()) {
    const bool anywhere = client::is_recognizable(value);
    const auto piped = "\"$(printf %s \"$" + name + "\" | ";
    const bool is_pair = value.find(':') != std::string::npos;
    all.push_back({value, "\"$" + name + '"', anywhere});
    all.push_back({plan::other_case(value), piped + "tr A-Za-z a-zA-Z)\"", anywhere});
    all.push_back(
        {plan::basic_credentials(value),
         (is_pair ? piped : "\"$(printf %s: \"$" + name + "\" | ") + "base64 | tr -d '\\n')\"",
         anywhere});
    all.push_back({spec::text::percent_encode(value),
                   piped + "od -An -v -tx1 | tr -d '\\n' | tr ' ' %)\"", anywhere});
  }
  return all;
}

// The argument of printf for any bytes.
std::string printf_text(std::string_view bytes) {
  std::string text;
  for (const char letter : bytes) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool plain = spec::text::is_letter(letter) || letter == ' ' || letter == '-' ||
                       letter == '.' || letter == '/';
    if (plain) {
      text += letter;
    } else {
      text += {'\\', static_cast<char>('0' + (byte >> 6U)),
               static_cast<char>('0' + (byte >> 3U & 7U)), static_cast<char>('0' + (byte & 7U))};
    }
  }
  return text;
}

// True if a terminal shows the text as it is.
bool is_plain(std::string_view text) {
  return spec::text::without_controls(text) == text;
}

// Texts as words of a shell: in single quotes, but for credentials.
class Shell {
 public:
  explicit Shell(const Secrets& secrets) : secrets_(secrets), spellings_(spellings_of(secrets)) {}

  std::string word(std::string_view text, bool is_credential = false) const {
    std::string out = "'";
    std::size_t from = 0;  // of what is not written yet
    for (std::size_t at = 0; at < text.size();) {
      const auto* spelt = spelling_at(text.substr(at), is_credential);
      if (spelt != nullptr) {
        out += literal(text.substr(from, at - from)) + '\'' + spelt->expression + '\'';
        from = at + spelt->text.size();
      }
      at = spelt != nullptr ? from : at + 1;
    }
    return out + literal(text.substr(from)) + '\'';
  }

  // "name:password" of a field Authorization with a credential of the run; "" for any other.
  // Source: RFC 7617 §2.
  std::string user(std::string_view authorization) const {
    constexpr std::string_view kBasic = "Basic ";
    const auto pair = authorization.starts_with(kBasic)
                          ? spec::text::from_base64(authorization.substr(kBasic.size()))
                          : std::nullopt;
    const bool is_pair = pair && pair->find(':') != std::string::npos;
    auto written = is_pair ? word(*pair, true) : "";
    return written.find("'\"$") == std::string::npos ? "" : written;
  }

 private:
  // The longest one at the start of `text`; of equal ones the first.
  const Spelling* spelling_at(std::string_view text, bool is_credential) const {
    const Spelling* longest = nullptr;
    for (const auto& spelling : spellings_) {
      if ((is_credential || spelling.anywhere) && text.starts_with(spelling.text) &&
          (longest == nullptr || longest->text.size() < spelling.text.size())) {
        longest = &spelling;
      }
    }
    return longest;
  }

  // Inside single quotes. What is left of a secret is replaced as in every report.
  std::string literal(std::string_view text) const {
    constexpr std::string_view kToken = "$TOKEN";
    const auto shown = secrets_.redacted(text);
    if (!is_plain(shown)) {
      return "'\"$(printf '" + printf_text(shown) + "')\"'";
    }
    std::string out;
    for (std::size_t at = 0; at < shown.size(); ++at) {
      if (shown.compare(at, kToken.size(), kToken) == 0) {
        out += "'\"$TOKEN\"'";
        at += kToken.size() - 1;
      } else {
        out += shown[at] == '\'' ? std::string("'\\''") : std::string(1, shown[at]);
      }
    }
    return out;
  }

  const Secrets& secrets_;
  std::vector<Spelling> spellings_;
};

bool is_added_by_curl(std::string_view name, std::string_view value) {
  return equals_ignoring_case(name, "Host") || equals_ignoring_case(name, "Content-Length") ||
         (equals_ignoring_case(name, "User-Agent") && value == client::kUserAgent) ||
         (equals_ignoring_case(name, "Accept") && value == "*/*");
}

// Also what takes away the fields that curl would add by itself. It sends a field without a value
// for "Name;" and none for "Name:".
std::string fields_of(const spec::http::Headers& headers, bool has_body, const Shell& shell) {
  std::string options;
  for (const auto& [name, value] : headers.lines()) {
    const bool is_authorization = equals_ignoring_case(name, "Authorization");
    if (const auto user = is_authorization ? shell.user(value) : ""; !user.empty()) {
      options += " -u " + user;
    } else if (!is_added_by_curl(name, value)) {
      options += " -H " + shell.word(name + (value.empty() ? ";" : ": " + value), is_authorization);
    }
  }
  const bool was_sent = headers.has("Host");
  for (const std::string name : {"Accept", "User-Agent", "Content-Type"}) {
    if (!headers.has(name) && (name == "Content-Type" ? has_body : was_sent)) {
      options += " -H '" + name + ":'";
    }
  }
  return options;
}

}  // namespace

std::string curl_line(const Secrets& secrets, const Exchange& exchange) {
  constexpr std::size_t kMaxWord = 100'000;  // Linux takes 128 KiB for one argument
  if (exchange.url.empty()) {
    return {};
  }
  const Shell shell(secrets);
  const auto& sent = exchange.sent;
  const bool has_body = !sent.body.empty() || sent.headers.has("Content-Length") ||
                        sent.headers.has("Transfer-Encoding");
  std::string line = "curl -sS -i --path-as-is";
  line += exchange.url.starts_with("https:") ? " --http1.1" : "";
  line += exchange.url.find_first_of("[]{}") != std::string::npos ? " -g" : "";
  if (sent.method == "HEAD" && !has_body) {
    line += " -I";
  } else if (sent.method != "GET" || has_body) {
    line += " -X " + sent.method;
  }
  line += fields_of(sent.headers, has_body, shell);
  const bool is_word =
      is_plain(sent.body) && !sent.body.starts_with('@') && sent.body.size() <= kMaxWord;
  if (has_body) {
    line += " --data-binary " + (is_word ? shell.word(sent.body) : "@-");
  }
  line += ' ' + shell.word(exchange.url);
  return is_word ? line : "printf '" + printf_text(secrets.redacted(sent.body)) + "' | " + line;
}

}  // namespace contract_tests::run
