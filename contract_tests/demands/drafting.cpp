#include "contract_tests/demands/drafting.hpp"

#include <algorithm>
#include <tuple>

namespace contract_tests::demands {

Case Drafting::draft(std::string sentence, std::string rule, checks::Source source) const {
  Case item;
  item.operation = operation.id;
  item.operation_name = operation.name;
  item.sentence = std::move(sentence);
  item.basis = {std::move(rule), std::move(source)};
  item.request = plain;
  return item;
}

Case Drafting::draft(std::string sentence, std::string rule) const {
  return draft(std::move(sentence), std::move(rule), source_of(operation.statement));
}

Case Drafting::draft_by_book(std::string sentence, std::string rule) const {
  return draft(std::move(sentence), std::move(rule), checks::Source{});
}

Case Drafting::draft_no_server_error(std::string sentence, std::string rule,
                                     checks::Change changed) const {
  auto item = draft_by_book(std::move(sentence), std::move(rule));
  item.expect.want = Want::kHandled;
  item.expect.gateway = true;
  item.changed = std::move(changed);
  return item;
}

void Drafting::add(Case item) const {
  item.id = run::name_of(operation.name, item.sentence);
  for (const plan::RequestPlan& request : requests_of(item)) {
    item.needs.subjects.merge(names_in(request));
  }
  item.needs.subjects.merge(plan::names_in(item.expect.body));
  item.needs.subjects.erase("token");
  item.needs.subjects.erase("other_token");
  item.made_up = item.made_up || made_up;
  if (item.obstacle.empty() && !item.sends_nothing && !item.undeclared_method) {
    item.obstacle = unmade;
  }
  if (open && item.obstacle.empty() && !item.sends_nothing && is_open(item.request)) {
    item.obstacle = {kOpen, run::Reason::Kind::kNotAllowed};
  }
  // Cases of methods outside the contract set their own needs.
  const bool harmless =
      item.request.method == "HEAD" || item.undeclared_method || item.sends_nothing;
  if (writes && !harmless) {
    item.needs.writes = true;
    item.lane = "writes";
    need_what_is_put_back(item);
  }
  if (share != nullptr) {
    share->add(item.basis.rule);
  }
  cases.push_back(std::move(item));
}

bool Drafting::is_open(const RequestPlan& request) const {
  const bool plainly = request.path == plain.path && request.encoded_path == plain.encoded_path &&
                       request.query == plain.query && request.raw_query == plain.raw_query &&
                       request.body == plain.body && request.raw_body == plain.raw_body;
  return plainly || validate_request(contract, operation, request).is_open();
}

void Drafting::need_what_is_put_back(Case& item) const {
  if (!rules.update) {
    need_a_record(item);
    return;
  }
  for (const auto& [name, field] : rules.update->fields) {
    if (field.derived && touches(item, name)) {
      item.needs.restores = field.restore;
      item.needs.mock_only = item.needs.mock_only || item.needs.restores.empty();
    }
  }
}

void Drafting::need_a_record(Case& item) const {
  const bool creates = own != nullptr && own->is_created_by(operation.id);
  const auto requests = requests_of(item);
  const bool names_the_record = std::ranges::all_of(requests, [&](const RequestPlan& request) {
    return request.path == plain.path && request.encoded_path.empty();
  });
  const bool at_the_record =
      names_the_record && (creates || std::ranges::none_of(requests, &RequestPlan::encode_path));
  if (names_the_record) {
    item.own = own;
  }
  if (!at_the_record) {
    item.needs.lasting = "its path is not that of the record, so the change could not be undone";
  } else {
    item.needs.restores_record = lasting.empty();
    const bool undone =
        own != nullptr && own->remove != nullptr && (creates || own->is_of_item(operation));
    item.needs.lasting = undone ? "" : lasting;
    if (item.needs.own_record && item.needs.lasting.empty() && own->remove == nullptr) {
      item.needs.lasting = kStays;
    }
  }
}

bool Drafting::is_rejected(const RequestPlan& request) const {
  return !validate_request(contract, operation, request).violated.empty();
}

bool Drafting::demand_rejection(Case& item) const {
  std::optional<checks::Source> strongest;
  for (const auto& violated : validate_request(contract, operation, item.request).violated) {
    auto source = source_of(violated);
    if (!strongest || source.statement_class < strongest->statement_class) {
      strongest = std::move(source);
    }
  }
  if (!strongest) {
    return false;
  }
  constexpr auto kAssumption = StatementClass::kAssumption;
  auto& source = item.basis.source;
  if (source.statement_class != kAssumption && strongest->statement_class == kAssumption) {
    source = std::move(*strongest);
  }
  item.expect.want = Want::kRejected;
  item.expect.may_accept = source.statement_class == kAssumption;
  return true;
}

bool Drafting::is_sound(const RequestPlan& request) const {
  return validate_request(contract, operation, request).is_valid();
}

checks::Source Drafting::source_of(const spec::contract::Parameter& parameter,
                                   spec::contract::StatementId statement) const {
  auto source = source_of(statement);
  const auto marks = parameter.node.find("x-assumed");
  const auto name = marks && marks.is_object() ? marks.find("name") : spec::document::Node{};
  if (name && name.is_string() && name.string() == contract.statement(statement).reason) {
    source.statement_class = StatementClass::kDocument;
  }
  return source;
}

checks::Source Drafting::source_of(const plan::RequestViolation& violated) const {
  for (const auto& parameter : operation.parameters) {
    if (violated.part != spec::contract::Part::kBody && violated.instance == '/' + parameter.name) {
      return source_of(parameter, violated.statement);
    }
  }
  return source_of(violated.statement);
}

checks::Source Drafting::clause(std::string clause, StatementClass kind) {
  checks::Source source;
  source.clause = std::move(clause);
  source.statement_class = kind;
  return source;
}

bool PlanShare::has_room(std::string_view rule) const {
  const auto found = rules_.find(rule);
  const bool is_plain = found != rules_.end() && found->second.number == 0;
  const std::size_t earlier = found == rules_.end() || is_plain ? 0 : found->second.cases;
  std::size_t before = 0;
  for (const auto& [name, other] : rules_) {
    before += other.number == 0 ? other.cases : std::min(other.cases, earlier);
  }
  return before < limit_;
}

void PlanShare::add(std::string_view rule) {
  auto& [number, cases] = rules_.try_emplace(std::string(rule), Rule{rules_.size()}).first->second;
  ++cases;
  places_.emplace_back(number == 0 ? 0 : cases, number);
}

std::vector<bool> PlanShare::kept_cases() const {
  std::vector<std::tuple<std::size_t, std::size_t, std::size_t>> ranks;  // turn, rule, case
  for (const auto& [turn, number] : places_) {
    const auto rank = number == 0 ? 0 : 1 + (number + operation_ * limit_) % rules_.size();
    ranks.emplace_back(turn, rank, ranks.size());
  }
  std::ranges::sort(ranks);
  std::vector<bool> stays(ranks.size(), false);
  for (std::size_t rank = 0; rank < std::min(limit_, ranks.size()); ++rank) {
    stays[std::get<2>(ranks[rank])] = true;
  }
  return stays;
}

std::size_t PlanShare::left_out() const {
  return places_.size() - std::min(places_.size(), limit_) + not_made_;
}

}  // namespace contract_tests::demands
