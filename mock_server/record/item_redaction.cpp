// Redaction of bodies of items, one by one.

#include "mock_server/record/redactor.hpp"
#include "spec/contract/stream_items.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace mock_server::record {

namespace {

using spec::schema::Direction;
using spec::schema::SchemaId;

// The schema of the JSON in an item's data: of an event with fields, that of the text in it.
std::optional<SchemaId> schema_of_data(const spec::contract::Contract& contract,
                                       const spec::contract::MediaTypeObject* content,
                                       spec::http::ItemForm form, const spec::http::Item& item) {
  if (content == nullptr || !content->item_schema || !content->item_is_event) {
    return content == nullptr ? std::nullopt : content->item_schema;
  }
  const auto event = spec::contract::item_value(contract, *content, form, item);
  if (!event) {
    return std::nullopt;
  }
  const auto texts =
      spec::contract::encoded_texts(contract, *content->item_schema, *event, Direction::kResponse);
  const auto found = std::ranges::find(texts, "/data", &spec::contract::Encoded::pointer);
  return found == texts.end() ? std::nullopt : found->schema;
}

}  // namespace

// An item without secrets stays as it came; of what is no item by its form, the text is redacted.
std::string Redactor::redact_items(std::string_view body, spec::http::ItemForm form,
                                   const spec::contract::MediaTypeObject* content) {
  std::string made;
  while (!body.empty()) {
    const std::string bytes(
        body.substr(0, spec::http::item_size(form, body).value_or(body.size())));
    body.remove_prefix(bytes.size());
    spec::http::Item item = spec::http::read_item(form, bytes);
    const auto data = item.data && item.must.empty()
                          ? redact_json(*item.data, schema_of_data(contract_, content, form, item),
                                        Direction::kResponse)
                          : spec::Result<std::string, std::string>(spec::Unexpected{std::string()});
    if (!data) {
      made += secrets_.first_text(bytes);
    } else if (*data == *item.data) {
      made += bytes;
    } else {
      item.data = *data;
      made += spec::http::write_item(form, item);
    }
  }
  return made;
}

}  // namespace mock_server::record
