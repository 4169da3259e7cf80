// Updates: what is sent is shown, stored, and touches nothing else; what is refused changes
// nothing. Every procedure named here undoes what it did.

#include "contract_tests/plan/drafting.hpp"

namespace contract_tests::plan {

using nlohmann::json;
using spec::contract::StatementClass;

namespace {

class Update {
 public:
  explicit Update(const Drafting& drafting) : drafting_(drafting), block_(drafting.rules.update) {}

  void draft() const {
    add(start("an empty change leaves the record as it is", "update/nothing", "update_nothing"));
    for (const auto& [name, field] : block_.at("fields").items()) {
      this->field(name, field);
    }
    together();
    for (const auto& [name, values] : block_.at("owned").items()) {
      auto item = start(name + " cannot be set by a request", "update/owned", "update_owned");
      item.data["field"] = name;
      item.data["values"] = values;
      item.changed = "body /" + name;
      add(std::move(item));
    }
    refused();
    other();
  }

 private:
  Case start(std::string sentence, std::string rule, std::string procedure,
             StatementClass kind = StatementClass::kDocument) const {
    auto item =
        drafting_.draft(std::move(sentence), std::move(rule), Drafting::clause(block_, kind));
    item.procedure = std::move(procedure);
    item.data = {{"update", block_}};
    return item;
  }

  void add(Case item) const { drafting_.add(std::move(item)); }

  void field(const std::string& name, const json& field) const {
    const bool derived = field.value("echo", "same") == "derived";
    const auto one = [&](const std::string& sentence, const std::string& rule,
                         const std::string& procedure, StatementClass kind) {
      auto item = start(sentence, rule, procedure, kind);
      item.data["field"] = name;
      item.changed = "body /" + name;
      item.needs.double_only = derived;
      add(std::move(item));
    };
    const auto document = StatementClass::kDocument;
    if (derived) {
      one("a new " + name + " shows in the record", "update/derived", "update_derived",
          StatementClass::kAssumption);
    } else {
      one("a new " + name + " is in the answer", "update/echo", "update_echo", document);
      one("a new " + name + " is stored", "update/stored", "update_stored", document);
      one("the same " + name + " twice gives the same record", "update/twice", "update_twice",
          StatementClass::kAssumption);
    }
    one("a new " + name + " touches nothing else", "update/others", "update_others", document);
    one("a null " + name + " ends in no server error", "update/null", "update_null",
        StatementClass::kAssumption);
  }

  void together() const {
    auto item = start("several fields change together", "update/echo", "update_together");
    item.changed = "body with every field";
    add(std::move(item));
  }

  void refused() const {
    json body = json::object();
    json wrong = json::object();
    for (const auto& [name, field] : block_.at("fields").items()) {
      if (field.value("echo", "same") == "same") {
        body[name] = field.at("values").at(0);
        wrong[name] = json::array({"wrong"});
      }
    }
    auto atomic = start("a change of which one part is wrong changes nothing", "update/atomic",
                        "refused_unchanged");
    atomic.request.body = body;
    (*atomic.request.body)[wrong.begin().key()] = wrong.begin().value();
    atomic.expect.want = Want::kRefused;
    atomic.data["read"] = to_json(drafting_.plain);
    atomic.changed = "body with one field of a wrong type";
    add(std::move(atomic));

    auto unauthorized = start("a change without credentials changes nothing", "update/unauthorized",
                              "refused_unchanged");
    unauthorized.request.body = body;
    unauthorized.request.authorization = "";
    unauthorized.expect.want = Want::kUnauthorized;
    unauthorized.data["read"] = to_json(drafting_.plain);
    unauthorized.changed = "no header Authorization, a body that changes fields";
    add(std::move(unauthorized));
  }

  void other() const {
    if (!block_.contains("other")) {
      return;
    }
    auto item = start("a change leaves other records alone", "update/other-record", "update_other");
    item.data["other"] = to_json(overlay(drafting_.plain, request_from(block_.at("other"))));
    item.changed = "body with every field";
    add(std::move(item));
  }

  const Drafting& drafting_;
  const json& block_;
};

}  // namespace

void draft_update(const Drafting& drafting) {
  if (!drafting.rules.update.is_null()) {
    Update(drafting).draft();
  }
}

}  // namespace contract_tests::plan
