// Bodies that hold one item after another, validated item by item.

#include "spec/contract/checking/message_body.hpp"
#include "spec/contract/checking/validate_message.hpp"
#include "spec/contract/contract_state.hpp"
#include "spec/contract/stream_items.hpp"
#include "spec/json/read.hpp"
#include "spec/schema/validator/validate.hpp"
#include "spec/text/utf8.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace spec::contract::checking {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxViolations = 100;  // of one body, for what is wrong in every item

class ItemBody {
 public:
  // `first`: the index of the first item.
  ItemBody(Violations& violations, const BodyRules& rules, http::ItemForm form,
           std::size_t first = 0)
      : violations_(violations),
        rules_(rules),
        form_(form),
        index_(first),
        has_array_schema_(rules.content.has_array_schema && !rules.goes_on),
        has_item_schema_(rules.content.item_schema &&
                         (!has_array_schema_ || rules.content.node.find("itemSchema"))) {}

  void validate(std::string_view body) {
    const std::size_t before = violations_.size();
    while (!body.empty() && violations_.size() < before + kMaxViolations) {
      const auto size = http::item_size(form_, body);
      validate_one(body.substr(0, size.value_or(body.size())), size.has_value());
      body.remove_prefix(size.value_or(body.size()));
    }
    if (has_array_schema_ && violations_.size() == before) {
      validate_by(*rules_.content.schema, all_, "");
    }
  }

  // Of the item behind those that were validated.
  std::size_t index() const { return index_; }

 private:
  void validate_one(std::string_view bytes, bool is_whole) {
    if (!text::is_utf8(bytes)) {
      add("encoding", {"must be UTF-8", "is not"});
      ++index_;
      return;
    }
    const http::Item item = http::read_item(form_, bytes);
    if (!item.must.empty()) {
      add("malformed", {std::string(item.must), "has " + in_quotes(first_line(bytes))});
    }
    if (!item.data) {
      index_ += item.must.empty() ? 0 : 1;
      return;
    }
    const bool is_cut = form_ == http::ItemForm::kEvents && !is_whole;
    if (is_cut) {
      add("malformed", {"must end in an empty line",
                        "the body ends after " + std::to_string(bytes.size()) + " bytes of it"});
    } else {
      validate_value(item);
    }
    ++index_;
  }

  void validate_value(const http::Item& item) {
    if (form_ == http::ItemForm::kEvents && item.data == kLastData) {
      return;
    }
    auto value = item_value(contract(), rules_.content, form_, item);
    if (!value) {
      add("malformed", json_error(value.error()));
      return;
    }
    if (has_item_schema_ && !is_plain_data(item, *value)) {
      validate_instance(*value);
    }
    if (has_array_schema_) {
      all_.push_back(std::move(*value));
    }
  }

  // True if an event's data alone are valid, where the schema seems to be about the event.
  bool is_plain_data(const http::Item& item, const Json& event) const {
    if (!rules_.content.item_is_event || contract().state().version == Version::k32 ||
        is_valid(event)) {
      return false;
    }
    const auto data = spec::json::read(*item.data);
    return data && is_valid(*data);
  }

  bool is_valid(const Json& value) const {
    return check(contract().schemas(), *rules_.content.item_schema, value, {rules_.direction}) ==
           schema::Verdict::kValid;
  }

  void validate_instance(const Json& value) {
    const std::size_t before = violations_.size();
    validate_by(*rules_.content.item_schema, value, place());
    if (violations_.size() == before) {
      for (const Encoded& text :
           encoded_texts(contract(), *rules_.content.item_schema, value, rules_.direction)) {
        validate_encoded(value, text);
      }
    }
  }

  void validate_by(schema::SchemaId schema, const Json& value, const std::string& where) {
    for (const auto& violation :
         schema::validate(contract().schemas(), schema, value, {.direction = rules_.direction})) {
      violations_.add({Part::kBody, where}, violation);
    }
  }

  void validate_encoded(const Json& value, const Encoded& text) {
    const StatementId statement = contract().statement_at(text.media_type);
    const std::string where = place() + text.pointer;
    const auto inner =
        spec::json::read(value.at(Json::json_pointer(text.pointer)).get_ref<const std::string&>());
    if (!inner) {
      violations_.add({Part::kBody, where}, statement, "contentMediaType",
                      json_error(inner.error()));
      return;
    }
    if (!text.schema) {
      return;
    }
    for (const auto& violation : schema::validate(contract().schemas(), *text.schema, *inner,
                                                  {.direction = rules_.direction})) {
      violations_.add({Part::kBody, where}, violation);
      violations_.last().statement = statement;
    }
  }

  void add(std::string_view rule, text::ViolationMessage message) {
    violations_.add({Part::kBody, place()}, statement_of(standard()), rule, std::move(message));
  }

  Standard standard() const {
    switch (form_) {
      case http::ItemForm::kEvents: return Standard::kEvents;
      case http::ItemForm::kRecords: return Standard::kRecords;
      case http::ItemForm::kLines: break;
    }
    return Standard::kJsonText;
  }

  std::string place() const { return '/' + std::to_string(index_); }

  static std::string_view first_line(std::string_view bytes) {
    return bytes.substr(0, bytes.find_first_of("\r\n"));
  }

  const Contract& contract() const { return violations_.contract(); }

  Violations& violations_;
  const BodyRules& rules_;
  http::ItemForm form_;
  std::size_t index_;
  bool has_array_schema_;
  bool has_item_schema_;
  Json all_ = Json::array();  // for the schema of the array
};

}  // namespace

void validate_items(Violations& violations, std::string_view body, const BodyRules& rules) {
  if (const auto form = http::item_form(rules.media_type)) {
    ItemBody(violations, rules, *form).validate(body);
  }
}

}  // namespace spec::contract::checking

namespace spec::contract {

std::vector<Violation> validate_response_items(const Contract& contract, const Operation& operation,
                                               const http::Response& head, std::string_view items,
                                               std::size_t& index) {
  const Response* const declared = operation.response(head.status);
  const auto media_type = http::parse_media_type(head.headers.find("Content-Type").value_or(""));
  const auto form = media_type ? http::item_form(*media_type) : std::nullopt;
  const MediaTypeObject* const content =
      declared != nullptr && form ? checking::select_content(declared->contents, *media_type)
                                  : nullptr;
  if (content == nullptr ||
      (content->kind != BodyKind::kItems && content->kind != BodyKind::kByMediaType)) {
    return {};
  }
  checking::Violations violations(contract, operation);
  const checking::BodyRules rules{.media_type = *media_type,
                                  .content = *content,
                                  .shapes = contract.state().shapes,
                                  .direction = schema::Direction::kResponse,
                                  .goes_on = true};
  checking::ItemBody body(violations, rules, *form, index);
  body.validate(items);
  index = body.index();
  return violations.take();
}

}  // namespace spec::contract
