#include "contract_tests/run/announcement.hpp"

#include "spec/http/method.hpp"
#include "spec/text/quote.hpp"

#include <map>
#include <set>

namespace contract_tests::run {

namespace {

using spec::http::is_safe_method;

// Of one operation, how its changes are undone.
std::string undone_how(Way way, const Case& item) {
  switch (way) {
    case Way::kRestores: return "the record is written back";
    case Way::kRemoves: return "what they create is removed";
    case Way::kOwnRecord: return "of records that the run creates and removes";
    case Way::kUnnamed:
    case Way::kLasts: return "not undone";
    case Way::kAsIs: break;
  }
  return item.undeclared_method ? "for unknown identifiers" : "undone by the rules";
}

class Announcement {
 public:
  explicit Announcement(const Settings& settings) : settings_(settings) {}

  void add(const Case& item) {
    const auto way = way_of(settings_, item);
    const auto& operation = *settings_.contract.operation(item.operation);
    const auto known = requests_of(item);
    const bool probes = item.undeclared_method && !is_safe_method(item.request.method);
    if (!item.needs.writes && !probes) {
      return;
    }
    if (way == Way::kOwnRecord) {
      count(*item.own->create, item.own->create->method, 1);
    }
    const bool deletes = item.own != nullptr && item.own->remove->id == item.operation;
    if (way == Way::kRemoves || (way == Way::kOwnRecord && !deletes)) {
      count(*item.own->remove, item.own->remove->method, way == Way::kRemoves ? known.size() : 1);
    }
    for (const auto& request : known) {
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
