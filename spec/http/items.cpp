#include "spec/http/items.hpp"

#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>

namespace spec::http {

namespace {

constexpr char kRecordSeparator = '\x1e';

// The size of the line at the start of `bytes` with its end: CR LF, LF or CR; none if it has none.
std::optional<std::size_t> line_size(std::string_view bytes) {
  const std::size_t end = bytes.find_first_of("\r\n");
  if (end == std::string_view::npos) {
    return std::nullopt;
  }
  return end + (bytes.substr(end).starts_with("\r\n") ? 2 : 1);
}

std::optional<std::size_t> event_size(std::string_view bytes) {
  std::size_t at = 0;
  while (const auto size = line_size(bytes.substr(at))) {
    const bool is_empty = bytes[at] == '\r' || bytes[at] == '\n';
    at += *size;
    if (is_empty) {
      return at;
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> record_size(std::string_view bytes) {
  const std::size_t next = bytes.find(kRecordSeparator, 1);
  if (next != std::string_view::npos) {
    return next;
  }
  return bytes.ends_with('\n') ? std::optional(bytes.size()) : std::nullopt;
}

// The fields of events, and where each is kept.
struct Field {
  std::string_view name;
  std::optional<std::string> Item::*member;
};

constexpr std::array kFields = std::to_array<Field>(
    {{"data", &Item::data}, {"event", &Item::event}, {"id", &Item::id}, {"retry", &Item::retry}});

void take_field(Item& item, std::string_view name, std::string_view value) {
  const auto* const field = std::ranges::find(kFields, name, &Field::name);
  if (field == kFields.end()) {
    item.must = "must have only the fields data, event, id and retry";
    return;
  }
  std::optional<std::string>& member = item.*(field->member);
  if (name == "data" && member) {
    member->append("\n").append(value);
  } else if (name == "id" && value.find('\0') != std::string_view::npos) {
    item.must = "must have an id without a null character";
  } else if (name == "retry" && (value.empty() || !text::is_all_digits(value))) {
    item.must = "must have a retry of digits alone";
  } else {
    member = value;
  }
}

Item read_event(std::string_view bytes) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  bytes.remove_prefix(bytes.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
  Item item;
  while (!bytes.empty()) {
    const std::size_t size = line_size(bytes).value_or(bytes.size());
    std::string_view line = bytes.substr(0, std::min(bytes.find_first_of("\r\n"), size));
    bytes.remove_prefix(size);
    if (line.empty() || line.starts_with(':')) {
      continue;
    }
    const std::size_t colon = std::min(line.find(':'), line.size());
    const std::string_view name = line.substr(0, colon);
    line.remove_prefix(std::min(colon + 1, line.size()));
    line.remove_prefix(line.starts_with(' ') ? 1 : 0);
    take_field(item, name, line);
  }
  return item;
}

Item read_json_text(std::string_view bytes) {
  const std::size_t begin = bytes.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) {
    return {};
  }
  return {std::string(bytes.substr(begin, bytes.find_last_not_of(" \t\r\n") + 1 - begin))};
}

// Source: RFC 7464 §2.1, §2.4: a text that may be cut, such as a number, needs what ends it.
Item read_record(std::string_view bytes) {
  if (!bytes.starts_with(kRecordSeparator)) {
    return {
        read_json_text(bytes).data.value_or(""), {}, {}, {}, "must begin with a record separator"};
  }
  Item item = read_json_text(bytes.substr(1));
  const bool ends_itself =
      item.data && std::string_view("}]\"").find(item.data->back()) != std::string_view::npos;
  if (item.data && !ends_itself && !bytes.ends_with('\n')) {
    item.must = "must end in a line feed";
  }
  return item;
}

void append_field(std::string& bytes, std::string_view name,
                  const std::optional<std::string>& value) {
  std::string_view rest = value ? std::string_view(*value) : std::string_view();
  for (bool has_more = value.has_value(); has_more;) {
    const std::size_t end = rest.find_first_of("\r\n");
    bytes.append(name).append(": ").append(rest.substr(0, end)).append("\n");
    has_more = end != std::string_view::npos;
    rest.remove_prefix(has_more ? *line_size(rest) : 0);
  }
}

}  // namespace

std::optional<ItemForm> item_form(const MediaType& media_type) {
  static constexpr std::array<std::string_view, 5> kLineTypes{"x-ndjson", "ndjson", "jsonl",
                                                              "x-jsonlines", "jsonlines"};
  if (media_type.type == "text" && media_type.subtype == "event-stream") {
    return ItemForm::kEvents;
  }
  if (media_type.subtype == "json-seq" || media_type.subtype.ends_with("+json-seq")) {
    return ItemForm::kRecords;
  }
  return std::ranges::find(kLineTypes, media_type.subtype) != kLineTypes.end()
             ? std::optional(ItemForm::kLines)
             : std::nullopt;
}

std::optional<std::size_t> item_size(ItemForm form, std::string_view bytes) {
  switch (form) {
    case ItemForm::kEvents: return event_size(bytes);
    case ItemForm::kRecords: return record_size(bytes);
    case ItemForm::kLines: break;
  }
  const std::size_t end = bytes.find('\n');
  return end == std::string_view::npos ? std::nullopt : std::optional(end + 1);
}

std::size_t whole_items(ItemForm form, std::string_view body) {
  std::size_t at = 0;
  while (const auto size = item_size(form, body.substr(at))) {
    at += *size;
  }
  return at;
}

Item read_item(ItemForm form, std::string_view bytes) {
  switch (form) {
    case ItemForm::kEvents: return read_event(bytes);
    case ItemForm::kRecords: return read_record(bytes);
    case ItemForm::kLines: break;
  }
  return read_json_text(bytes);
}

std::string write_item(ItemForm form, const Item& item) {
  if (form != ItemForm::kEvents) {
    return (form == ItemForm::kRecords ? std::string(1, kRecordSeparator) : "") +
           item.data.value_or("") + '\n';
  }
  std::string bytes;
  append_field(bytes, "event", item.event);
  append_field(bytes, "id", item.id);
  append_field(bytes, "retry", item.retry);
  append_field(bytes, "data", item.data);
  return bytes + '\n';
}

}  // namespace spec::http
