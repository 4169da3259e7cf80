#include "contract_tests/run/found_values.hpp"

#include "contract_tests/plan/generated_plan.hpp"
#include "contract_tests/plan/own_record.hpp"
#include "contract_tests/run/changes.hpp"
#include "contract_tests/run/status.hpp"
#include "spec/contract/resources/references.hpp"
#include "spec/http/message.hpp"
#include "spec/json/read.hpp"
#include "spec/schema/schema_summary.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

namespace contract_tests::run {

using nlohmann::json;
using spec::contract::Operation;
using spec::contract::Parameter;

namespace {

using Texts = std::vector<std::string>;  // values of the parameters of a path, in its order

bool is_in_path(const Parameter& parameter) {
  return parameter.location == spec::contract::Location::kPath;
}

// True for a list whose request is complete with the values of its path, or with those that the
// plan has for `required` ones.
bool is_list(const Operation& operation, const Settings& settings) {
  return operation.method == "GET" && !operation.path.ends_with('}') &&
         (settings.required.contains(operation.id) ||
          std::ranges::none_of(operation.parameters, [](const Parameter& parameter) {
            return parameter.required && !is_in_path(parameter);
          }));
}

// The path without the names of its parameters: "/carts/{}/items".
std::string form_of(std::string_view path) {
  std::string form;
  for (bool inside = false; const char letter : path) {
    inside = inside && letter != '}';
    form += inside ? "" : std::string(1, letter);
    inside = inside || letter == '{';
  }
  return form;
}

// The path up to its last parameter; "" if it has none.
std::string up_to_parameter(std::string_view path) {
  return std::string(path.substr(0, path.rfind('}') + 1));
}

// The same for the parameter before the last.
std::string parent_of(const std::string& path) {
  return up_to_parameter(path.substr(0, path.rfind('{')));
}

Texts names_in_path(const Operation& operation) {
  return parameter_names(operation.segments);
}

// The path parameters of the operation with these values, as far as they go.
plan::RequestPlan with_path(const Operation& operation, const Texts& values) {
  plan::RequestPlan request;
  const auto names = names_in_path(operation);
  for (std::size_t at = 0; at < std::min(names.size(), values.size()); ++at) {
    request.path[names[at]] = values[at];
  }
  return request;
}

// The first object in a list, at the root or in a member; null if there is none.
const json* first_object(const json& body) {
  if (body.is_array()) {
    return !body.empty() && body.front().is_object() ? &body.front() : nullptr;
  }
  if (body.is_object()) {
    for (const auto& [name, value] : body.items()) {
      if (const auto* found = value.is_array() ? first_object(value) : nullptr) {
        return found;
      }
    }
  }
  return nullptr;
}

class ValueFinder {
 public:
  ValueFinder(CaseRun& case_run, const Plan& plan, Search search)
      : case_run_(case_run),
        resources_(resources_of(case_run.settings().contract)),
        search_(search),
        may_create_(search == Search::kRun && case_run.settings().consent.writes) {
    for (const auto& item : plan.cases) {
      if (item.own != nullptr) {
        owns_.try_emplace(form_of(up_to_parameter(item.own->read->path)), item.own.get());
        if (!item.own->is_created_by(item.operation)) {
          with_own_.insert(item.operation);
        }
      }
    }
  }

  FoundValues find(const std::set<std::string>& asked) {
    for (const auto& operation : contract().operations()) {
      if (asked.contains(operation.id)) {
        find_path(operation);
        find_references(operation);
        find_named(operation);
      }
    }
    return std::move(found_);
  }

 private:
  const spec::contract::Contract& contract() const { return case_run_.settings().contract; }

  bool is_made_up(const std::string& name) const {
    return case_run_.settings().made_up.contains(name);
  }

  // The way to records of the run's own at this path; null if there is none that may be gone.
  const plan::OwnRecord* own_at(const std::string& path) const {
    const auto found = owns_.find(form_of(path));
    const bool usable = may_create_ && found != owns_.end() &&
                        (found->second->remove != nullptr || case_run_.settings().consent.sandbox);
    return usable ? found->second : nullptr;
  }

