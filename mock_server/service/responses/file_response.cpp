#include "mock_server/api/record_view.hpp"
#include "mock_server/invoice/invoice_pdf.hpp"
#include "mock_server/reply/entity.hpp"
#include "mock_server/service/checks/service_error.hpp"
#include "mock_server/service/responses/behaviours.hpp"
#include "mock_server/service/responses/preconditions.hpp"
#include "spec/document/text_file.hpp"

#include <exception>
#include <filesystem>
#include <string>

namespace mock_server::service::responses {
namespace {

using api::PreparedResponse;
using checks::reject;

// Fixtures name files of their own folder; sessions and scenarios those of any.
std::optional<std::filesystem::path> path_of(const RequestContext& context,
                                             const FoundRecord& found) {
  const nlohmann::json* const name = api::walk(found.value, context.binding->file.file);
  if (name == nullptr || !name->is_string()) {
    return std::nullopt;
  }
  const auto& text = name->get_ref<const std::string&>();
  const bool is_fixture = found.fixture != nullptr && found.version == 0 && !found.scenario_changes;
  return is_fixture ? std::optional(found.fixture->folder / text)
                    : api::find_record_file(context.api.options.folders, text);
}

std::optional<std::string> make_bytes(const RequestContext& context, const FoundRecord& found,
                                      std::string& why) {
  const api::FilePlan& plan = context.binding->file;
  if (plan.render_invoice) {
    try {
      return invoice::render_invoice(*found.value);
    } catch (const std::exception& error) {
      why = error.what();
      return std::nullopt;
    }
  }
  const auto path = path_of(context, found);
  if (!path) {
    why = "the record has no file name";
    return std::nullopt;
  }
  auto bytes = spec::document::read_file(*path);
  if (!bytes) {
    why = "the record's file cannot be read";
    return std::nullopt;
  }
  return std::move(*bytes);
}

// A version belongs to one state of one record of one session.
std::string cache_name(const RequestContext& context, const FoundRecord& found) {
  std::string name = context.operation->id + '\n' + found.key;
  return found.version != 0 ? name + '\n' + std::to_string(context.session->serial()) + '\n' +
                                  std::to_string(found.version)
                            : name;
}

ChosenResponse send_part(const spec::http::Response& whole, const reply::ByteRange& range) {
  ChosenResponse chosen{{}, true};
  chosen.response.status = 206;
  chosen.response.headers = whole.headers;
  chosen.response.headers.set("Content-Range", "bytes " + std::to_string(range.first) + '-' +
                                                   std::to_string(range.last) + '/' +
                                                   std::to_string(whole.body.size()));
  chosen.response.body = whole.body.substr(range.first, range.last - range.first + 1);
  return chosen;
}

ChosenResponse no_such_part(RequestContext& context, const spec::http::Response& whole) {
  ChosenResponse rejection =
      reject(context, api::ErrorKind::kRangeNotSatisfiable,
             "header/Range: must begin within the " + std::to_string(whole.body.size()) +
                 " bytes of the file, but is \"" +
                 std::string(context.request.headers.find("Range").value_or("")) + '"');
  rejection.response.headers.set("Content-Range", "bytes */" + std::to_string(whole.body.size()));
  rejection.validated = true;
  return rejection;
}

}  // namespace

std::string disposition(const std::string& pattern, std::string_view key) {
  constexpr std::string_view kSlot = "{key}";
  std::string name = pattern;
  if (const std::size_t at = name.find(kSlot); at != std::string::npos) {
    name.replace(at, kSlot.size(), key);
  }
  for (char& c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20U || byte >= 0x7FU || c == '"' || c == '\\' || c == '/') {
      c = '_';
    }
  }
  return "inline; filename=\"" + name + '"';
}

std::shared_ptr<const PreparedResponse> whole_file(RequestContext& context,
                                                   const FoundRecord& found, std::string& why) {
  const std::string name = cache_name(context, found);
  if (auto kept = found.scenario_changes ? nullptr : context.cache.find(name)) {
    return kept;
  }
  auto bytes = make_bytes(context, found, why);
  if (!bytes) {
    return nullptr;
  }
  auto file = std::make_shared<PreparedResponse>();
  file->chosen_by = describe(context, found);
  auto& response = file->response;
  response.status = 200;
  response.headers.add("Content-Type", context.binding->file.media_type);
  response.headers.add("ETag", reply::make_entity_tag(*bytes));
  response.headers.add("Accept-Ranges", "bytes");
  if (!context.binding->file.file_name.empty()) {
    response.headers.add("Content-Disposition",
                         disposition(context.binding->file.file_name, found.key));
  }
  response.body = std::move(*bytes);
  if (context.validate(response) && !found.scenario_changes) {
    context.cache.put(name, file);
  }
  return file;
}

// Preconditions before ranges (RFC 9110 §13.2.2); ranges only for GET (§14.2).
ChosenResponse send_file(RequestContext& context, const FoundRecord& found) {
  std::string why;
  const auto file = whole_file(context, found, why);
  if (!file) {
    return reject(context, api::ErrorKind::kInternal, "cannot make the file: " + why);
  }
  context.chosen_by = file->chosen_by;
  const auto& headers = context.request.headers;
  const std::string tag(*file->response.headers.find("ETag"));
  if (auto other = check_preconditions(context, file->response, "file")) {
    return std::move(*other);
  }
  const auto range = headers.find("Range");
  const auto if_range = headers.find("If-Range");
  if (!range || context.request.method != "GET" || (if_range && *if_range != tag)) {
    return {file->response, true};
  }
  const reply::RangeChoice choice = reply::choose_range(*range, file->response.body.size());
  switch (choice.kind) {
    case reply::RangeChoice::Kind::kWhole: break;
    case reply::RangeChoice::Kind::kPart: return send_part(file->response, choice.range);
    case reply::RangeChoice::Kind::kUnsatisfiable: return no_such_part(context, file->response);
  }
  return {file->response, true};
}

}  // namespace mock_server::service::responses
