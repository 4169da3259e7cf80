#pragma once

// Which page of a list a request asks for, and what the list says of itself: totals,
// and the URLs of the pages beside this one.

#include "mock_server/service/request/request_context.hpp"
#include "mock_server/service/responses/elements.hpp"
#include "mock_server/service/responses/shown.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>

namespace mock_server::service::responses {

using request::RequestContext;

// Which part of the list is sent.
struct Page {
  std::size_t start = 0;
  std::size_t end = 0;
  std::int64_t size = 0;
  std::int64_t number = 0;  // as the request counts; from 1 if it cannot say
};

// Without pages, all of them.
Page choose_page(const RequestContext& context, const Elements& elements,
                 const fixtures::Scope& scope);

// The elements of the page, an array.
nlohmann::json page_of(const Elements& elements, const Page& page);

// Adds what the binding's totals name, in the body and in headers. `elements` are those of all
// pages.
void add_totals(const RequestContext& context, const Elements& elements, const Page& page,
                ShownBody& shown);

}  // namespace mock_server::service::responses
