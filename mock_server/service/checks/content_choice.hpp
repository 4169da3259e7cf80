#pragma once

// Which of a response's contents is sent, and as which media type. Source: RFC 9110 §12.5.1.

#include "mock_server/service/request/request_context.hpp"
#include "spec/http/media_type.hpp"

#include <optional>
#include <vector>

namespace mock_server::service::checks {

// A content and the media type that it is sent as: its own, or one of its range.
struct ContentChoice {
  const spec::contract::MediaTypeObject* content;
  spec::http::MediaType sent_as;
};

// The media types of a response: media types before ranges, else in the declared order. Of a range
// the usual type (JSON where the range takes it) and those that Accept names and that can be
// written; none that a closer content is for. Empty only if no content is declared.
// Source: OpenAPI 3.1.0 §4.8.17, `content`.
std::vector<ContentChoice> offered_contents(const request::RequestContext& context,
                                            const spec::contract::Response& declared);

// The one of these that Accept likes best, the first among equals; nothing if it takes none. Notes
// that Accept could have changed the response.
std::optional<ContentChoice> accepted_content(request::RequestContext& context,
                                              std::vector<ContentChoice> offered);

}  // namespace mock_server::service::checks
