#include "contract_tests/run/kept.hpp"

#include "contract_tests/client/exchange.hpp"
#include "spec/text/quote.hpp"

#include <set>
#include <string>

namespace contract_tests::run {

namespace {

// What a report shows of a text that is part of no finding.
constexpr std::size_t kShownText = 1'000;

std::size_t bytes_of(const client::Exchange& exchange) {
  auto bytes = exchange.sent.body.size() + exchange.sent.target.size() + exchange.url.size() +
               exchange.response.body.size();
  for (const auto& [name, value] : exchange.sent.headers.lines()) {
    bytes += name.size() + value.size();
  }
  for (const auto& line : exchange.record.head.lines) {
    bytes += line.raw.size() + line.name.size();
  }
  return bytes;
}

std::size_t bytes_of(const Outcome& outcome) {
  std::size_t bytes = outcome.reason.words.size();
  for (const auto& step : outcome.steps) {
    bytes += step.request.size() + step.response.size() + step.curl.size();
  }
  for (const auto& finding : outcome.findings) {
    bytes += finding.message.text().size() + finding.excerpt.size() + finding.curl.size();
  }
  return bytes;
}

void shorten(std::string& text) {
  if (text.size() > kShownText) {
    text = spec::text::shortened(text, kShownText);
  }
  text.shrink_to_fit();
}

void clear(std::string& text) {
  std::string().swap(text);
}

}  // namespace

void Kept::trim(Outcome& outcome) {
  trim_exchanges(outcome);
  for (auto& step : outcome.steps) {
    shorten(step.request);
    if (outcome.findings.empty()) {
      shorten(step.curl);
    }
  }
  if (texts_ < limits_.texts) {
    texts_ += bytes_of(outcome);
    return;
  }
  for (auto& step : outcome.steps) {
    clear(step.request);
    clear(step.response);
    clear(step.curl);
  }
  for (auto& finding : outcome.findings) {
    clear(finding.excerpt);
    clear(finding.curl);
  }
}

void Kept::trim_exchanges(Outcome& outcome) {
  std::set<const client::Exchange*> counted;  // findings of one response share it
  for (auto& finding : outcome.findings) {
    const auto* shown = finding.shown.get();
    if (shown == nullptr || counted.contains(shown)) {
      continue;
    }
    const auto bytes = bytes_of(*shown);
    if (exchanges_ + bytes > limits_.exchanges) {
      finding.shown.reset();
      continue;
    }
    exchanges_ += bytes;
    counted.insert(shown);
  }
}

}  // namespace contract_tests::run
