#include "spec/contract/resources/record_views.hpp"

#include "spec/contract/resources/usual_names.hpp"
#include "spec/json/pointer.hpp"
#include "spec/text/names.hpp"

#include <algorithm>

namespace spec::contract::resources {
namespace {

using json::pointer_of;
using nlohmann::ordered_json;
using schema::Schemas;
using schema::Summary;

// The number of members that both have, besides the key.
std::size_t shared_members(const Contract& contract, const Plan& plan, const Schemas& schemas) {
  const Summary& record = summary_of(contract, plan.record);
  const auto& shown = summary_of(contract, schemas).properties;
  return static_cast<std::size_t>(std::ranges::count_if(shown, [&](const auto& member) {
    const bool is_key = !plan.key.empty() && member.first == plan.key.front();
    return !is_key && record.property(member.first) != nullptr;
  }));
}

// The place of the record in the response, without its key where the response has that elsewhere.
std::optional<RecordPlace> view_in(const Contract& contract, const Plan& plan,
                                   const Operation& operation) {
  auto best = shown_by(contract, plan, operation);
  if (best && !is_view(contract, plan, best->schemas)) {
    best.reset();
  }
  const Schemas body = response_body(contract, operation);
  if (body.empty() || operation.method == "GET") {
    return best;
  }
  std::size_t shared = best ? shared_members(contract, plan, best->schemas) : 0;
  for (const auto& [member, inner] : summary_of(contract, body).properties) {
    const std::size_t own = shared_members(contract, plan, inner);
    if (own > shared && is_alike(contract, plan.record, inner)) {
      best = RecordPlace{{member}, inner};
      shared = own;
    }
  }
  return best;
}

// Adds the places of the key, and of the address, in a response that has them without the record.
void add_key_and_address(const Contract& contract, const Plan& plan, const Operation& operation,
                         ordered_json& entry) {
  const Schemas body = response_body(contract, operation);
  if (plan.key.empty() || body.empty()) {
    return;
  }
  const Summary& summary = summary_of(contract, body);
  const auto add_place = [&](const std::string& plain, const Summary& of_value,
                             const std::string& at) {
    const std::string one = text::plain_name(text::singular(plan.resource->name));
    const bool is_only_id = summary.properties.size() == 1 && plain.ends_with("id");
    const bool is_key = plain == text::plain_name(plan.key.back()) || plain == "id" || is_only_id ||
                        plain == one + "id" || plain == text::plain_name(plan.parameter);
    if (is_word_for_address(plain) && of_value.is_string()) {
      entry["shows_address"].push_back(at);
    } else if (is_key && of_value.is_scalar()) {
      entry["shows_key"].push_back(at);
    }
  };
  if (summary.is_string()) {
    add_place(summary.format.starts_with("ur") ? "url" : "id", summary, "");
  }
  for (const auto& [member, inner] : summary.properties) {
    add_place(text::plain_name(member), summary_of(contract, inner), pointer_of({member}));
  }
}

}  // namespace

std::optional<RecordPlace> shown_by(const Contract& contract, const Plan& plan,
                                    const Operation& operation) {
  const Schemas body = response_body(contract, operation);
  const bool shows_no_key =
      plan.key.empty() || std::ranges::find(plan.hidden, plan.key.front()) != plan.hidden.end();
  const bool is_whole = plan.is_single || (shows_no_key && is_view(contract, plan, body));
  return is_whole && !body.empty()
             ? RecordPlace{{}, body}
             : find_record_with(contract, body, plan.key, plan.resource->name);
}

bool shows_one(const Contract& contract, const Plan& plan, const Operation& operation) {
  const auto found = shown_by(contract, plan, operation);
  return found && (found->at.empty() || found->at.back() != "0");
}

bool reads_lists_of_one(const Contract& contract, const Plan& plan) {
  const Operation* const read = plan.resource->one("GET");
  const auto found = read != nullptr ? shown_by(contract, plan, *read) : std::nullopt;
  return found && !found->at.empty() && found->at.back() == "0";
}

bool is_view(const Contract& contract, const Plan& plan, const Schemas& schemas) {
  return !schemas.empty() && shows(contract, schemas, plan.record, plan.resource->name);
}

void add_names(const Contract& contract, const Plan& plan, const Schemas& shown,
               ordered_json& entry) {
  for (const auto& [name, own] : other_names(contract, shown, plan.record, plan.resource->name)) {
    entry["names"][name] = own;
  }
}

bool add_shown(const Contract& contract, const Plan& plan, const Operation& operation,
               ordered_json& entry) {
  if (has_no_body(operation)) {
    return true;
  }
  const auto found = view_in(contract, plan, operation);
  const bool has_key = found && has_member(contract, found->schemas, plan.key);
  if (!has_key && operation.method == "POST") {
    add_key_and_address(contract, plan, operation, entry);
  }
  if (!found) {
    entry["shows"] = "example";
    return false;
  }
  if (!found->at.empty()) {
    entry["into"] = pointer_of(found->at);
  }
  add_names(contract, plan, found->schemas, entry);
  return true;
}

std::string member_with_view(const Contract& contract, const Plan& plan, const Schemas& element) {
  const auto& members = summary_of(contract, element).properties;
  const bool is_alone = members.size() == 1 &&
                        !summary_of(contract, members.front().second).properties.empty() &&
                        is_view(contract, plan, members.front().second);
  return is_alone && !has_member(contract, element, plan.key) ? members.front().first : "";
}

ordered_json entry_of(const Plan& plan, std::string_view behaviour) {
  return {{"behaviour", behaviour}, {"collection", plan.collection}};
}

ordered_json entry_of_one(const Plan& plan, const Operation& operation,
                          std::string_view behaviour) {
  ordered_json entry = entry_of(plan, behaviour);
  if (!plan.is_single) {
    entry["key"] = pointer_of({"path", parameter_names(operation.segments).back()});
  }
  return entry;
}

bool add_from(const Contract& contract, const Plan& plan, const Operation& operation,
              ordered_json& entry) {
  const Schemas body = of_one(contract, request_body(operation));
  if (body.empty() || !holds_record_inside(contract, body, plan.record)) {
    return true;
  }
  const std::string member = member_with_record(contract, body, plan.record);
  if (!member.empty()) {
    entry["from"] = pointer_of({member});
  }
  return !member.empty();
}

namespace {

// Adds the passwords and secrets that requests set, or a creation shows once, and that the
// operation's response does not declare.
void add_secrets(const Contract& contract, const Plan& plan, const Operation& operation,
                 std::vector<std::string>& hidden) {
  std::vector<std::string> secrets;
  const auto add = [&](const Schemas& schemas) {
    for (const auto& [name, inner] : summary_of(contract, schemas).properties) {
      if (is_word_for_secret(text::plain_name(name))) {
        secrets.push_back(name);
      }
    }
  };
  for (const auto* const operations : {&plan.resource->of_all, &plan.resource->of_one}) {
    for (const Operation* const changes : *operations) {
      add(request_body(*changes));
      add(changes->method == "POST" ? response_body(contract, *changes) : Schemas{});
    }
  }
  const auto one = secrets.empty() ? std::nullopt : shown_by(contract, plan, operation);
  const auto list = one || secrets.empty() ? std::nullopt
                                           : find_list(contract, response_body(contract, operation),
                                                       plan.resource->name);
  const Schemas shown = one ? one->schemas : list ? list->schemas : Schemas{};
  for (const std::string& name : secrets) {
    if (!shown.empty() && summary_of(contract, shown).property(name) == nullptr &&
        std::ranges::find(hidden, name) == hidden.end()) {
      hidden.push_back(name);
    }
  }
}

}  // namespace

InferredBinding bound_to(const Contract& contract, const Plan& plan, const Operation& operation,
                         ordered_json entry, bool is_certain) {
  if (!plan.within.empty()) {
    const auto parameters = parameter_names(operation.segments);
    entry["within"] = plan.within;
    for (std::size_t i = 0; i < plan.within.size() && i < parameters.size(); ++i) {
      entry["within"][i]["given"] = pointer_of({"path", parameters[i]});
    }
  }
  std::vector<std::string> hidden = plan.hidden;
  add_secrets(contract, plan, operation, hidden);
  if (!hidden.empty()) {
    entry["hide"] = std::move(hidden);
  }
  return {&operation, plan.collection, plan.is_certain && is_certain, plan.why, std::move(entry)};
}

}  // namespace spec::contract::resources
