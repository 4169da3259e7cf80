// Procedures about files, and the bounded burst.

#include "contract_tests/checks/pdf.hpp"
#include "contract_tests/run/procedures.hpp"

#include <algorithm>
#include <charconv>
#include <thread>
#include <vector>

namespace contract_tests::run {

using plan::Want;

namespace {

std::string_view bytes_of(const Sent& sent) {
  return sent.exchange.response.body;
}

// The plain file, judged; null when it cannot be used.
const Sent* whole_file(Trial& trial, const plan::RequestPlan& request) {
  auto expect = trial.item().expect;
  expect.want = expect.want == Want::kStatus ? Want::kStatus : Want::kAccepted;
  const auto& sent = trial.send(request, expect);
  if (!sent.accepted) {
    return nullptr;
  }
  auto complaints = checks::check_pdf(bytes_of(sent));
  const bool good = complaints.empty();
  trial.complain(std::move(complaints), sent);
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

checks::Complaints check_part(std::string_view whole, std::string_view part,
                              const ByteRange& range) {
  const auto complaint = [](std::string message) {
    return checks::Complaints{{"http/content-range", "header/Content-Range", std::move(message)}};
  };
  if (range.last < range.first || range.last - range.first + 1 != part.size()) {
    return complaint("must tell the part that came, of " + std::to_string(part.size()) +
                     " bytes, but tells " + std::to_string(range.first) + "-" +
                     std::to_string(range.last));
  }
  if (range.size == whole.size() && whole.substr(range.first, part.size()) != part) {
    return complaint("must tell where the part lies in the whole but the bytes there differ");
  }
  return {};
}

// True when the part that came is the one that was asked for ("bytes=0-99", "bytes=100-",
// "bytes=-10").
bool is_asked_for(std::string_view asked, const ByteRange& range) {
  asked.remove_prefix(std::min(asked.find('=') + 1, asked.size()));
  const auto dash = asked.find('-');
  std::size_t first = 0;
  if (dash == 0) {
    std::from_chars(asked.data() + 1, asked.data() + asked.size(), first);
    return range.last + 1 == range.size && range.last - range.first + 1 == first;
  }
  std::from_chars(asked.data(), asked.data() + dash, first);
  return range.first == first;
}

// Whether a file of that size has the first byte that is asked for. Source: RFC 9110 §14.1.1.
bool lies_inside(std::string_view asked, std::size_t size) {
  asked.remove_prefix(std::min(asked.find('=') + 1, asked.size()));
  std::size_t number = 0;
  const bool suffix = asked.starts_with('-');
  asked.remove_prefix(suffix ? 1 : 0);
  std::from_chars(asked.data(), asked.data() + asked.size(), number);
  return suffix ? number > 0 : number < size;
}

bool names(const std::string& text, const std::string& name) {
  return !name.empty() && text.find(checks::without_blanks(name)) != std::string::npos;
}

}  // namespace

void run_file_whole(Trial& trial) {
  whole_file(trial, trial.item().request);
}

void run_file_names(Trial& trial) {
  const auto* sent = whole_file(trial, trial.item().request);
  if (sent == nullptr) {
    return;
  }
  const auto named = [&trial](const char* key) {
    const auto text = trial.item().data.value(key, "");
    return plan::fill(std::string_view(text), trial.settings().names);
  };
  const auto name = named("name");
  const auto other = named("other_name");
  const auto label =
      std::string(sent->exchange.response.headers.find("Content-Disposition").value_or(""));
  if (other && name && names(label, other.value()) && !names(label, name.value())) {
    trial.complain({{"file/other-subject", "header/Content-Disposition",
                     "must be the file of " + name.value() + " but names " + other.value()}},
                   *sent);
  }
  const auto text = checks::pdf_text(bytes_of(*sent));
  if (!text) {
    trial.complain({{"file/structure", "body", "must open without a password but does not"}},
                   *sent);
  } else if (other && names(*text, other.value()) && !(name && names(*text, name.value()))) {
    trial.complain({{"file/other-subject", "body",
                     "must be the file of " + name.value() + " but names " + other.value()}},
                   *sent);
  } else if (name && !names(*text, name.value())) {
    trial.complain({{trial.item().why.rule, "body",
                     "must name " + name.value() + " in its text but does not"}},
                   *sent);
  }
}

// The whole must come instead of a part when the client has an older one.
void run_file_if_range(Trial& trial) {
  auto request = trial.item().request;
  request.headers.emplace_back("Range", "bytes=0-99");
  request.headers.emplace_back("If-Range", "\"counterpart-gave-none\"");
  const auto& sent = trial.send(request, {.want = Want::kAnything});
  if (sent.conclusive && sent.exchange.status() == 206) {
    trial.complain({{trial.item().why.rule, "status",
                     "must be the whole, for the client knows another, but is a part (206)"}},
                   sent);
  }
}

void run_file_differs(Trial& trial) {
  const auto* one = whole_file(trial, trial.item().request);
  const auto* two = whole_file(trial, plan::request_from(trial.item().data.at("other")));
  if (one == nullptr || two == nullptr) {
    return;
  }
  if (bytes_of(*one) == bytes_of(*two)) {
    trial.complain({{trial.item().why.rule, "body",
                     "must be another file for another subject but is the same to the last byte"}},
                   *two);
    return;
  }
  const auto left = checks::pdf_text(bytes_of(*one));
  const auto right = checks::pdf_text(bytes_of(*two));
  if (left && right && !left->empty() && *left == *right) {
    trial.complain({{trial.item().why.rule, "body",
                     "must be another file for another subject but has the same text"}},
                   *two);
  }
}

void run_file_range(Trial& trial) {
  const auto* whole = whole_file(trial, trial.item().request);
  if (whole == nullptr) {
    return;
  }
  auto request = trial.item().request;
  const auto asked = trial.item().data.at("range").get<std::string>();
  request.headers.emplace_back("Range", asked);
  const auto& part = trial.send(request, {.want = Want::kAnything});
  const int status = part.exchange.status();
  if (!part.conclusive || status == 200) {
    return;  // the whole is always legal (RFC 9110 §14.2)
  }
  if (status == 416) {
    if (lies_inside(asked, bytes_of(*whole).size())) {
      trial.complain({{"http/range-refused", "status",
                       "must not be 416, for " + asked + " lies inside a file of " +
                           std::to_string(bytes_of(*whole).size()) + " bytes, but is"}},
                     part);
    }
    return;
  }
  if (status != 206) {
    trial.complain({{trial.item().why.rule, "status",
                     "must be 206, 200 or 416 for a range but is " + std::to_string(status)}},
                   part);
    return;
  }
  const auto field = part.exchange.response.headers.find("Content-Range");
  const auto range = field ? parse_content_range(*field) : std::nullopt;
  if (!range) {
    return;  // said by the field's own check
  }
  auto complaints = check_part(bytes_of(*whole), bytes_of(part), *range);
  if (complaints.empty() && !is_asked_for(asked, *range)) {
    complaints.push_back(
        {"http/content-range", "header/Content-Range",
         "must be the part that was asked for, " + asked + ", but is " + std::string(*field)});
  }
  trial.complain(std::move(complaints), part);
}

void run_burst(Trial& trial) {
  constexpr std::size_t kAtOnce = 20;
  const auto count = trial.item().data.at("requests").get<std::size_t>();
  const auto wanted = trial.item().data.at("status").get<int>();
  for (std::size_t asked = 0; asked < count; asked += kAtOnce) {
    const std::vector<plan::RequestPlan> requests(std::min(kAtOnce, count - asked),
                                                  trial.item().request);
    const auto answers = trial.send_together(requests, trial.item().expect);
    const bool limited = std::ranges::any_of(
        answers, [wanted](const Sent* sent) { return sent->exchange.status() == wanted; });
    if (limited) {
      std::this_thread::sleep_for(
          std::min(std::chrono::milliseconds(1'000), trial.settings().patience.longest_wait));
      trial.send(trial.item().request, {.want = Want::kAccepted});
      return;
    }
    if (!std::ranges::all_of(answers, &Sent::conclusive)) {
      return;
    }
  }
  trial.not_run(std::to_string(count) + " requests met no limit");
}

}  // namespace contract_tests::run