  // The values of a path that has made-up ones alone.
  void find_path(const Operation& operation) {
    const auto names = names_in_path(operation);
    const bool all_made_up = std::ranges::all_of(
        names, [&](const std::string& name) { return is_made_up(operation.id + '.' + name); });
    auto path = up_to_parameter(operation.path);
    const bool reads = operation.method == "GET";
    const auto* own = own_at(path);
    if (!reads && own != nullptr && with_own_.contains(operation.id)) {
      path = parent_of(path);  // each case has a record of its own
    }
    if (names.empty() || path.empty() || !all_made_up) {
      return;
    }
    const bool is_below = own != nullptr && !parent_of(path).empty();
    const bool may_be_of_others =
        reads || search_ == Search::kLists ||
        (case_run_.settings().consent.sandbox && operation.method != "DELETE");
    const bool own_first = !reads || is_below;
    for (const bool of_run : {own_first, !own_first}) {
      if (const auto& values = of_run || may_be_of_others ? record_at(path, of_run) : none_) {
        take(operation, *values, of_run);
        return;
      }
    }
    if (reads) {
      found_.lacking.push_back(operation.name);
    }
  }

  void take(const Operation& operation, const Texts& values, bool of_run) {
    const auto names = names_in_path(operation);
    for (std::size_t at = 0; at < std::min(values.size(), names.size()); ++at) {
      set(operation.id + '.' + names[at], values[at], of_run);
    }
  }

  // Records that are created from now on have it too.
  void set(const std::string& name, const std::string& value, bool of_run) {
    found_.values[name] = value;
    case_run_.rename(name, value);
    if (of_run) {
      found_.created.insert(name);
    }
  }

  // Records to which the body refers: of the run's own where it may create them.
  void find_references(const Operation& operation) {
    const auto start = plan::name_of_member(operation.id, "");
    const auto& all = case_run_.settings().made_up;
    for (auto at = all.lower_bound(start); at != all.end() && at->starts_with(start); ++at) {
      const auto* resource = resource_named(operation, plan::member_of_name(operation.id, *at));
      for (const bool of_run : {true, false}) {
        if (resource != nullptr && !found_.values.contains(*at)) {
          if (const auto values = record_at(resource->form + "/{id}", of_run)) {
            set(*at, values->back(), of_run);
          }
        }
      }
    }
  }

  const spec::contract::Resource* resource_named(const Operation& operation,
                                                 const std::string& member) const {
    const auto schema =
        operation.body ? spec::contract::json_schema(operation.body->contents) : std::nullopt;
    const auto& summaries = contract().summaries();
    const auto* schemas = schema ? summaries.summary_of(*schema).property(member) : nullptr;
    if (schemas == nullptr) {
      return nullptr;
    }
    const auto& seen = summaries.summary_of(*schemas);
    return spec::contract::resources::referred_resource(
        contract(), resources_, member, seen.elements.empty() ? *schemas : seen.elements);
  }

  // The values of a path that ends in a parameter, of a record that is the run's own or in a list.
  const std::optional<Texts>& record_at(const std::string& path, bool of_run) {
    const auto [known, is_new] = records_.try_emplace({form_of(path), of_run});
    if (is_new) {
      const auto above = parent_of(path);
      const auto parents = above.empty() ? std::optional<Texts>(Texts()) : record_at(above, of_run);
      auto last = !parents ? std::nullopt
                  : of_run ? created(path, *parents)
                           : listed(path, *parents);
      if (last) {
        auto values = *parents;
        values.push_back(std::move(*last));
        records_[{form_of(path), of_run}] = std::move(values);
      }
    }
    return records_[{form_of(path), of_run}];
  }

  std::optional<std::string> created(const std::string& path, const Texts& parents) {
    const auto* own = own_at(path);
    std::string why;
    if (own == nullptr || !going_) {
      return std::nullopt;
    }
    find_references(*own->create);
    auto request = with_path(*own->read, parents);
    request.path.merge(with_path(*own->create, parents).path);
    return create_for_run(case_run_, *own, request, why);
  }

  std::optional<std::string> listed(const std::string& path, const Texts& parents) {
    auto collection = path.substr(0, path.rfind('{'));
    collection.resize(collection.ends_with('/') ? collection.size() - 1 : collection.size());
    const auto resource = resources_.find(form_of(collection));  // without ".json"
    const auto* list = resource == resources_.end() ? nullptr : resource->second.all("GET");
    for (const auto& other : contract().operations()) {
      if (list == nullptr && form_of(other.path) == form_of(collection)) {
        list = other.method == "GET" ? &other : nullptr;
      }
    }
    return list != nullptr && is_list(*list, case_run_.settings())
               ? identifier_of(path, object_of(*list, parents))
               : std::nullopt;
  }

