#include "mock_server/service/responses/uploads.hpp"

#include "mock_server/api/record_view.hpp"
#include "mock_server/reply/json_response.hpp"
#include "mock_server/service/checks/content_choice.hpp"
#include "mock_server/service/checks/service_error.hpp"
#include "mock_server/service/responses/behaviours.hpp"
#include "mock_server/service/responses/contract_examples.hpp"
#include "mock_server/service/responses/expansion.hpp"
#include "mock_server/service/responses/record_response.hpp"
#include "mock_server/service/responses/session_records.hpp"
#include "mock_server/state/cells.hpp"
#include "spec/http/form.hpp"
#include "spec/http/media_type.hpp"
#include "spec/http/method.hpp"
#include "spec/json/number.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"
#include "spec/text/encoding.hpp"
#include "spec/text/names.hpp"
#include "spec/text/utf8.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mock_server::service::responses {
namespace {

using nlohmann::json;
using spec::schema::Summary;

constexpr std::string_view kUnknownType = "application/octet-stream";

struct Upload {
  std::string name;        // "" for a body that is the file itself
  std::string media_type;  // as sent
  std::string member;      // of the form; "" for a body
  std::string_view bytes;  // of the request
};

// False for media types that are values or forms, which have no bytes to give back.
bool is_file_type(const spec::http::MediaType& type) {
  constexpr std::array<std::string_view, 5> kValues{"application/x-www-form-urlencoded",
                                                    "application/xml", "text/xml", "text/plain",
                                                    "application/graphql"};
  return !type.is_json() && type.type != "multipart" &&
         std::ranges::find(kValues, type.essence()) == kValues.end() &&
         type.subtype.find("json") == std::string::npos && !type.subtype.ends_with("+xml");
}

// True if the contract has a body of that type as bytes: any type is a file then.
bool is_declared_as_bytes(const RequestContext& context, const spec::http::MediaType& type) {
  const auto& body = context.operation->body;
  return body && std::ranges::any_of(body->contents, [&](const auto& content) {
           return content.schema && spec::http::includes(content.media_type, type) &&
                  context.api.contract.summaries().summary_of(*content.schema).format == "binary";
         });
}

using Uploads = std::vector<Upload>;

Uploads files_in_form(const RequestContext& context, std::string_view boundary) {
  const auto parts = spec::http::read_multipart(context.request.body, boundary);
  Uploads found;
  for (const auto& part : parts ? *parts : std::vector<spec::http::MultipartPart>{}) {
    if (part.filename) {
      found.push_back({*part.filename,
                       std::string(part.headers.find("Content-Type").value_or(kUnknownType)),
                       part.name, part.content});
    }
  }
  return found;
}

Uploads sent_files(const RequestContext& context) {
  const auto given = context.request.headers.find("Content-Type");
  const auto type = given ? spec::http::parse_media_type(*given) : std::nullopt;
  if (!type || context.request.body.empty() || !context.api.options.infers ||
      spec::http::is_safe_method(context.request.method)) {
    return {};
  }
  if (const auto boundary = type->parameter("boundary"); type->type == "multipart" && boundary) {
    return files_in_form(context, *boundary);
  }
  return is_file_type(*type) || is_declared_as_bytes(context, *type)
             ? Uploads{{{}, std::string(*given), {}, context.request.body}}
             : Uploads{};
}

// The value of a member that says something of the file, by its name; null for any other.
json value_about(const Upload& upload, const std::string& plain, const Summary& summary) {
  constexpr std::array<std::string_view, 7> kSizes{
      "size", "bytes", "filesize", "contentlength", "length", "sizebytes", "sizeinbytes"};
  constexpr std::array<std::string_view, 5> kNames{"filename", "name", "originalname",
                                                   "originalfilename", "title"};
  constexpr std::array<std::string_view, 5> kTypes{"contenttype", "mimetype", "mediatype", "mime",
                                                   "filetype"};
  const auto is_in = [&plain](const auto& words) {
    return std::ranges::find(words, std::string_view(plain)) != words.end();
  };
  if (summary.is_number() && is_in(kSizes)) {
    return spec::json::make_number(std::to_string(upload.bytes.size()));
  }
  if (summary.is_string() && is_in(kNames) && !upload.name.empty()) {
    return upload.name;
  }
  return summary.is_string() && is_in(kTypes) ? json(upload.media_type) : json(nullptr);
}

// Adds to an object of these schemas what it does not say of the file.
void describe_file(const RequestContext& context, const Upload& upload,
                   const spec::schema::Schemas& schemas, json& object) {
  const auto& summaries = context.api.contract.summaries();
  for (const auto& [name, inner] : summaries.summary_of(schemas).properties) {
    json value = value_about(upload, spec::text::plain_name(name), summaries.summary_of(inner));
    if (!value.is_null() && !object.contains(name)) {
      object[name] = std::move(value);
    }
  }
}

// A file as an element of a list: an object that says what it is, or its name.
json element_for(const RequestContext& context, const Upload& upload,
                 const spec::schema::Schemas& elements) {
  json element = json::object();
  describe_file(context, upload, elements, element);
  return element.empty() ? json(upload.name) : element;
}

// Puts the files that were sent under one name into the record's list of that name. False if it has
// none.
bool list_files(const RequestContext& context, const Uploads& uploads,
                const spec::schema::Schemas& schemas, json& object) {
  const auto& contract = context.api.contract;
  const std::string& member = uploads.front().member;
  const spec::schema::Schemas elements =
      member.empty() ? spec::schema::Schemas{} : api::schemas_at(contract, schemas, {member, "*"});
  if (elements.empty()) {
    return false;
  }
  for (const Upload& upload : uploads) {
    object[member].push_back(element_for(context, upload, elements));
  }
  return true;
}

// True if each of several files becomes a record: the response is the list of them.
bool makes_several(const RequestContext& context, const Uploads& uploads) {
  const api::Binding* const binding = context.binding;
  return uploads.size() > 1 && binding != nullptr &&
         binding->behaviour == api::Behaviour::kCreate && binding->from.empty() &&
         !binding->into.empty() && binding->into.back() == "0";
}

// Puts name, size and type of the files into the body in their place: what becomes of the record,
// or of one for each.
void replace_files(RequestContext& context, const Uploads& uploads) {
  auto& body = context.reading.body;
  if (!body || !body->is_object()) {
    body = json::object();
  }
  for (const Upload& upload : uploads) {
    body->erase(upload.member);
  }
  const bool has_record = context.binding != nullptr && context.binding->collection != nullptr;
  const auto schema = api::response_schema(context.api.contract, *context.operation,
                                           context.operation->success_status());
  const auto schemas = has_record ? record_source(context).schemas
                       : schema   ? spec::schema::Schemas{schema->id}
                                  : spec::schema::Schemas{};
  if (makes_several(context, uploads)) {
    json all = json::array();
    for (const Upload& upload : uploads) {
      all.push_back(*body);
      describe_file(context, upload, schemas, all.back());
    }
    body = std::move(all);
    return;
  }
  json* const object = has_record ? api::walk(&*body, context.binding->from) : &*body;
  if (object != nullptr && object->is_object() && !list_files(context, uploads, schemas, *object)) {
    describe_file(context, uploads.front(), schemas, *object);
  }
}

std::string upload_cell(std::string_view path) {
  return "upload/" + std::string(path);
}

std::string path_below(const std::string& path, std::string_view segment) {
  return path + (path.ends_with('/') ? "" : "/") + spec::text::percent_encode(segment);
}

// The path below which the file of that number is read: of a creation that of the created record,
// and of others than the first one its name below that.
std::string path_of_upload(const RequestContext& context, const Uploads& uploads,
                           std::size_t number) {
  const std::string path(context.path);
  const auto& keys = context.created_keys;
  if (!keys.empty() && keys.size() == uploads.size()) {
    return path_below(path, keys[number]);
  }
  const std::string first = keys.empty() ? path : path_below(path, keys.front());
  return number == 0 ? first : path_below(first, uploads[number].name);
}

// False if there is no room.
bool keep_text(const RequestContext& context, const std::string& path, const std::string& text) {
  for (int tries = 0; tries < state::kMaxTries; ++tries) {
    const std::string name = upload_cell(path);
    const auto put =
        context.session->compare_and_set(name, context.session->read(name).version, text);
    if (put != state::Put::kStale) {
      return put == state::Put::kDone;
    }
  }
  return false;
}

// A line of JSON with name and type, then the bytes.
std::string text_of(const Upload& upload) {
  const json head{{"name", upload.name}, {"type", upload.media_type}};
  return spec::json::write(head) + '\n' + std::string(upload.bytes);
}

// An example in response to an upload says of the file what is true, and has what was sent with it.
void echo_upload(RequestContext& context, ChosenResponse& chosen) {
  auto body = spec::json::read(chosen.response.body);
  if (!body || !body->is_object()) {
    return;
  }
  set_shared_members(*body, *context.reading.body);
  spec::http::Response echoed = chosen.response;
  echoed.body = spec::json::write(*body);
  if (context.validate(echoed)) {
    chosen = {std::move(echoed), true};
  }
  context.response_violations.clear();
}

// True if every file is kept, and none stays under the path of a record that is deleted.
bool keep_files(const RequestContext& context, const Uploads& uploads) {
  if (uploads.empty()) {
    if (context.request.method != "DELETE") {
      return true;
    }
    const std::string path = path_of_upload(context, uploads, 0);
    return !context.session->read(upload_cell(path)) || keep_text(context, path, "");
  }
  for (std::size_t number = 0; number < uploads.size(); ++number) {
    if (!keep_text(context, path_of_upload(context, uploads, number), text_of(uploads[number]))) {
      return false;
    }
  }
  return true;
}

// The text of the cell of a file that is read from this path; none if nothing was uploaded there.
state::Cell cell_read_by(const RequestContext& context) {
  constexpr std::array<std::string_view, 7> kEnds{"content", "download", "file", "raw",
                                                  "data",    "bytes",    "media"};
  if (state::Cell cell = context.session->read(upload_cell(context.path))) {
    return cell;
  }
  const std::size_t slash = context.path.rfind('/');
  const bool is_end = slash != std::string_view::npos &&
                      std::ranges::find(kEnds, context.path.substr(slash + 1)) != kEnds.end();
  return is_end ? context.session->read(upload_cell(context.path.substr(0, slash))) : state::Cell{};
}

// The type that the response has the file as: its own if that is declared, else the declared one.
std::string sent_type(const spec::contract::Response& declared, const std::string& own,
                      const checks::ContentChoice& accepted) {
  const auto type = spec::http::parse_media_type(own);
  const bool is_declared =
      type && std::ranges::any_of(declared.contents, [&type](const auto& content) {
        return spec::http::includes(content.media_type, *type);
      });
  return is_declared ? own : accepted.sent_as.essence();
}

// True if the response is declared as JSON that is a text, or anything: what descriptions write of
// bytes.
bool is_text_for_bytes(const RequestContext& context,
                       const spec::contract::MediaTypeObject& content) {
  return !content.schema ||
         context.api.contract.summaries().summary_of(*content.schema).is_string();
}

// The file as the response has it: a JSON text where that is declared, and its own bytes and type
// for a client that takes no declared type. None if it shows a value.
std::optional<ChosenResponse> file_as_accepted(RequestContext& context,
                                               const spec::contract::Response& declared,
                                               const std::string& type, std::string bytes) {
  spec::http::Response response;
  response.status = context.operation->success_status();
  const auto accepted =
      checks::accepted_content(context, checks::offered_contents(context, declared));
  const bool is_bytes = std::ranges::all_of(declared.contents, [&](const auto& content) {
    return !content.media_type.is_json() || is_text_for_bytes(context, content);
  });
  if (!is_bytes) {
    if (!accepted || accepted->content->media_type.is_json()) {
      return std::nullopt;
    }
  } else if (!accepted) {
    context.warnings.push_back(
        "header/Accept: takes no declared media type; the file is sent as it was uploaded");
    response.headers.add("Content-Type", type);
    response.body = std::move(bytes);
    return ChosenResponse{std::move(response), true};
  } else if (accepted->content->media_type.is_json() && spec::text::is_utf8(bytes)) {
    bytes = spec::json::write(json(bytes));
  }
  response.headers.add("Content-Type", sent_type(declared, type, *accepted));
  response.body = std::move(bytes);
  return ChosenResponse{std::move(response), false};
}

// The file that was uploaded to what a read shows as bytes; 404 after that was deleted. None where
// nothing was uploaded, or a value is shown.
std::optional<ChosenResponse> uploaded_file(RequestContext& context) {
  const auto* const declared = context.operation->response(context.operation->success_status());
  if (!spec::http::is_safe_method(context.request.method) || declared == nullptr ||
      context.session->is_untouched()) {
    return std::nullopt;
  }
  const state::Cell cell = cell_read_by(context);
  if (!cell) {
    return std::nullopt;
  }
  const std::size_t end = std::min(cell.view().find('\n'), cell.view().size());
  const auto head = spec::json::read(cell.view().substr(0, end));
  const bool is_kept = head && head->is_object();
  auto chosen = file_as_accepted(context, *declared, is_kept ? head->value("type", "") : "",
                                 std::string(is_kept ? cell.view().substr(end + 1) : ""));
  if (!chosen) {
    return std::nullopt;
  }
  if (!is_kept) {
    return checks::reject(context, api::ErrorKind::kNotFound,
                          "the file that was uploaded here was deleted");
  }
  if (const std::string name = head->value("name", ""); !name.empty()) {
    chosen->response.headers.add("Content-Disposition", disposition(name, ""));
  }
  context.chosen_by = "the file that was uploaded to " + std::string(context.path);
  return chosen;
}

// Says that a success changes nothing, where it should change some record.
void warn_of_unkept(RequestContext& context) {
  const std::string_view why = context.api.fixtures.why_not_inferred(*context.operation);
  if (!why.empty() && !spec::http::is_safe_method(context.request.method)) {
    context.warnings.push_back(reply::header_text("not played: " + context.operation->name +
                                                  " changes nothing, because " + std::string(why) +
                                                  "; bind it in operations.yaml"));
  }
}

ChosenResponse respond_plainly(RequestContext& context) {
  const auto expansions =
      context.api.options.infers ? take_expansions(context) : std::vector<std::string>{};
  ChosenResponse chosen = context.binding != nullptr ? behave(context) : example_response(context);
  expand_members(context, expansions, chosen);
  return chosen;
}

}  // namespace

ChosenResponse respond_with_files(RequestContext& context) {
  if (auto file = uploaded_file(context)) {
    return std::move(*file);
  }
  const Uploads uploads = sent_files(context);
  if (!uploads.empty()) {
    replace_files(context, uploads);
  }
  ChosenResponse chosen = respond_plainly(context);
  if (is_rejection(chosen)) {
    return chosen;
  }
  if (context.binding == nullptr && uploads.empty()) {
    warn_of_unkept(context);
  } else if (context.binding == nullptr) {
    echo_upload(context, chosen);
  }
  return keep_files(context, uploads) ? std::move(chosen) : sessions_are_full(context);
}

}  // namespace mock_server::service::responses
