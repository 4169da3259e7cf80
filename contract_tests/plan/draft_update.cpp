// Updates: what is sent is shown, stored, and touches nothing else; what is refused changes
// nothing. Every procedure named here undoes what it did.

#include "contract_tests/plan/drafting.hpp"
#include "spec/json/value.hpp"

#include <iterator>

namespace contract_tests::plan {

using nlohmann::json;
using spec::contract::StatementClass;

namespace {

class Update {
 public:
  explicit Update(const Drafting& drafting) : drafting_(drafting), block_(drafting.rules.update) {}

  void draft() const {
    add(start("an empty change leaves the record as it is", "update/nothing", "update_nothing"));
    add(start("an empty change leaves what was changed before it", "update/nothing",
              "update_nothing_after"));
    for (const auto& [name, field] : block_.at("fields").items()) {
      this->field(name, field);
    }
    together();
    for (const auto& [name, values] : block_.at("owned").items()) {
      owned(name, values);
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
    item.data = {{"update", own_block()}};
    return item;
  }

  // Without the other record, which one case alone is about.
  json own_block() const {
    auto block = block_;
    block.erase("other");
    return block;
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
    if (field.value("letters", "") == "either") {
      auto item =
          drafting_.draft("the letters of " + name + " may be of either case", "body/letter-case");
      item.why.source = {};
      item.procedure = "update_letters";
      item.data = {{"update", own_block()}, {"field", name}};
      item.changed = "body /" + name + " in capital letters";
      add(std::move(item));
    }
    if (!derived) {
      texts(name, field);
    }
    for (const auto& [who, authorization] :
         {std::pair("without credentials", ""),
          std::pair("under an unknown token", "Bearer counterpart-nobody-has-this-token")}) {
      auto item = unauthorized("a new " + name + " " + who + " changes nothing",
                               {{name, field.at("values").at(0)}});
      item.request.authorization = authorization;
      item.data["field"] = name;
      item.needs.double_only = derived;
      item.changed = "body /" + name + " " + who;
      add(std::move(item));
    }
  }

  // Texts that a service may refuse, but not keep as others.
  void texts(const std::string& name, const json& field) const {
    const auto texts = field.value("texts", json::object());
    for (const auto& [what, text] : texts.items()) {
      auto item = start("a " + name + " " + what + " is kept as it was sent or refused",
                        "update/echo", "update_text");
      item.data["field"] = name;
      item.data["text"] = text;
      item.changed = "body /" + name;
      add(std::move(item));
    }
    if (field.at("values").at(0).is_string()) {
      auto item = start("an empty " + name + " is taken or refused", "update/empty", "update_empty",
                        StatementClass::kAssumption);
      item.data["field"] = name;
      item.changed = "body /" + name + " empty";
      add(std::move(item));
    }
  }

  // Alone, and beside a change that is the request's own.
  void owned(const std::string& name, const json& values) const {
    auto item = start(name + " cannot be set by a request", "update/owned", "update_owned");
    item.data["field"] = name;
    item.data["values"] = values;
    item.changed = "body /" + name;
    add(item);
    const auto body = shown_values();
    if (!body.empty()) {
      item.sentence = name + " cannot be set beside a change";
      item.data["beside"] = body.begin().key();
      item.changed += " and /" + body.begin().key();
      add(std::move(item));
    }
  }

  // A value for every field that the record shows as it was sent.
  json shown_values() const {
    json body = json::object();
    for (const auto& [name, field] : block_.at("fields").items()) {
      if (field.value("echo", "same") == "same") {
        body[name] = field.at("values").at(0);
      }
    }
    return body;
  }

  Case unauthorized(std::string sentence, json body) const {
    auto item = start(std::move(sentence), "update/unauthorized", "refused_unchanged");
    item.request.body = std::move(body);
    item.request.authorization = "";
    item.expect.want = Want::kUnauthorized;
    item.data["read"] = to_json(drafting_.plain);
    return item;
  }

  void together() const {
    auto item = start("several fields change together", "update/echo", "update_together");
    item.changed = "body with every field";
    add(std::move(item));
  }

  // A rejected change changes nothing: neither this record nor another.
  void rejected(Case item, std::string changed) const {
    item.data.update(drafting_.kept_records());
    item.changed = std::move(changed);
    add(std::move(item));
  }

  void refused() const {
    const auto body = shown_values();
    // Rejected or not: what is told apart here is whether a rejected one is applied.
    const auto start_with = [&](std::string sentence, std::string rule) {
      auto item = start(std::move(sentence), std::move(rule), "refused_unchanged");
      item.request.body = body;
      item.expect.want = Want::kHandled;
      return item;
    };
    auto atomic =
        start_with("a change of which one part is wrong changes nothing", "update/atomic");
    (*atomic.request.body)[body.begin().key()] = json::array({"wrong"});
    atomic.expect.want = Want::kRefused;
    rejected(std::move(atomic), "body with one field of a wrong type");

    auto last =
        start_with("a change of which the last part is wrong changes nothing", "update/atomic");
    (*last.request.body)[std::prev(body.end()).key()] = json::array({"wrong"});
    last.expect.want = Want::kRefused;
    rejected(std::move(last), "body with its last field of a wrong type");

    auto text = start_with("a change that is called text changes nothing where it is rejected",
                           "update/refused-changes");
    text.request.body_type = "text/plain";
    rejected(std::move(text), "header Content-Type: text/plain, a body that changes fields");

    auto cut = start_with("a change that is cut changes nothing where it is rejected",
                          "update/refused-changes");
    const auto whole = spec::json::write(body);
    cut.request.body.reset();
    cut.request.raw_body = whole.substr(0, whole.size() - 1);
    rejected(std::move(cut), "a body that changes fields without its last byte");

    rejected(unauthorized("a change without credentials changes nothing", body),
             "no header Authorization, a body that changes fields");

    if (!drafting_.rules.unknown.empty()) {
      auto nobodys = start("a change of what nobody has is refused and makes nothing",
                           "status/unknown", "update_unknown", StatementClass::kAssumption);
      nobodys.request = overlay(nobodys.request, drafting_.rules.unknown.front());
      nobodys.request.body = body;
      nobodys.expect.want = Want::kRefused;
      rejected(std::move(nobodys), "an identifier that nobody has, a body that changes fields");
    }
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
