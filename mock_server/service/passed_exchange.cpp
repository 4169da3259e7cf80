#include "mock_server/service/passed_exchange.hpp"

#include "mock_server/service/passed_items.hpp"
#include "mock_server/upstream/gateway.hpp"
#include "spec/schema/patterns/pattern.hpp"

#include <chrono>
#include <cstddef>
#include <exception>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace mock_server::service {

namespace {

using spec::contract::Violation;
using spec::http::Request;
using spec::http::Response;
using spec::schema::patterns::SearchBudget;
using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t kMaxViolations = 100;           // of one response
constexpr std::size_t kMaxLogged = 20;                // of them
constexpr std::size_t kShownBytes = 64U * 1024;       // that are kept for the journal
constexpr std::size_t kRecordedBytes = 1024U * 1024;  // for a recording
constexpr std::uint64_t kItemSteps = 5'000'000;       // of patterns, for what came at once

constexpr std::string_view kByService = ", ended early by the service";
constexpr std::string_view kByOthers = ", ended by the client or by the mock's end";

class PassedExchange {
 public:
  PassedExchange(const RequestContext& context, PassedReport report, const FinishedExchange& begun,
                 reply::Stream rest)
      : report_(std::move(report)),
        request_(context.request),
        peer_(context.peer),
        context_{context.api, context.cache, context.lazy_generator,
                 request_,    peer_,         context.session,
                 {}},
        begun_(SteadyClock::now() - begun.took),
        id_(begun.id),
        time_(context.session->now()),
        hidden_target_(begun.hidden_target),
        fault_(begun.fault),
        response_{begun.response.status, begun.response.reason, begun.response.headers, ""},
        rest_(std::move(rest)),
        items_(*upstream::items_of(response_.headers), {context.api.contract, context.operation},
               response_,
               {context.record_items ? kRecordedBytes : kShownBytes, context.peer.memory}) {
    peer_.pending_response = nullptr;
    peer_.received = nullptr;
    context_.operation = context.operation;
    context_.path_values = context.path_values;
    context_.violations = context.violations;
    context_.not_understood = context.not_understood;
    context_.response_violations = context.response_violations;
    context_.served_by = context.served_by;
    context_.chosen_by = context.chosen_by;
    context_.record_items = context.record_items;
  }

  ~PassedExchange() {
    try {
      const SearchBudget budget(kItemSteps, [] { return false; });
      finish();
    } catch (const std::exception&) {  // without memory the journal has what it was at first
    }
  }

  PassedExchange(const PassedExchange&) = delete;
  PassedExchange& operator=(const PassedExchange&) = delete;

  reply::Growth read(std::string& bytes) {
    ending_ = kByService;  // unless it goes on
    const reply::Growth growth = rest_(bytes);
    const SearchBudget budget(kItemSteps, [] { return false; });
    note(items_.take(bytes));
    if (growth == reply::Growth::kEnded) {
      note(items_.end());
    }
    ending_ = growth == reply::Growth::kEnded ? std::string_view() : kByOthers;
    return growth;
  }

 private:
  void note(std::vector<Violation> found) {
    for (Violation& one : found) {
      if (context_.response_violations.size() >= kMaxViolations) {
        return;
      }
      if (!one.undecided && ++logged_ <= kMaxLogged) {
        log(to_line(context_.api.contract, one), {});
      }
      context_.response_violations.push_back(std::move(one));
    }
  }

  void log(const std::string& violation, std::span<const std::string> warnings) const {
    if (!report_.options.log) {
      return;
    }
    const std::string text = violation.empty() ? "" : place() + violation;
    LogLine line{request_.method, hidden_target_.empty() ? request_.target : hidden_target_,
                 response_.status, "", context_.session->name()};
    line.response_violation = text;
    line.warnings = warnings;
    line.is_item = true;
    report_.options.log(line);
  }

  std::string place() const {
    return request_.method + ' ' + (hidden_target_.empty() ? request_.target : hidden_target_) +
           ": ";
  }

  void finish() {
    const std::string what = std::to_string(items_.count()) + " items" + std::string(ending_);
    context_.chosen_by += ": " + what;
    if (items_.unvalidated() > 0) {
      context_.chosen_by += ", " + std::to_string(items_.unvalidated()) + " of more than " +
                            std::to_string(kMaxItemBytes) + " bytes not validated";
    }
    if (ending_ == kByService) {
      log("", std::vector{place() + what});
    }
    response_.body = items_.kept();
    write_journal(context_, report_.secrets, report_.journal,
                  {id_, SteadyClock::now() - begun_, response_, hidden_target_, fault_, time_,
                   items_.bytes()});
    report_.done(context_, response_);
    if (context_.record_items) {
      context_.record_items(response_, items_.times(), ending_ == kByOthers);
    }
  }

  const PassedReport report_;
  const Request request_;
  reply::Peer peer_;
  RequestContext context_;
  const SteadyClock::time_point begun_;
  const std::uint64_t id_;
  const state::TimePoint time_;
  const std::string hidden_target_;
  const std::string_view fault_;
  Response response_;
  const reply::Stream rest_;
  PassedItems items_;
  std::string_view ending_;  // who ended it, in words; "" for its own end
  std::size_t logged_ = 0;
};

}  // namespace

void report_items(const RequestContext& context, PassedReport report, const FinishedExchange& begun,
                  reply::Reply& reply) {
  auto passed = std::make_shared<PassedExchange>(context, std::move(report), begun,
                                                 std::exchange(reply.stream, nullptr));
  reply.stream = [passed](std::string& bytes) { return passed->read(bytes); };
}

}  // namespace mock_server::service
