#include "mock_server/service/checks/content_choice.hpp"

#include "spec/contract/checking/message_body.hpp"
#include "spec/contract/write/write_body.hpp"
#include "spec/http/header_field.hpp"
#include "spec/json/pointer.hpp"
#include "spec/text/quote.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace mock_server::service::checks {
namespace {

using request::RequestContext;
using spec::contract::BodyKind;
using spec::contract::MediaTypeObject;
using spec::contract::write::BodyForm;
using spec::http::MediaType;

bool is_range(const MediaTypeObject& content) {
  return content.media_type.subtype == "*";
}

int width_of(const MediaTypeObject* content) {
  return content->media_type.type == "*" ? 2 : is_range(*content) ? 1 : 0;
}

// True if a body in the form can be made; a text that is an example is one as it is.
bool can_be_made(const BodyForm& form) {
  const auto& examples = form.content.examples;
  return can_be_written(form) || (kind_of(form) == BodyKind::kText && !examples.empty() &&
                                  examples.front().value->is_string());
}

std::optional<std::string> accept_of(const RequestContext& context) {
  return spec::http::list_field(context.request.headers, "Accept");
}

void warn_of_unsound(RequestContext& context) {
  const std::string accept = accept_of(context).value_or("");
  for (const std::string_view range : spec::http::unsound_ranges(accept)) {
    const std::string warning =
        "header/Accept: must have media ranges, each with a weight of at most "
        "three digits behind the point (;q=0.5), but has " +
        spec::text::in_quotes(range);
    if (std::ranges::find(context.warnings, warning) == context.warnings.end()) {
      context.warnings.push_back(warning);
    }
  }
}

std::vector<MediaType> types_of(const RequestContext& context, const MediaTypeObject& content) {
  BodyForm form = spec::contract::write::form_of(context.api.contract, content);
  std::vector<MediaType> types{form.media_type};
  if (is_range(content)) {
    for (MediaType& named : spec::http::named_types(accept_of(context))) {
      form.media_type = std::move(named);
      if (includes(content.media_type, form.media_type) && can_be_made(form)) {
        types.push_back(form.media_type);
      }
    }
  }
  return types;
}

// A client that names a JSON of its own ("application/vnd.shop.v3+json") takes that which is
// declared: services send it, and clients read it. Source: RFC 9110 §12.4.1.
std::optional<ContentChoice> json_for_json(RequestContext& context,
                                           const std::vector<ContentChoice>& offered) {
  const auto is_plain = [](const ContentChoice& each) {
    return each.sent_as.essence() == "application/json";
  };
  const auto is_own = [](const MediaType& named) { return named.subtype.ends_with("+json"); };
  const auto found = std::ranges::find_if(offered, is_plain);
  if (found == offered.end() ||
      std::ranges::none_of(spec::http::named_types(accept_of(context)), is_own)) {
    return std::nullopt;
  }
  context.warnings.push_back(
      "header/Accept: names no declared media type; application/json is sent");
  return *found;
}

bool is_stream(const ContentChoice& choice) {
  return spec::contract::write::is_sequence(choice.sent_as);
}

// The choice that a member `stream` of the request's body makes, as chat services read it: true
// takes the stream whatever Accept says, and false leaves it out. True if it is made.
bool choose_by_body(const RequestContext& context, std::vector<ContentChoice>& offered) {
  const auto& body = context.reading.body;
  const auto* const wanted = body ? spec::json::find(*body, "/stream") : nullptr;
  if (wanted == nullptr || !wanted->is_boolean()) {
    return false;
  }
  const bool streams = wanted->get<bool>();
  const auto is_wanted = [streams](const auto& each) { return is_stream(each) == streams; };
  if (std::ranges::none_of(offered, is_wanted)) {
    return false;
  }
  std::erase_if(offered, std::not_fn(is_wanted));
  return streams;
}

// Browsers prefer XML to "*/*": of a range it is sent only to clients that take nothing else.
bool comes_last(const ContentChoice& choice) {
  return is_range(*choice.content) && spec::contract::write::is_xml(choice.sent_as);
}

}  // namespace

std::vector<ContentChoice> offered_contents(const RequestContext& context,
                                            const spec::contract::Response& declared) {
  std::vector<const MediaTypeObject*> contents;
  for (const MediaTypeObject& content : declared.contents) {
    contents.push_back(&content);
  }
  std::ranges::stable_sort(contents, {}, &width_of);
  std::vector<ContentChoice> offered;
  for (const MediaTypeObject* const content : contents) {
    for (MediaType& type : types_of(context, *content)) {
      if (!is_range(*content) ||
          spec::contract::checking::select_content(declared.contents, type) == content) {
        offered.push_back({content, std::move(type)});
      }
    }
  }
  return offered;
}

std::optional<ContentChoice> accepted_content(RequestContext& context,
                                              std::vector<ContentChoice> offered) {
  warn_of_unsound(context);
  if (choose_by_body(context, offered)) {
    return offered.front();
  }
  context.chose_by_accept =
      context.chose_by_accept || offered.size() > 1 ||
      std::ranges::any_of(offered, [](const auto& each) { return is_range(*each.content); });
  for (const bool last : {false, true}) {
    std::vector<ContentChoice> round;
    std::ranges::copy_if(offered, std::back_inserter(round),
                         [last](const auto& each) { return comes_last(each) == last; });
    std::vector<MediaType> types;
    types.reserve(round.size());
    for (const ContentChoice& each : round) {
      types.push_back(each.sent_as);
    }
    if (const auto accepted = spec::http::negotiate(accept_of(context), types)) {
      return round[*accepted];
    }
  }
  return json_for_json(context, offered);
}

}  // namespace mock_server::service::checks
