// By rules: responses that are files are complete, readable, of the requested subject, and have the
// same bytes for any Accept or Range.

#include "contract_tests/checks/pdf.hpp"
#include "contract_tests/demands/demands.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace contract_tests::demands {

namespace {

std::string_view bytes_of(const CaseResponse& sent) {
  return sent.exchange.response.body;
}

// The plain file, validated; null when it cannot be used.
const CaseResponse* whole_file(CaseRun& case_run, const RequestPlan& request) {
  auto expect = case_run.item().expect;
  expect.want = expect.want == Want::kStatus ? Want::kStatus : Want::kAccepted;
  const auto& sent = case_run.send(request, expect);
  if (!sent.accepted) {
    return nullptr;
  }
  auto violations = checks::check_pdf(bytes_of(sent));
  const bool good = violations.empty();
  case_run.report(std::move(violations), sent);
  return good ? &sent : nullptr;
}

struct ByteRange {
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t size = 0;
};

// "bytes 0-99/1234"
std::optional<ByteRange> parse_content_range(std::string_view text) {
  ByteRange range;
  const auto number = [&text](std::string_view before, std::size_t& into) {
    if (!text.starts_with(before)) {
      return false;
    }
    text.remove_prefix(before.size());
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return error == std::errc{};
  };
  if (!number("bytes ", range.first) || !number("-", range.last) || !number("/", range.size)) {
    return std::nullopt;
  }
  return range;
}

checks::RuleViolations check_part(std::string_view whole, std::string_view part,
                                  const ByteRange& range) {
  const auto violation = [](std::string must, std::string is) {
    return checks::RuleViolations{
        {"http/content-range", "header/Content-Range", std::move(must), std::move(is)}};
  };
  if (range.last < range.first || range.last - range.first + 1 != part.size()) {
    return violation(
        "must describe the " + std::to_string(part.size()) + " bytes that were received",
        "is " + std::to_string(range.first) + "-" + std::to_string(range.last));
  }
  if (range.size == whole.size() && whole.substr(range.first, part.size()) != part) {
    return violation("must be the position of the part in the file", "the bytes there differ");
  }
  return {};
}

// A value of Range, and what it asks for.
struct RangeRequest {
  const char* field;
  std::size_t number;  // the first byte; of a suffix, how many
  bool suffix = false;
};

constexpr std::array<RangeRequest, 4> kRangeRequests{{{"bytes=0-99", 0},
                                                      {"bytes=100-", 100},
                                                      {"bytes=-10", 10, true},
                                                      {"bytes=999999999-", 999'999'999}}};

// True if the part is the requested one.
bool is_asked_for(const RangeRequest& asked, const ByteRange& range) {
  return asked.suffix ? range.last + 1 == range.size && range.last - range.first + 1 == asked.number
                      : range.first == asked.number;
}

bool names(const std::string& text, const std::string& name) {
  return !name.empty() && text.find(checks::without_blanks(name)) != std::string::npos;
}

void run_whole(CaseRun& case_run) {
  whole_file(case_run, case_run.item().request);
}

void run_names(CaseRun& case_run, const std::string& own_name, const std::string& other_name) {
  const auto* sent = whole_file(case_run, case_run.item().request);
  if (sent == nullptr) {
    return;
  }
  const auto& subjects = case_run.settings().names;
  const auto name = plan::fill(std::string_view(own_name), subjects);
  const auto other = plan::fill(std::string_view(other_name), subjects);
  const auto label =
      std::string(sent->exchange.response.headers.find("Content-Disposition").value_or(""));
  if (other && name && names(label, other.value()) && !names(label, name.value())) {
    case_run.report({{"file/other-subject", "header/Content-Disposition",
                      "must be the file of " + name.value(), "names " + other.value()}},
                    *sent);
  }
  const auto text = checks::pdf_text(bytes_of(*sent));
  if (!text) {
    case_run.report({{"file/structure", "body", "must open without a password", "is encrypted"}},
                    *sent);
  } else if (other && names(*text, other.value()) && !(name && names(*text, name.value()))) {
    case_run.report({{"file/other-subject", "body", "must be the file of " + name.value(),
                      "names " + other.value()}},
                    *sent);
  } else if (name && !names(*text, name.value())) {
    case_run.report({{case_run.item().basis.rule, "body",
                      "must contain " + name.value() + " in its text", "lacks it"}},
                    *sent);
  }
}

// The whole file must be sent instead of a part when If-Range does not match.
void run_if_range(CaseRun& case_run) {
  auto request = case_run.item().request;
  request.headers.emplace_back("Range", "bytes=0-99");
  request.headers.emplace_back("If-Range", "\"counterpart-gave-none\"");
  const auto& sent = case_run.send(request, {.want = Want::kAnything});
  if (sent.conclusive && sent.exchange.status() == 206) {
    case_run.report({{case_run.item().basis.rule, "status",
                      "must be 200 because If-Range does not match", "is 206"}},
                    sent);
  }
}

void run_differs(CaseRun& case_run) {
  const auto* one = whole_file(case_run, case_run.item().request);
  const auto* two = whole_file(case_run, case_run.item().others.front());
  if (one == nullptr || two == nullptr) {
    return;
  }
  if (bytes_of(*one) == bytes_of(*two)) {
    case_run.report({{case_run.item().basis.rule, "body",
                      "must be another file for another subject", "has the same bytes"}},
                    *two);
    return;
  }
  const auto left = checks::pdf_text(bytes_of(*one));
  const auto right = checks::pdf_text(bytes_of(*two));
  if (left && right && !left->empty() && *left == *right) {
    case_run.report({{case_run.item().basis.rule, "body",
                      "must be another file for another subject", "has the same text"}},
                    *two);
  }
}

void run_range(CaseRun& case_run, const RangeRequest& asked) {
  const auto* whole = whole_file(case_run, case_run.item().request);
  if (whole == nullptr) {
    return;
  }
  auto request = case_run.item().request;
  request.headers.emplace_back("Range", asked.field);
  const auto& part = case_run.send(request, {.want = Want::kAnything});
  const int status = part.exchange.status();
  if (!part.conclusive || status == 200) {
    return;  // the whole is always legal (RFC 9110 §14.2)
  }
  if (status == 416) {
    // The file has the first requested byte: RFC 9110 §14.1.1.
    if (asked.suffix || asked.number < bytes_of(*whole).size()) {
      case_run.report(
          {{"http/range-rejected", "status",
            "must not be 416 because " + std::string(asked.field) + " is inside the file of " +
                std::to_string(bytes_of(*whole).size()) + " bytes",
            "is 416"}},
          part);
    }
    return;
  }
  if (status != 206) {
    case_run.report({{case_run.item().basis.rule, "status", "must be 206, 200 or 416 for a range",
                      "is " + std::to_string(status)}},
                    part);
    return;
  }
  const auto field = part.exchange.response.headers.find("Content-Range");
  const auto range = field ? parse_content_range(*field) : std::nullopt;
  if (!range) {
    return;  // said by the field's own check
  }
  auto violations = check_part(bytes_of(*whole), bytes_of(part), *range);
  if (violations.empty() && !is_asked_for(asked, *range)) {
    violations.push_back({"http/content-range", "header/Content-Range",
                          "must be the requested part, " + std::string(asked.field),
                          "is " + std::string(*field)});
  }
  case_run.report(std::move(violations), part);
}

class FileCases {
 public:
  FileCases(const Drafting& drafting, const plan::FileRules& rules)
      : drafting_(drafting), rules_(rules) {}