  // The member of `object` by which the path names it.
  std::optional<std::string> identifier_of(const std::string& path, const json& object) const {
    const auto own = owns_.find(form_of(path));
    if (own != owns_.end() && object.is_object()) {
      const auto* record = plan::record_in(*own->second, object);
      return record == nullptr ? std::nullopt : plan::identifier_of(*own->second, *record);
    }
    for (const auto& operation : contract().operations()) {
      const auto other = up_to_parameter(operation.path);
      if (form_of(other) != form_of(path)) {
        continue;
      }
      const auto open = other.rfind('{');
      const auto name = other.substr(open + 1, other.size() - open - 2);
      const auto* declared = operation.parameter(spec::contract::Location::kPath, name);
      for (const auto& member : declared == nullptr ? Texts() : Texts{name, "id"}) {
        if (auto value = fitting(object, member, *declared)) {
          return value;
        }
      }
    }
    return std::nullopt;
  }

  // Parameters of the query, and those of a path that names no record: by a name of their own,
  // which means the same in every list ("customer_id", not "id").
  void find_named(const Operation& operation) {
    for (const auto& parameter : operation.parameters) {
      const auto name = operation.id + '.' + parameter.name;
      const bool own = parameter.name.size() > 2 &&
                       (parameter.name.ends_with("id") || parameter.name.ends_with("Id"));
      if (!own || !is_made_up(name) || found_.values.contains(name)) {
        continue;
      }
      for (const auto& list : contract().operations()) {
        if (is_list(list, case_run_.settings()) && names_in_path(list).empty()) {
          if (auto value = fitting(object_of(list, {}), parameter.name, parameter)) {
            set(name, *value, false);
            break;
          }
        }
      }
    }
  }

  // The member of `object` as a text, if it has the type of the parameter.
  std::optional<std::string> fitting(const json& object, const std::string& member,
                                     const Parameter& parameter) const {
    const auto found = object.is_object() ? object.find(member) : object.end();
    if (found == object.end() || !parameter.schema) {
      return std::nullopt;
    }
    const auto& seen = contract().summaries().summary_of(*parameter.schema);
    return found->is_string() && seen.is_number() ? std::nullopt : plan::identifier_text(*found);
  }

  // The first object that a list responds with, read once; null if there is none.
  const json& object_of(const Operation& list, const Texts& parents) {
    const auto [known, is_new] = objects_.try_emplace({list.id, parents});
    if (!is_new || !going_) {
      return known->second;
    }
    const auto* sent = case_run_.fetch(list, with_path(list, parents));
    const int status = sent == nullptr ? 0 : sent->exchange.status();
    going_ = status != 0 && !is_transient(status) && status != 401;
    const auto body = spec::json::read(status / 100 == 2 ? sent->exchange.response.body : "");
    const auto* first = body ? first_object(body.value()) : nullptr;
    known->second = first == nullptr ? json() : *first;
    return known->second;
  }

  CaseRun& case_run_;
  const spec::contract::Resources resources_;
  const Search search_;
  const bool may_create_;
  bool going_ = true;               // the service responds
  std::set<std::string> with_own_;  // ids of operations whose cases have records of their own
  std::map<std::string, const plan::OwnRecord*> owns_;     // by the form of the path
  std::map<std::pair<std::string, Texts>, json> objects_;  // by id of the list, and its parents
  std::map<std::pair<std::string, bool>, std::optional<Texts>> records_;
  const std::optional<Texts> none_ = std::nullopt;
  FoundValues found_;
};

}  // namespace

FoundValues find_values(CaseRun& case_run, const Plan& plan,
                        const std::vector<std::size_t>& selected, Search search) {
  std::set<std::string> asked;
  for (const auto index : selected) {
    const auto& item = plan.cases.at(index);
    const bool may_run = search == Search::kLists || item.operation_name.starts_with("GET ") ||
                         case_run.settings().consent.writes ||
                         case_run.settings().consent.may_last(item.operation);
    if (may_run) {
      asked.insert(item.operation);
    }
  }
  return ValueFinder(case_run, plan, search).find(asked);
}

}  // namespace contract_tests::run
