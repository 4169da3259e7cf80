#include "mock_server/api/loading/fixture_members.hpp"
#include "mock_server/api/loading/fixture_readers.hpp"
#include "mock_server/api/response_template.hpp"
#include "spec/contract/resources/infer.hpp"
#include "spec/json/pointer.hpp"
#include "spec/text/names.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace mock_server::api::loading {
namespace {

using spec::contract::Operation;
using spec::document::Node;

// `must be a declared collection, but is "carts"`, and how to declare it where it is inferred.
std::string undeclared_collection(const std::string& name, const Collections& collections,
                                  const spec::contract::Contract& contract) {
  const std::string text = "must be a declared collection, but is " + spec::text::in_quotes(name);
  const auto inferred = spec::contract::resources::infer(contract, {}, {}).collections;
  if (const auto found = inferred.find(name); found != inferred.end()) {
    return text + ", which is only inferred; declare it under \"collections\": " + name + ": " +
           found->second.dump();
  }
  std::vector<std::string_view> names;
  for (const auto& [known, collection] : collections) {
    names.push_back(known);
  }
  return text + spec::text::suggest_known(name, names);
}

// The collection that the member names; null without the member.
const Collection* read_collection(const Node& node, std::string_view key,
                                  const Collections& collections, LoadContext& context) {
  const auto name = text_at(node, key);
  const auto found = name ? collections.find(*name) : collections.end();
  if (name && found == collections.end()) {
    context.report(node.find(key),
                   undeclared_collection(std::string(*name), collections, context.contract));
  }
  return found == collections.end() ? nullptr : &found->second;
}

// Reads one binding; each behaviour's own members by a function of their own.
class BindingReader {
 public:
  BindingReader(const Node& node, const Operation& operation, LoadContext& context)
      : node_(node), operation_(operation), context_(context) {
    binding_.operation = &operation;
    binding_.node = node;
  }

  Binding read(const Collections& collections) {
    const auto behaviour = word_at(node_, "behaviour", kBehaviourNames);
    binding_.behaviour = behaviour.value_or(Behaviour::kRead);
    if (behaviour == Behaviour::kList && node_.find("elements")) {
      binding_.behaviour = Behaviour::kElements;
    }
    read_common(collections);
    if (behaviour) {
      read_own();
    }
    return std::move(binding_);
  }

 private:
  void read_common(const Collections& collections) {
    binding_.key = read_place(node_, "key", &operation_, context_);
    binding_.collection = read_collection(node_, "collection", collections, context_);
    check_key();
    for (const Node& node : node_.find("within").elements()) {
      read_within(node, collections);
    }
    check_within();
    binding_.hide = texts_at(node_, "hide");
    for (const auto& member : node_.find("names").members()) {
      binding_.names.emplace_back(member.key,
                                  text_at(node_.find("names"), member.key).value_or(""));
    }
    binding_.shows_key = pointers_at("shows_key");
    binding_.shows_address = pointers_at("shows_address");
    binding_.stream = read_stream(node_, &operation_, context_);
    binding_.rules = read_rules(node_.find("rules"), operation_, context_);
    check_templates();
    for (const Node& node : node_.find("after").elements()) {
      binding_.after.push_back({integer_at(node, "seconds").value_or(0), settings_at(node)});
    }
    std::ranges::stable_sort(binding_.after, {}, &LaterStep::seconds);
    read_issues();
  }

  // A value as it is, or {now: true}, or {value: ...} for an object.
  static std::vector<Setting> settings_at(const Node& node) {
    std::vector<Setting> settings;
    for (const auto& member : node.find("set").members()) {
      const auto at = spec::json::split_pointer(member.key);
      const bool is_now = boolean_at(member.value, "now").value_or(false);
      const Node value = member.value.find("value");
      if (at && !at->empty()) {
        settings.push_back({*at, is_now, (value ? value : member.value).value()});
      }
    }
    return settings;
  }

  void read_issues() {
    const Node node = node_.find("issues");
    if (const auto token = pointer_at(node, "token")) {
      const auto until = pointer_at(node, "until").value_or(std::vector<std::string>{});
      check_shown(node, *token, operation_, context_);
      binding_.issues = IssuedToken{*token, until};
    }
  }

  std::vector<std::vector<std::string>> pointers_at(std::string_view key) {
    std::vector<std::vector<std::string>> all;
    for (const std::string& text : texts_at(node_, key)) {
      if (const auto tokens = spec::json::split_pointer(text)) {
        check_shown(node_, *tokens, operation_, context_);
        all.push_back(*tokens);
      }
    }
    return all;
  }

  void check_key() {
    const Node key = node_.find("key");
    const bool is_single = binding_.collection != nullptr && binding_.collection->is_single();
    const bool is_without = binding_.shows() == Shows::kNothing && !node_.find("collection");
    if (key && is_single) {
      context_.report(key, "a \"single\" record has no key");
    } else if (key && binding_.behaviour == Behaviour::kList) {
      context_.report(key, "a list without \"elements\" is of all records: no \"key\"");
    } else if (!key && !is_single && !is_without && row_of(binding_.behaviour).needs_key) {
      context_.report(node_, "must have \"key\"");
    }
  }