  void add() const {
    auto whole = start("the file is complete and readable", "file/structure");
    whole.run = &run_whole;
    drafting_.add(std::move(whole));
    for (const std::string accept :
         {"application/json", "text/html,application/xhtml+xml,*/*;q=0.8", "image/png",
          "application/pdf"}) {
      accepted(accept);
    }
    if (!rules_.names.empty()) {
      names_its_subject();
    }
    if (rules_.other) {
      auto item = start("two subjects have different files", "file/same-for-two",
                        StatementClass::kAssumption);
      item.others = {overlay(drafting_.plain, *rules_.other)};
      item.run = &run_differs;
      drafting_.add(std::move(item));
    }
    ranges();
  }

 private:
  Case start(std::string sentence, std::string rule,
             StatementClass kind = StatementClass::kDocument) const {
    return drafting_.draft(std::move(sentence), std::move(rule),
                           Drafting::clause(rules_.clause, kind));
  }

  void accepted(const std::string& accept) const {
    auto item = start("the file is sent for Accept: " + accept, "file/accept");
    item.request.headers.emplace_back("Accept", accept);
    item.changed = {"header", "Accept", accept};
    item.expect.want = Want::kStatus;
    item.expect.statuses = {200, 406};  // a server may decline, but not send something else
    item.run = &run_whole;
    drafting_.add(std::move(item));
  }

  void names_its_subject() const {
    auto item = start("the file names the subject of the request", "file/names",
                      StatementClass::kAssumption);
    const auto value_in = [this](const RequestPlan& request) {
      const auto found = request.path.find(rules_.names);
      return found == request.path.end() ? std::string() : found->second;
    };
    const auto name = value_in(drafting_.plain);
    const auto other = rules_.other ? value_in(*rules_.other) : std::string();
    item.needs.subjects = plan::names_in(nlohmann::json{name, other});
    item.run = [name = name, other = other](CaseRun& case_run) {
      run_names(case_run, name, other);
    };
    drafting_.add(std::move(item));
  }

  void ranges() const {
    for (const auto& asked : kRangeRequests) {
      auto item = drafting_.draft_by_book(
          std::string("the right part or the whole file is sent for Range: ") + asked.field,
          "http/content-range");
      item.changed = {"header", "Range", asked.field};
      item.run = [asked](CaseRun& case_run) { run_range(case_run, asked); };
      drafting_.add(std::move(item));
    }
    auto item = drafting_.draft_by_book("the whole file is sent when If-Range does not match",
                                        "http/if-range");
    item.changed = "headers Range: bytes=0-99 and If-Range: \"counterpart-gave-none\"";
    item.run = &run_if_range;
    drafting_.add(std::move(item));
  }

  const Drafting& drafting_;
  const plan::FileRules& rules_;
};

}  // namespace

void add_file_cases(const Drafting& drafting) {
  if (const auto& rules = drafting.rules.file) {
    FileCases(drafting, *rules).add();
  }
}

}  // namespace contract_tests::demands
