#include "contract_tests/run/dry_run.hpp"

#include "contract_tests/run/curl_line.hpp"
#include "spec/http/message.hpp"
#include "spec/text/quote.hpp"

#include <map>
#include <set>

namespace contract_tests::run {

using spec::http::is_safe_method;

namespace {

// Every request that is known before the run.
std::string known_requests(const Settings& settings, const Case& item) {
  const auto& operation = *settings.contract.operation(item.operation);
  std::string lines;
  for (const plan::RequestPlan& request : requests_of(item)) {
    lines +=
        (lines.empty() ? "" : "\n  ") + request_line(settings, operation, request, settings.names);
  }
  return item.run ? lines + "  # and further requests" : lines;
}

// The requests around the case that undo its changes; "" for none.
std::string undoing(const Settings& settings, const Case& item) {
  switch (write_strategy_of(settings, item)) {
    case WriteStrategy::kRestores:
      return "\n  # the record is read before, and written back and read after";
    case WriteStrategy::kRemoves: return "\n  # what it creates is removed after";
    case WriteStrategy::kOwnRecord:
      return "\n  # the record is created before by " + item.own->create->name +
             (item.own->remove == nullptr ? std::string(", and stays")
                                          : ", and removed after by " + item.own->remove->name);
    case WriteStrategy::kLasts:
    case WriteStrategy::kUnnamed: return "\n  # its effect lasts";
    case WriteStrategy::kAsIs: break;
  }
  return {};
}

// The way in which changes of one operation are undone.
std::string undone_how(WriteStrategy way, const Case& item) {
  switch (way) {
    case WriteStrategy::kRestores: return "the record is written back";
    case WriteStrategy::kRemoves: return "what they create is removed";
    case WriteStrategy::kOwnRecord: return "of records that the run creates and removes";
    case WriteStrategy::kUnnamed:
    case WriteStrategy::kLasts: return "not undone";
    case WriteStrategy::kAsIs: break;
  }
  return item.undeclared_method ? "for unknown identifiers" : "undone by the rules";
}

class Announcement {
 public:
  explicit Announcement(const Settings& settings) : settings_(settings) {}

  void add(const Case& item) {
    const auto way = write_strategy_of(settings_, item);
    const auto& operation = *settings_.contract.operation(item.operation);
    const auto known = requests_of(item);
    const bool probes = item.undeclared_method && !is_safe_method(item.request.method);
    if (!item.needs.writes && !probes) {
      return;
    }
    if (way == WriteStrategy::kOwnRecord) {
      count(*item.own->create, item.own->create->method, 1);
    }
    const auto* remove = item.own == nullptr ? nullptr : item.own->remove;
    const bool removes = remove != nullptr && remove->id != item.operation;
    if (removes && (way == WriteStrategy::kRemoves || way == WriteStrategy::kOwnRecord)) {
      count(*remove, remove->method, way == WriteStrategy::kRemoves ? known.size() : 1);
    }
    for (const plan::RequestPlan& request : known) {
      const auto& method = request.method.empty() ? operation.method : request.method;
      if (!is_safe_method(method)) {
        count(operation, method, 1);
        ++operations_[method + ' ' + operation.path + ": " + undone_how(way, item)];
      }
    }
  }

  std::string text() const {
    if (methods_.empty()) {
      return {};
    }
    constexpr std::size_t kMaxLines = 20;
    std::string list;
    for (const auto& [method, requests] : methods_) {
      spec::text::append_to_list(list, method + ' ' + std::to_string(requests));
    }
    std::string text = "this run will send at least " + list + " at " +
                       std::to_string(paths_.size()) + (paths_.size() == 1 ? " path" : " paths") +
                       " of " + settings_.url.text() + '\n';
    std::size_t lines = 0;
    for (const auto& [what, requests] : operations_) {
      if (++lines <= kMaxLines) {
        text += "  " + std::to_string(requests) + ' ' + what + '\n';
      }
    }
    return lines <= kMaxLines ? text
                              : text + "  and " + std::to_string(lines - kMaxLines) +
                                    " more operations; --dry-run prints every request\n";
  }

 private:
  void count(const spec::contract::Operation& operation, const std::string& method,
             std::size_t requests) {
    methods_[method] += requests;
    paths_.insert(operation.path);
  }

  const Settings& settings_;
  std::map<std::string, std::size_t> methods_;
  std::map<std::string, std::size_t> operations_;
  std::set<std::string> paths_;
};

}  // namespace

std::string request_line(const Settings& settings, const spec::contract::Operation& operation,
                         const plan::RequestPlan& request, const plan::Names& names) {
  auto built = plan::build_request(operation, request, names, settings.url.prefix);
  if (!built) {
    return "not sent: the subject " + built.error() + " is not set";
  }
  client::Exchange exchange;
  exchange.url =
      (settings.url.tls ? "https://" : "http://") + settings.url.authority() + built.value().target;
  exchange.sent = std::move(built.value());
  return curl_line(settings.secrets, exchange);
}

std::string dry_text(const Settings& settings, const Case& item) {
  const auto reason = why_not(settings, item);
  std::string request = "skipped: " + reason.words;
  if (reason.empty()) {
    request = item.sends_nothing ? "no request: it checks the responses of all other cases"
                                 : known_requests(settings, item) + undoing(settings, item);
  }
  return item.id + "\n  " + item.operation_name + ": " + item.sentence + "\n  " + request + '\n';
}

std::string announcement(const Settings& settings, const Plan& plan,
                         const std::vector<std::size_t>& selected) {
  if (settings.consent.lasting) {
    return {};
  }
  Announcement announcement(settings);
  for (const auto index : selected) {
    if (why_not(settings, plan.cases[index]).empty()) {
      announcement.add(plan.cases[index]);
    }
  }
  return announcement.text();
}

}  // namespace contract_tests::run
