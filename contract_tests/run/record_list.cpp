#include "contract_tests/run/record_list.hpp"

#include "contract_tests/run/status.hpp"
#include "spec/json/number.hpp"
#include "spec/json/pointer.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>
#include <utility>

namespace contract_tests::run {

using nlohmann::json;

namespace {

const std::set<std::string, std::less<>> kPages{"page", "pagenumber"};
const std::set<std::string, std::less<>> kOffsets{"offset", "skip", "start"};
const std::set<std::string, std::less<>> kTotals{
    "total",        "totalcount",    "totalitems",   "totalrecords", "totalresults",
    "totalentries", "totalelements", "totalobjects", "totalrows",    "totalhits"};

// "totalcount" of "total_count" and "totalCount".
std::string plain_name(std::string_view name) {
  auto plain = spec::text::to_lower(name);
  std::erase_if(plain, [](char letter) { return letter == '_' || letter == '-'; });
  return plain;
}

bool has_objects(const json& list) {
  return list.is_array() &&
         std::ranges::all_of(list, [](const json& element) { return element.is_object(); });
}

// True if a total of whatever name is this number: "total_tasks", "recordsTotal".
bool counts_all(const json& body, long long count) {
  if (body.is_object()) {
    for (const auto& [key, value] : body.items()) {
      const auto name = plain_name(key);
      if (name.find("total") != std::string::npos && name.find("page") == std::string::npos &&
          spec::json::to_int64(value) == count) {
        return true;
      }
    }
  }
  return false;
}

// A member that leads on: "next", "next_cursor", "hasMore".
bool leads_on(const json& body) {
  if (!body.is_object()) {
    return false;
  }
  for (const auto& member : body.items()) {
    const auto name = spec::text::to_lower(member.key());
    const bool next = name.find("next") != std::string::npos ||
                      name.find("more") != std::string::npos ||
                      name.find("cursor") != std::string::npos || name == "links";
    const auto& value = member.value();
    if (next && !value.is_null() && value != json(false) && value != json("")) {
      return true;
    }
  }
  return false;
}

class Reader {
 public:
  Reader(CaseRun& case_run, const plan::OwnRecord& own, const plan::RequestPlan& parents)
      : case_run_(case_run),
        own_(own),
        pages_(case_run.settings().rules.of_operation(own.list->id).pages) {
    request_.path = parents.path;
  }

  std::optional<OwnList> read() { return pages_ ? read_pages() : read_once(); }

 private:
  // The records that one response shows; empty if that is no list.
  std::optional<OwnList> page(const plan::RequestPlan& request) {
    sent_ = case_run_.fetch(*own_.list, request);
    const bool found = sent_ != nullptr && sent_->exchange.status() == 200;
    const auto body = spec::json::read(found ? sent_->exchange.response.body : "");
    const auto* records = body ? records_in(body.value(), pages_ ? pages_->items : "") : nullptr;
    if (records == nullptr) {
      return std::nullopt;
    }
    return OwnList{{records->begin(), records->end()},
                   is_whole(*own_.list, sent_->exchange, body.value(), records->size()),
                   total_in(sent_->exchange, body.value(), records->size()),
                   sent_};
  }

  std::optional<OwnList> read_once() {
    auto list = page(request_);
    const auto last = list ? last_page(*list) : std::nullopt;
    if (const auto more = last ? page(*last) : std::nullopt) {
      list->records.insert(list->records.end(), more->records.begin(), more->records.end());
    }
    return list;
  }

  // The request for the last page, where the total and a parameter of the list say which it is.
  std::optional<plan::RequestPlan> last_page(const OwnList& first) const {
    const auto shown = static_cast<long long>(first.records.size());
    if (!first.total || shown == 0 || *first.total <= shown) {
      return std::nullopt;
    }
    for (const auto& parameter : own_.list->parameters) {
      const auto name = plain_name(parameter.name);
      const bool is_page = kPages.contains(name);
      if (parameter.location == spec::contract::Location::kQuery &&
          (is_page || kOffsets.contains(name))) {
        auto request = request_;
        request.query.emplace_back(
            parameter.name,
            std::to_string(is_page ? (*first.total + shown - 1) / shown : *first.total - shown));
        return request;
      }
    }
    return std::nullopt;
  }

  // A page past the end may be empty or a rejection.
  std::optional<OwnList> read_pages() {
    OwnList all;
    std::vector<json> before;
    for (std::size_t number = 0; number < case_run_.settings().walk_pages; ++number) {
      auto list = page(pages_->page(request_, pages_->max_size, number));
      const bool rejected = sent_ != nullptr && sent_->exchange.status() / 100 == 4;
      if (number > 0 && (list ? list->records.empty() : rejected)) {
        all.whole = true;
        return all;
      }
      if (!list) {
        return std::nullopt;
      }
      all.last = list->last;
      all.total = list->total;
      if (list->records == before) {
        return all;  // the same page for ever
      }
      all.records.insert(all.records.end(), list->records.begin(), list->records.end());
      before = std::move(list->records);
    }
    return all;
  }

