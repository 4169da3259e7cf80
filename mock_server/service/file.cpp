#include "mock_server/fixtures/record_file.hpp"
#include "mock_server/invoice/invoice_pdf.hpp"
#include "mock_server/reply/entity.hpp"
#include "mock_server/service/behaviours.hpp"
#include "mock_server/service/error_response.hpp"
#include "spec/http/list_field.hpp"

#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace mock_server::service {
namespace {

using fixtures::Prepared;

std::optional<std::string> read_bytes(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    return std::nullopt;
  }
  return std::string(std::istreambuf_iterator<char>(in), {});
}

// Fixtures name files of their own folder; sessions and scenarios those of any.
std::optional<std::filesystem::path> path_of(const Call& call, const FoundRecord& found) {
  const nlohmann::json* const name = fixtures::walk(found.value, call.binding->file.file);
  if (name == nullptr || !name->is_string()) {
    return std::nullopt;
  }
  const auto& text = name->get_ref<const std::string&>();
  const bool is_fixture = found.fixture != nullptr && found.version == 0 && !found.scenario_changes;
  return is_fixture ? std::optional(found.fixture->folder / text)
                    : fixtures::find_record_file(call.api.options.folders, text);
}

std::optional<std::string> make_bytes(const Call& call, const FoundRecord& found,
                                      std::string& why) {
  const fixtures::FilePlan& plan = call.binding->file;
  if (plan.render_invoice) {
    try {
      return invoice::render_invoice(*found.value);
    } catch (const std::exception& error) {
      why = error.what();
      return std::nullopt;
    }
  }
  const auto path = path_of(call, found);
  if (!path) {
    why = "the record names no file";
    return std::nullopt;
  }
  auto bytes = read_bytes(*path);
  why = bytes ? "" : "the record's file cannot be read";
  return bytes;
}

// The file name with the key in it, without what a quoted string may not hold.
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

// A version belongs to one state of one record of one session.
std::string cache_name(const Call& call, const FoundRecord& found) {
  std::string name = call.operation->id + '\n' + found.key;
  return found.version != 0 ? name + '\n' + std::to_string(call.session->serial()) + '\n' +
                                  std::to_string(found.version)
                            : name;
}

spec::http::Response not_modified(const spec::http::Response& whole) {
  spec::http::Response response;
  response.status = 304;
  response.headers = whole.headers;
  response.headers.remove("Content-Type");
  response.headers.remove("Content-Disposition");
  return response;
}

Outcome send_part(const spec::http::Response& whole, const reply::ByteRange& range) {
  Outcome outcome{{}, true};
  outcome.response.status = 206;
  outcome.response.headers = whole.headers;
  outcome.response.headers.set("Content-Range", "bytes " + std::to_string(range.first) + '-' +
                                                    std::to_string(range.last) + '/' +
                                                    std::to_string(whole.body.size()));
  outcome.response.body = whole.body.substr(range.first, range.last - range.first + 1);
  return outcome;
}

Outcome no_such_part(Call& call, const spec::http::Response& whole) {
  Outcome rejection = reject(call, fixtures::ErrorKind::kRangeNotSatisfiable,
                           "header/Range: must start inside the " +
                               std::to_string(whole.body.size()) + " bytes of the file, but is \"" +
                               std::string(call.request.headers.find("Range").value_or("")) + '"');
  rejection.response.headers.set("Content-Range", "bytes */" + std::to_string(whole.body.size()));
  rejection.validated = true;
  return rejection;
}

}  // namespace

std::shared_ptr<const Prepared> whole_file(Call& call, const FoundRecord& found, std::string& why) {
  const std::string name = cache_name(call, found);
  if (auto kept = found.scenario_changes ? nullptr : call.cache.find(name)) {
    return kept;
  }
  auto bytes = make_bytes(call, found, why);
  if (!bytes) {
    return nullptr;
  }
  auto file = std::make_shared<Prepared>();
  file->chosen_by = describe(call, found);
  auto& response = file->response;
  response.status = 200;
  response.headers.add("Content-Type", call.binding->file.media_type);
  response.headers.add("ETag", reply::make_entity_tag(*bytes));
  response.headers.add("Accept-Ranges", "bytes");
  if (!call.binding->file.file_name.empty()) {
    response.headers.add("Content-Disposition",
                         disposition(call.binding->file.file_name, found.key));
  }
  response.body = std::move(*bytes);
  if (call.validate(response) && !found.scenario_changes) {
    call.cache.put(name, file);
  }
  return file;
}

// Preconditions before ranges (RFC 9110 §13.2.2); ranges only for GET (§14.2).
Outcome send_file(Call& call, const FoundRecord& found) {
  std::string why;
  const auto file = whole_file(call, found, why);
  if (!file) {
    return reject(call, fixtures::ErrorKind::kInternal, "the file cannot be made: " + why);
  }
  call.chosen_by = file->chosen_by;
  const auto& headers = call.request.headers;
  const std::string tag(*file->response.headers.find("ETag"));
  if (const auto if_none_match = spec::http::list_field(headers, "If-None-Match");
      if_none_match && reply::matches_any_tag(*if_none_match, tag)) {
    return {not_modified(file->response), true};
  }
  const auto range = headers.find("Range");
  const auto if_range = headers.find("If-Range");
  if (!range || call.request.method != "GET" || (if_range && *if_range != tag)) {
    return {file->response, true};
  }
  const reply::RangeChoice choice = reply::choose_range(*range, file->response.body.size());
  switch (choice.kind) {
    case reply::RangeChoice::Kind::kWhole: break;
    case reply::RangeChoice::Kind::kPart: return send_part(file->response, choice.range);
    case reply::RangeChoice::Kind::kUnsatisfiable: return no_such_part(call, file->response);
  }
  return {file->response, true};
}

}  // namespace mock_server::service