  // Values of the record need one.
  void check_templates() {
    const bool is_single = binding_.collection != nullptr && binding_.collection->is_single();
    for (const Rule& rule : binding_.rules) {
      const auto values =
          rule.response.made ? rule.response.made->values : std::vector<TemplateValue>{};
      for (const TemplateValue& value : values) {
        const bool is_of_record =
            value.kind == TemplateValue::Kind::kFrom && value.from.root == Place::Root::kRecord;
        if (is_of_record && !binding_.key && !is_single) {
          context_.report(value.node,
                          "needs a record, but the binding has no \"key\"; add "
                          "\"collection\" and \"key\", as key: /path/id");
        }
      }
    }
  }

  void read_within(const Node& node, const Collections& collections) {
    auto at = pointer_at(node, "at");
    auto given = read_place(node, "given", &operation_, context_);
    const Collection* const in = read_collection(node, "in", collections, context_);
    if (at && given) {
      binding_.within.push_back({std::move(*at), std::move(*given), in});
    }
  }

  void check_within() {
    if (binding_.collection != nullptr && binding_.collection->is_scoped() &&
        binding_.within.empty()) {
      context_.report(node_, "must have \"within\": keys of " + binding_.collection->name() +
                                 " are unique below their parents alone (\"scoped\")");
    }
  }

  void read_own() {
    switch (binding_.behaviour) {
      case Behaviour::kRead: return read_shown();
      case Behaviour::kUpdate: return read_update();
      case Behaviour::kList:
      case Behaviour::kElements: return read_list_plan();
      case Behaviour::kMatch: return check_match();
      case Behaviour::kFile: return read_file();
      case Behaviour::kCreate:
      case Behaviour::kReplace: return read_made();
      case Behaviour::kDelete: return read_shown();
      case Behaviour::kExample: return node_.find("into") ? read_list_plan() : void();
      case Behaviour::kAct: return read_act();
    }
  }

  void read_list_plan() { binding_.list = read_list(node_, operation_, context_); }

  void read_shown() {
    const auto into = pointer_at(node_, "into");
    binding_.into = into.value_or(std::vector<std::string>{});
    const auto* const response = operation_.response(operation_.success_status());
    const bool is_shown =
        binding_.shows() != Shows::kRemoved && response != nullptr && !response->contents.empty();
    binding_.shows_record = word_at(node_, "shows", kShows).value_or(is_shown || into.has_value());
    if (binding_.shows_record) {
      check_shown(node_, binding_.into, operation_, context_);
    }
  }

  // Reads the place of the record in the request.
  void read_from() {
    if (const auto from = pointer_at(node_, "from")) {
      binding_.from = *from;
      check_body_member(node_.find("from"), "/body" + std::string(*text_at(node_, "from")));
    }
  }

  void read_made() {
    read_shown();
    read_from();
    binding_.creates = boolean_at(node_, "creates").value_or(false);
    const bool takes_parameters =
        binding_.behaviour == Behaviour::kCreate && operation_.method == "POST";
    if (!operation_.body && !takes_parameters && !context_.document_only) {
      context_.report(node_, operation_.name + " has no request body to make a record of");
    }
  }

  void read_act() {
    read_update();
    binding_.update.set = settings_at(node_);
  }

  void read_update() {
    read_shown();
    binding_.update.every_field = text_at(node_, "fields") == "all";
    read_from();
    const std::string body = "/body" + std::string(text_at(node_, "from").value_or("")) + '/';
    for (const auto& member : node_.find("fields").members()) {
      check_body_member(member.value, body + std::string(member.key));
      binding_.update.fields.push_back(
          {std::string(member.key),
           word_at(member.value, "on_null", kOnNull).value_or(OnNull::kClear)});
    }
    for (const auto& member : node_.find("derive").members()) {
      read_derivation(member);
    }
  }

  // It must be declared like any other place.
  void check_body_member(const Node& at, const std::string& text) {
    const auto place = parse_place(text);
    if (!context_.document_only && place && !is_declared(*place, operation_, context_)) {
      context_.report(at, "must be a member of the body of " + operation_.name);
    }
  }

  void read_derivation(const spec::document::Member& member) {
    constexpr std::string_view kSlot = "{value}";
    auto from = read_place(member.value, "from", &operation_, context_);
    const std::string_view text = text_at(member.value, "template").value_or("");
    const std::size_t slot = text.find(kSlot);
    if (from && slot != std::string_view::npos) {
      binding_.update.derivations.push_back({std::string(member.key), std::move(*from),
                                             std::string(text.substr(0, slot)),
                                             std::string(text.substr(slot + kSlot.size()))});
    }
  }

  void check_match() {
    if (binding_.rules.empty() || !binding_.rules.back().when.empty()) {
      context_.report(node_, "the last of \"rules\" must have no \"when\"");
    }
  }

  void read_file() {
    binding_.file.media_type = text_at(node_, "media_type").value_or("");
    binding_.file.file_name = text_at(node_, "file_name").value_or("");
    binding_.file.render_invoice = static_cast<bool>(node_.find("render"));
    binding_.file.file = pointer_at(node_, "file").value_or(std::vector<std::string>{});
  }

  Node node_;
  const Operation& operation_;
  LoadContext& context_;
  Binding binding_;
};

}  // namespace

std::optional<Binding> read_binding(const Node& node, const Collections& collections,
                                    LoadContext& context) {
  const std::string id = node.key();
  const Operation* const operation = context.contract.operation(id);
  if (operation == nullptr) {
    if (!context.document_only) {
      context.problems.push_back(node.problem(unknown_operation(context.contract, id)));
    }
    return std::nullopt;
  }
  Binding binding = BindingReader(node, *operation, context).read(collections);
  return is_sound(node, context.problems) ? std::optional(std::move(binding)) : std::nullopt;
}

}  // namespace mock_server::api::loading
