// Findings as hand-written cases: rules/schemas/cases.schema.yaml.

#include "contract_tests/findings/finding_text.hpp"
#include "contract_tests/report/formats/exported_requests.hpp"
#include "spec/contract/router.hpp"
#include "spec/http/message.hpp"
#include "spec/json/value.hpp"
#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/quote.hpp"
#include "spec/text/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

namespace contract_tests::report::formats {

using findings::text_of;
using nlohmann::json;

namespace {

// A JSON text is YAML, but for line breaks that only YAML knows.
std::string yaml_of(const json& value) {
  return spec::json::write(value);
}

// The parameters in `path_template`, which is all of the end of `path`, with their values, still
// encoded; empty if it does not fit.
std::optional<std::map<std::string, std::string_view>> path_values(std::string_view path_template,
                                                                   std::string_view path) {
  const auto pattern = spec::contract::parse_path_template(path_template);
  const auto count = spec::http::segments_of(path).size();
  if (!pattern || count < pattern->size()) {
    return std::nullopt;
  }
  for (auto surplus = count - pattern->size(); surplus > 0; --surplus) {
    spec::http::take_segment(path);
  }
  const auto values = match_template(*pattern, path);
  if (!values) {
    return std::nullopt;
  }
  std::map<std::string, std::string_view> named;
  const auto names = parameter_names(*pattern);
  for (std::size_t at = 0; at < names.size(); ++at) {
    named.emplace(names[at], values->at(at));
  }
  return named;
}

// The request as it went out, but for what a client adds; empty if it cannot be written.
std::optional<json> sent_request(const json& item, const json& exchange) {
  const auto& sent = exchange.at("request");
  const auto target = text_of(sent, "target");
  const auto name = text_of(item, "operation_name");
  const auto blank = std::min(name.find(' '), name.size() - 1);
  const auto values =
      path_values(std::string_view(name).substr(blank + 1), spec::http::path_of(target));
  if (!values) {
    return std::nullopt;
  }
  json request{{"method", sent.at("method")}};
  for (const auto& [parameter, encoded] : *values) {
    const auto decoded = spec::text::percent_decode(encoded);
    const bool plain =
        decoded && spec::text::is_utf8(*decoded) && spec::text::percent_encode(*decoded) == encoded;
    request[plain ? "path" : "encoded_path"][parameter] = plain ? *decoded : encoded;
  }
  if (const auto query = spec::http::query_of(target); !query.empty()) {
    request["raw_query"] = std::string(query);
  }
  bool authorized = false;
  std::string type;
  const auto fields = fields_of(sent.at("headers"));
  for (const auto& [field, value] : fields.lines()) {
    const bool is_secret = value.find("$TOKEN") != std::string::npos;
    authorized = authorized || is_secret;
    if (spec::text::equals_ignoring_case(field, "Content-Type")) {
      type = value;
    } else if (!is_secret && !is_own_header(field, value)) {
      request["headers"].push_back({field, value});
    }
  }
  if (!authorized) {
    request["authorization"] = "";
  }
  if (sent.contains("body_base64")) {
    request["raw_body_base64"] = sent.at("body_base64");
    request["body_type"] = type;
  } else if (!text_of(sent, "body").empty()) {
    request["raw_body"] = sent.at("body");
    request["body_type"] = type;
  }
  return request;
}

bool shows_secret(const json& request) {
  return spec::json::write(request).find("$TOKEN") != std::string::npos;
}

// True if the rule is one for any response, so that its violation shows in the response alone.
bool is_of_any_response(std::string_view rule) {
  static constexpr std::array<std::string_view, 6> kFamilies{
      "http/", "json/", "schema/", "response/", "error/", "status/undeclared"};
  return std::ranges::any_of(kFamilies,
                             [rule](std::string_view family) { return rule.starts_with(family); });
}

struct ExportedCase {
  json request;
  json expect;
  std::string why_not;  // why there is none
};

ExportedCase exported_case_of_plan(const json& planned) {
  const auto& request =
      planned.contains("smallest") ? planned.at("smallest") : planned.at("requests").at(0);
  return {request, planned.at("expect"), ""};
}

// One request of a case that has several: only what holds of any response is tested.
ExportedCase exported_case_of_exchange(const json& run, const SelectedFinding& selected) {
  const auto& [item, finding] = selected;
  const auto rule = text_of(*finding, "rule");
  if (rule == text_of(*item, "rule") || !is_of_any_response(rule)) {
    return {{},
            {},
            "it is about several responses of the case, or about more of one than a case file can "
            "say"};
  }
  const auto* exchange = exchange_of(run, *finding);
  if (exchange == nullptr) {
    return {{}, {}, why_no_exchange(*finding)};
  }
  auto request = sent_request(*item, *exchange);
  return request ? ExportedCase{std::move(*request), {{"want", "anything"}}, ""}
                 : ExportedCase{{}, {}, "its request does not fit the path of the operation"};
}

ExportedCase exported_case(const json& run, const SelectedFinding& selected) {
  const auto planned = selected.item->find("planned");
  if (planned == selected.item->end() || !planned->contains("requests")) {
    return {{}, {}, "what its case sends and expects is too long for the report"};
  }
  auto made = planned->at("more").get<bool>() ? exported_case_of_exchange(run, selected)
                                              : exported_case_of_plan(*planned);
  if (made.why_not.empty() && shows_secret(made.request)) {
    made.why_not = "its request holds a token";
  }
  return made;
}

std::string case_text(const SelectedFinding& selected, const ExportedCase& made) {
  const auto& item = *selected.item;
  const auto& request = made.request;
  const auto id = text_of(*selected.finding, "fingerprint");
  std::string text = "  # " + finding_line(*selected.finding) + '\n';
  text += "  - sentence: " + yaml_of(text_of(item, "sentence") + " (found as " + id + ')') + '\n';
  for (const char* key : {"operation", "rule", "clause", "class"}) {
    text += std::string("    ") + key + ": " + yaml_of(item.at(key)) + '\n';
  }
  const bool body = request.contains("body") || request.contains("raw_body") ||
                    request.contains("raw_body_base64");
  text += body ? "" : "    without_body: true\n";
  text += "    request: " + yaml_of(request) + '\n';
  if (const auto changed = text_of(*selected.finding, "changed"); !changed.empty()) {
    text += "    changed: " + yaml_of(selected.finding->value("change", json(changed))) + '\n';
  }
  if (const auto& needs = item.at("planned").value("needs", json::array()); !needs.empty()) {
    text += "    needs: " + yaml_of(needs) + '\n';
  }
  return text + "    expect: " + yaml_of(made.expect) + '\n';
}

}  // namespace

Export export_cases(const json& run, const std::vector<SelectedFinding>& findings) {
  Export made;
  std::string cases;
  std::set<std::string> known;
  for (const auto& selected : findings) {
    const auto one = exported_case(run, selected);
    if (!one.why_not.empty()) {
      made.left_out.push_back(left_out_line(selected, one.why_not));
    } else if (known
                   .insert(text_of(*selected.item, "operation") + yaml_of(one.request) +
                           yaml_of(one.expect))
                   .second) {
      cases += '\n' + case_text(selected, one);
      ++made.written;
    }
  }
  made.text =
      "# Cases made of findings of " + spec::text::one_line(text_of(run, "contract"), 200) + ".\n";
  made.text += cases.empty() ? "cases: []\n" : "cases:" + cases;
  return made;
}

}  // namespace contract_tests::report::formats
