#include "contract_tests/runs/export.hpp"

#include "contract_tests/report/failure_text.hpp"
#include "spec/http/bytes.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <set>

namespace contract_tests::runs {

using nlohmann::json;
using report::text_of;

namespace {

constexpr std::size_t kMaxLine = 1'000;

std::string heading_of(const json& item) {
  return spec::text::one_line(text_of(item, "operation_name") + ": " + text_of(item, "sentence"),
                              kMaxLine);
}

// `text` with `to` for every `from`.
std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// What a client for files of requests cannot send, or would read in another way.
std::string why_not_in_file(const json& request, const json& finding) {
  const auto changed = replaced(text_of(finding, "changed"), "${token}", "");
  if (changed.find("${") != std::string::npos) {
    return "its credentials are changed, which a variable cannot say";
  }
  const auto& body = request.at("body").get_ref<const std::string&>();
  if (request.contains("body_base64")) {
    return "its body is not text";
  }
  if (body.find("{{") != std::string::npos) {
    return "its body contains \"{{\", which a client takes for a variable";
  }
  constexpr std::string_view kMarks = "#@<>/ \t\r\n";
  for (std::size_t at = 0; at < body.size();) {
    if (kMarks.find(body[at]) != std::string_view::npos) {
      return "a line of its body begins with a character that a client takes for a mark";
    }
    const auto end = body.find('\n', at);
    at = end == std::string::npos ? body.size() : end + 1;
  }
  return body.ends_with('\n') ? "its body ends with a line break" : "";
}

std::string with_variables(const std::string& text) {
  return replaced(text, "$TOKEN", "{{token}}");
}

// "http://127.0.0.1:4010": the URL without its target.
std::string origin_of(const json& exchange) {
  const auto url = text_of(exchange, "url");
  const auto target = text_of(exchange.at("request"), "target");
  return url.ends_with(target) ? url.substr(0, url.size() - target.size()) : url;
}

std::string request_text(const json& exchange, const std::string& origin) {
  const auto& request = exchange.at("request");
  const auto own = origin_of(exchange);
  std::string text = text_of(request, "method") + ' ' +
                     (own == origin ? std::string("{{baseUrl}}") : own) +
                     with_variables(text_of(request, "target")) + " HTTP/1.1\n";
  const auto fields = fields_of(request.at("headers"));
  for (const auto& [name, value] : fields.lines()) {
    if (!is_own_header(name, value)) {
      text += name + ": " + with_variables(value) + '\n';
    }
  }
  const auto body = text_of(request, "body");
  return body.empty() ? text : text + '\n' + with_variables(body) + '\n';
}

// Whether a line for a shell has more than one command: ";" outside of quotes.
bool has_several_commands(std::string_view line) {
  char quote = '\0';
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char letter = line[at];
    if (letter == '\\' && quote != '\'') {
      ++at;
    } else if (quote != '\0') {
      quote = letter == quote ? '\0' : quote;
    } else if (letter == '\'' || letter == '"') {
      quote = letter;
    } else if (letter == ';') {
      return true;
    }
  }
  return false;
}

}  // namespace

std::string finding_line(const json& finding) {
  return spec::text::one_line(text_of(finding, "severity") + ' ' + text_of(finding, "rule") + ' ' +
                                  text_of(finding, "place") + ": " + text_of(finding, "message"),
                              kMaxLine) +
         " (id " + text_of(finding, "fingerprint") + ')';
}

std::string left_out_line(const Selected& selected, const std::string& reason) {
  return text_of(*selected.finding, "fingerprint") + " (" + text_of(*selected.item, "id") +
         "): " + reason;
}

const json* exchange_of(const json& run, const json& finding) {
  const auto index = finding.find("exchange");
  const auto& all = run.at("exchanges");
  return index == finding.end() || index->get<std::size_t>() >= all.size()
             ? nullptr
             : &all.at(index->get<std::size_t>());
}

std::string why_no_exchange(const json& finding) {
  return text_of(finding, "response").empty()
             ? "it is about all responses of the run, not about one"
             : "its request and response were beyond the limit of the report; repeat the run with "
               "--filter and the name of the case";
}

bool is_own_header(std::string_view name, std::string_view value) {
  static constexpr std::array<std::string_view, 5> kOwn{"Host", "Content-Length", "User-Agent",
                                                        "Transfer-Encoding", "Expect"};
  return std::ranges::any_of(
             kOwn, [&](auto own) { return spec::text::equals_ignoring_case(name, own); }) ||
         (spec::text::equals_ignoring_case(name, "Accept") && value == "*/*");
}

spec::http::Headers fields_of(const json& lines) {
  spec::http::Headers fields;
  for (const auto& line : lines) {
    const auto& text = line.get_ref<const std::string&>();
    const auto colon = std::min(text.find(':'), text.size());
    fields.add(text.substr(0, colon), std::string(spec::http::trimmed(std::string_view(text).substr(
                                          std::min(colon + 1, text.size())))));
  }
  return fields;
}

Exported export_curl(const std::vector<Selected>& findings) {
  Exported made;
  std::set<std::string> known;
  for (const auto& selected : findings) {
    const auto curl = text_of(*selected.finding, "curl");
    if (curl.empty()) {
      made.left_out.push_back(left_out_line(selected, why_no_exchange(*selected.finding)));
      continue;
    }
    made.text +=
        "# " + heading_of(*selected.item) + "\n#   " + finding_line(*selected.finding) + '\n';
    const auto steps = selected.item->at("steps").size();
    if (steps > 1 && !has_several_commands(curl)) {
      made.text += "#   one of " + std::to_string(steps) + " requests of the case\n";
    }
    if (known.insert(curl).second) {
      made.text += curl + '\n';
      ++made.written;
    } else {
      made.text += "#   the same request as above\n";
    }
  }
  return made;
}

Exported export_http(const json& run, const std::vector<Selected>& findings) {
  Exported made;
  std::string origin;
  std::string requests;
  std::set<const json*> known;
  for (const auto& selected : findings) {
    const auto* exchange = exchange_of(run, *selected.finding);
    const auto why = exchange == nullptr
                         ? why_no_exchange(*selected.finding)
                         : why_not_in_file(exchange->at("request"), *selected.finding);
    if (!why.empty()) {
      made.left_out.push_back(left_out_line(selected, why));
    } else if (known.insert(exchange).second) {
      origin = origin.empty() ? origin_of(*exchange) : origin;
      requests += "\n### " + heading_of(*selected.item) + "\n# " + finding_line(*selected.finding) +
                  '\n' + request_text(*exchange, origin);
      ++made.written;
    }
  }
  made.text = "# Requests of findings, for REST clients of editors.\n@baseUrl = " + origin + '\n';
  if (requests.find("{{token}}") != std::string::npos) {
    made.text += "# No token is recorded: put yours here.\n@token = put-a-token-here\n";
  }
  made.text += requests;
  return made;
}

}  // namespace contract_tests::runs
