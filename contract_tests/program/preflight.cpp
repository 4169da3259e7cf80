#include "contract_tests/program/preflight.hpp"

#include "contract_tests/checks/list_items.hpp"
#include "contract_tests/plan/request_plan.hpp"
#include "contract_tests/plan/rule_book.hpp"
#include "contract_tests/plan/subjects.hpp"
#include "contract_tests/run/sender.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <set>

namespace contract_tests::program {

using client::Exchange;
using nlohmann::json;
using plan::RequestPlan;
using spec::contract::Operation;

namespace {

constexpr int kUnauthorized = 401;
constexpr int kNotFound = 404;
constexpr const char* kWhatToDo =
    "; name one that exists with --subjects (--print-subjects prints a file to fill in)";

class Preflight {
 public:
  Preflight(const run::Settings& settings, const Documents& documents, run::Pace& pace)
      : settings_(settings), documents_(documents), sender_(settings, pace) {}

  // The first request that reads with credentials.
  std::vector<std::string> look_at_token(const std::vector<std::size_t>& selected) {
    for (const auto index : selected) {
      const auto& item = documents_.plan.cases[index];
      const auto& operation = *documents_.contract->operation(item.operation);
      if (item.is_plain && !item.needs.writes && !plan::usual_credentials(operation).empty() &&
          run::why_not(settings_, item).empty()) {
        send(operation, item.request);
        break;
      }
    }
    return rejected_ > 0 ? std::vector{token_line()} : std::vector<std::string>{};
  }

  std::vector<std::string> look(const std::vector<std::size_t>& selected) {
    for (const auto index : selected) {
      const auto& item = documents_.plan.cases[index];
      const auto* operation = documents_.contract->operation(item.operation);
      if (operation == nullptr || !run::why_not(settings_, item).empty()) {
        continue;
      }
      for (const plan::RequestPlan& request : run::requests_of(item)) {
        look_at_path(*operation, request);
      }
      look_at_member(*operation, item);
    }
    if (moved_) {
      return {"the server redirects http to https; use --base-url https://" + settings_.url.host};
    }
    if (rejected_ > 0 && accepted_ == 0) {
      return {token_line()};
    }
    if (lacking_.size() > 1 && !found_) {
      lines_.emplace_back(
          "no subject of any operation exists; look for the path of the service in --base-url, as "
          "in "
          "https://shop.example/v1");
    }
    return lines_;
  }

 private:
  bool may_ask(const Operation& operation, const plan::OperationRules& rules) const {
    return going_ && documents_.rules.operations.contains(operation.id) &&
           (!plan::may_write(operation, rules) || settings_.consent.writes);
  }

  // A subject that the caller names: neither a value derived from one, which does not exist, nor
  // one that was made up.
  bool names_a_subject(std::string_view value) const {
    return value.starts_with("${") && value.find('}') == value.size() - 1 &&
           !plan::find_derived(value.substr(2)) &&
           !settings_.made_up.contains(std::string(value.substr(2, value.size() - 3)));
  }

  // The operation's plain request about the subjects that `request` names in its path.
  void look_at_path(const Operation& operation, const RequestPlan& request) {
    const auto& rules = documents_.rules.of_operation(operation.id);
    const bool about_subjects = std::ranges::all_of(
        request.path, [this](const auto& pair) { return names_a_subject(pair.second); });
    if (request.path.empty() || !about_subjects || !may_ask(operation, rules)) {
      return;
    }
    auto plain = plan::ruled_request(operation, rules);
    plain.path = request.path;
    std::string subject;
    for (const auto& [parameter, value] : request.path) {
      const auto filled = plan::fill(std::string_view(value), settings_.names);
      if (!filled) {
        return;
      }
      spec::text::append_to_list(subject, filled.value());
    }
    if (!asked_.insert(operation.id + ' ' + subject).second) {
      return;
    }
    const auto exchange = send(operation, plain);
    found_ = found_ || (exchange && exchange->status() != kNotFound);
    if (exchange && exchange->status() == kNotFound) {
      lacking_.insert(operation.id);
      lines_.push_back(operation.name + ": the subject " + subject + " does not exist (404)" +
                       kWhatToDo);
    }
  }

