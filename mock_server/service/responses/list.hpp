#pragma once

// Elements of lists: which ones a request asks for, and their order. Pure functions.

#include "mock_server/api/binding.hpp"
#include "mock_server/api/record_access.hpp"
#include "mock_server/service/request/request_context.hpp"
#include "mock_server/service/responses/record_response.hpp"

#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mock_server::service::responses {

// The value there, if there is one and it is not null; else a null pointer.
const nlohmann::json* given_value(const api::Place& place, const api::Scope& scope);

// The integer there, else `fallback`.
std::int64_t integer_or(const std::optional<api::Place>& place, const api::Scope& scope,
                        std::int64_t fallback);

// Those of a record or a collection, not copied: a page copies its own alone.
using Elements = std::vector<api::SharedValue>;

// The elements of an array, which must outlive them.
Elements elements_of(const nlohmann::json& array);

// The elements that satisfy each filter whose value is given. Of one, a filter with `inside` takes
// the inner elements away that do not satisfy it.
void filter_elements(Elements& elements, const std::vector<api::Filter>& filters,
                     const api::Scope& scope);

// Stable: instants, numbers, other strings, other values; last those without a value, also
// descending.
void sort_elements(Elements& elements, const std::vector<std::string>& by,
                   bool is_descending = false);

using request::RequestContext;

// The order that the request asks for, by the binding's list.
void order_records(RequestContext& context, const api::Scope& scope, Elements& elements);

// Which part of the list is sent.
struct Page {
  std::size_t start = 0;
  std::size_t end = 0;
  std::int64_t size = 0;
  std::int64_t number = 0;   // as the request counts; from 1 if it cannot say
  bool is_backward = false;  // asked for by the record after it
};

// Without pages, all of them.
Page choose_page(const RequestContext& context, const Elements& elements, const api::Scope& scope);

// The elements of the page, an array.
nlohmann::json page_of(const Elements& elements, const Page& page);

// Adds what the binding's totals name, in the body and in headers. `elements` are those of all
// pages.
void add_totals(const RequestContext& context, const Elements& elements, const Page& page,
                ShownBody& shown);

// Names the parameters that were given and change nothing, but for those that every request must
// have.
void warn_of_unplayed(RequestContext& context);

}  // namespace mock_server::service::responses
