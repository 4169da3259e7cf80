#pragma once

// Bodies that hold one item after another: server-sent events, lines of JSON, JSON text sequences.
// Splits such a body into items, reads and writes their fields; what an item's text means is for
// spec/contract to say. Pure functions; the time is linear in the size.

#include "spec/http/media_type.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace spec::http {

enum class ItemForm : std::uint8_t {
  kEvents,  // text/event-stream. Source: HTML, §9.2
  kLines,   // application/jsonl, application/x-ndjson and their kin
  kRecords  // application/json-seq and +json-seq. Source: RFC 7464, RFC 8091
};

// None for a media type whose bodies are one value.
std::optional<ItemForm> item_form(const MediaType& media_type);

// The size of the item at the start of `bytes`, with what ends it; none if its end is not there.
// For events, a block that is ended by an empty line. Source: HTML, §9.2.5; RFC 7464 §2.1.
std::optional<std::size_t> item_size(ItemForm form, std::string_view bytes);

// The size of the items at the start of `body` that are whole.
std::size_t whole_items(ItemForm form, std::string_view body);

// The fields of an item, as text. `data` is the JSON text of a line or record; none if a client
// gets nothing of the item: an empty line, a comment, an event without data.
struct Item {
  std::optional<std::string> data;
  std::optional<std::string> event = std::nullopt;
  std::optional<std::string> id = std::nullopt;
  std::optional<std::string> retry = std::nullopt;
  std::string_view must = {};  // what the bytes must be, but are not; "" if they are right
};

// Reads the bytes of one item.
Item read_item(ItemForm form, std::string_view bytes);

// The bytes of an item. Precondition of lines: `data` is one line.
std::string write_item(ItemForm form, const Item& item);

}  // namespace spec::http