  CaseRun& case_run_;
  const plan::OwnRecord& own_;
  const std::optional<plan::PageRules>& pages_;
  plan::RequestPlan request_;
  const CaseResponse* sent_ = nullptr;  // the last response
};

const json& member_of(const json& record, const std::string& name) {
  static const json absent;
  const auto found = record.find(name);
  return found == record.end() ? absent : *found;
}

void gather_names(const json& record, std::set<std::string>& names) {
  for (const auto& member : record.items()) {
    names.insert(member.key());
  }
}

// True if the records of the list have few values of this member, and `record` none of them.
bool is_category(const OwnList& list, const std::string& name, const json& record) {
  const auto& value = member_of(record, name);
  std::set<std::string> values;
  for (const auto& shown : list.records) {
    values.insert(spec::json::write(member_of(shown, name)));
  }
  if (value.is_structured() || values.contains(spec::json::write(value))) {
    return false;
  }
  const auto count = list.records.size();
  const bool few = value.is_string() ? values.size() < count : 2 * values.size() <= count;
  // A date that the others have and this one lacks says as much: "published_at".
  return few || count == 1 || value.is_null() || value.is_boolean();
}

}  // namespace

const json* records_in(const json& body, const std::string& pointer) {
  if (!pointer.empty()) {
    const auto* found = spec::json::find(body, pointer);
    return found != nullptr && has_objects(*found) ? found : nullptr;
  }
  if (!body.is_object()) {
    return has_objects(body) ? &body : nullptr;
  }
  const json* list = nullptr;
  for (const auto& member : body) {
    if (member.is_array() && list != nullptr) {
      return nullptr;  // of two, neither is known to be the list
    }
    list = member.is_array() ? &member : list;
  }
  return list != nullptr && has_objects(*list) ? list : nullptr;
}

std::optional<long long> total_in(const client::Exchange& exchange, const json& body,
                                  std::size_t count) {
  if (const auto field = exchange.response.headers.find("X-Total-Count")) {
    return spec::text::parse_number<long long>(*field);
  }
  if (!body.is_object()) {
    return std::nullopt;
  }
  const auto shown = static_cast<long long>(count);
  for (const auto& [key, value] : body.items()) {
    const auto name = plain_name(key);
    const auto number = spec::json::to_int64(value);
    if (number &&
        ((kTotals.contains(name) && *number >= shown) || (name == "count" && *number > shown))) {
      return *number;
    }
    if (const auto below = value.is_object() ? total_in({}, value, count) : std::nullopt) {
      return below;
    }
  }
  return std::nullopt;
}

bool is_whole(const spec::contract::Operation& list, const client::Exchange& exchange,
              const json& body, std::size_t count) {
  constexpr std::size_t kSmallestPage = 5;
  const auto shown = static_cast<long long>(count);
  if (total_in(exchange, body, count) == shown || counts_all(body, shown)) {
    return true;
  }
  const bool has_query = std::ranges::any_of(list.parameters, [](const auto& parameter) {
    return parameter.location == spec::contract::Location::kQuery;
  });
  return !has_query && count < kSmallestPage && !leads_on(body) &&
         !exchange.response.headers.find("Link") &&
         !exchange.response.headers.find("Content-Range");
}

std::optional<OwnList> read_list(CaseRun& case_run, const plan::OwnRecord& own,
                                 const plan::RequestPlan& parents) {
  return own.list == nullptr ? std::nullopt : Reader(case_run, own, parents).read();
}

const json* find_record(const plan::OwnRecord& own, const OwnList& list,
                        const std::string& identifier) {
  const auto found = std::ranges::find_if(list.records, [&](const json& record) {
    return plan::identifier_of(own, record) == identifier;
  });
  return found == list.records.end() ? nullptr : &*found;
}

std::vector<std::string> identifiers_lacked(const plan::OwnRecord& own, const OwnList& before,
                                            const OwnList& after) {
  std::vector<std::string> lacked;
  for (const auto& record : before.records) {
    auto identifier = plan::identifier_of(own, record);
    if (identifier && find_record(own, after, *identifier) == nullptr) {
      lacked.push_back(std::move(*identifier));
    }
  }
  return lacked;
}

std::vector<std::string> marked_records(const plan::OwnRecord& own, const OwnList& list,
                                        const std::string& marker) {
  std::set<std::string> found;
  for (const auto& record : list.records) {
    const auto identifier = plan::identifier_of(own, record);
    const auto& shown = member_of(record, own.marker);
    if (identifier && shown.is_string() &&
        spec::text::equals_ignoring_case(shown.get_ref<const std::string&>(), marker)) {
      found.insert(*identifier);
    }
  }
  return {found.begin(), found.end()};
}

std::string may_be_filtered_by(const plan::OwnRecord& own, const OwnList& list,
                               const json& record) {
  std::set<std::string> names;
  for (const auto& shown : list.records) {
    gather_names(shown, names);
  }
  gather_names(record, names);
  names.erase(own.marker);  // any text is as good as another
  const auto found = std::ranges::find_if(
      names, [&](const std::string& name) { return is_category(list, name, record); });
  return found == names.end() ? "" : *found;
}

}  // namespace contract_tests::run