  // The value of a filter must occur in the list, or any response would pass.
  void look_at_member(const Operation& operation, const run::Case& item) {
    const auto& rules = documents_.rules.of_operation(operation.id);
    if (!item.needs.member || !may_ask(operation, rules)) {
      return;
    }
    const auto& member = *rules.filters->member;
    const auto value = plan::fill(std::string_view(member.value), settings_.names);
    if (!value || !asked_.insert(operation.id + " member " + value.value()).second) {
      return;
    }
    const auto found = occurs(operation, rules, {member.list, member.key, value.value()});
    if (found && !*found) {
      lines_.push_back(operation.name + ": the subject " + value.value() +
                       " does not occur in the list" + kWhatToDo);
    }
  }

  // Empty if the list cannot be read, or is empty.
  std::optional<bool> occurs(const Operation& operation, const plan::OperationRules& rules,
                             const checks::MemberRule& rule) {
    const auto& pages = *rules.pages;
    bool any = false;
    for (std::size_t page = 0; page < settings_.walk_pages; ++page) {
      const auto exchange =
          send(operation, pages.page(plan::ruled_request(operation, rules), pages.max_size, page));
      const auto body = exchange ? spec::json::read(exchange->response.body)
                                 : spec::json::read(std::string_view());
      const auto* items = body ? spec::json::find(body.value(), pages.items) : nullptr;
      if (items == nullptr || !items->is_array()) {
        return std::nullopt;
      }
      if (items->empty()) {
        break;
      }
      any = true;
      if (!std::ranges::all_of(*items,
                               [&](const json& item) { return shows_members(item, rule); })) {
        return std::nullopt;  // not the contract's shape: a case reports it
      }
      if (checks::count_members(items->get_ref<const json::array_t&>(), rule) > 0) {
        return true;
      }
    }
    return any ? std::optional(false) : std::nullopt;
  }

  // True if an item shows which members it has.
  static bool shows_members(const json& item, const checks::MemberRule& rule) {
    const auto* list = spec::json::find(item, rule.list);
    return list != nullptr && list->is_array() &&
           std::ranges::all_of(*list, [&rule](const json& member) {
             const auto* key = spec::json::find(member, rule.key);
             return key != nullptr && key->is_string();
           });
  }

  std::optional<Exchange> send(const Operation& operation, const RequestPlan& request) {
    auto exchange = sender_.send(operation, request);
    if (!exchange) {
      return exchange;
    }
    const auto location = exchange->response.headers.find("Location").value_or("");
    moved_ = !settings_.url.tls && exchange->status() / 100 == 3 &&
             location.starts_with("https://" + settings_.url.host);
    going_ = exchange->has_response() && !moved_;  // else a case reports what is wrong
    if (!plan::usual_credentials(operation).empty()) {
      rejected_ += exchange->status() == kUnauthorized ? 1 : 0;
      accepted_ += exchange->has_response() && exchange->status() != kUnauthorized ? 1 : 0;
    }
    return exchange;
  }

  std::string token_line() const {
    if (settings_.target == run::Target::kMock) {
      return "the mock rejects the token (401); use one that starts with dodo_test_, or one that "
             "the "
             "mock was started with (mock_server --token)";
    }
    const bool given = !settings_.names.find("token").value_or("").empty();
    return std::string(given ? "the server rejects the token (401); put a valid one"
                             : "the server requires a token (401); put one") +
           " into DODO_PAYMENTS_API_KEY or pass it with --token";
  }

  const run::Settings& settings_;
  const Documents& documents_;
  run::Sender sender_;
  bool going_ = true;
  bool moved_ = false;  // from http to https
  std::set<std::string> asked_;
  std::size_t rejected_ = 0;
  std::size_t accepted_ = 0;       // with a token
  bool found_ = false;             // a subject exists
  std::set<std::string> lacking_;  // operations of a subject that does not
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> setup_problems(const run::Settings& settings, const Documents& documents,
                                        const std::vector<std::size_t>& selected, run::Pace& pace,
                                        bool token_alone) {
  Preflight preflight(settings, documents, pace);
  return token_alone ? preflight.look_at_token(selected) : preflight.look(selected);
}

}  // namespace contract_tests::program
