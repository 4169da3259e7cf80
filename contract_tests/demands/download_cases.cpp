// A file that is uploaded comes back byte for byte, of its type and under its name.

#include "contract_tests/checks/json_places.hpp"
#include "contract_tests/demands/own_record_cases.hpp"
#include "spec/http/media_type.hpp"
#include "spec/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace contract_tests::demands {

namespace {

using spec::contract::Operation;

constexpr std::string_view kHead = "\r\n\r\n";

// A part of a multipart body: where its content begins and ends.
struct FilePart {
  std::string type;
  std::string name;
  std::size_t begin = 0;
  std::size_t end = 0;
};

// The text behind `before` up to `after`; "" if there is none.
std::string between(std::string_view text, std::string_view before, std::string_view after) {
  const auto from = text.find(before);
  if (from == std::string_view::npos) {
    return {};
  }
  const auto start = from + before.size();
  return std::string(text.substr(start, text.find(after, start) - start));
}

// The only part with a file name.
std::optional<FilePart> file_part_of(std::string_view body, std::string_view boundary) {
  const auto mark = "--" + std::string(boundary);
  std::optional<FilePart> found;
  for (auto at = body.find(mark); at != std::string_view::npos;) {
    const auto next = body.find("\r\n" + mark, at + mark.size());
    const auto head = body.find(kHead, at);
    if (next == std::string_view::npos || head == std::string_view::npos || head > next) {
      break;
    }
    const auto fields = body.substr(at, head - at);
    if (fields.find("filename=") != std::string_view::npos) {
      if (found) {
        return std::nullopt;
      }
      found = FilePart{between(std::string(fields) + "\r\n", "Content-Type: ", "\r\n"),
                       between(fields, "filename=\"", "\""), head + kHead.size(), next};
    }
    at = next + 2;
  }
  return found;
}

// Bytes of every value, more than one packet or buffer of text has.
std::string all_bytes() {
  constexpr std::size_t kSize = 20'000;
  std::string bytes(kSize, '\0');
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    bytes[at] = static_cast<char>((at * 7 + at / 251) % 256);
  }
  return bytes;
}

// As many bytes of lines, which no service that takes a text has a reason to change.
std::string all_lines() {
  constexpr int kLines = 1'000;
  std::string text;
  for (int line = 0; line < kLines; ++line) {
    text += "line," + std::to_string(line) + ",of,a,table\n";
  }
  return text;
}

bool is_of_bytes(const spec::http::MediaType& type) {
  return !type.is_json() && type.type != "multipart" && type.subtype != "xml" &&
         type.subtype != "html";
}

// GET below the item, or of it, whose success is a file.
const Operation* download_of(const Drafting& drafting) {
  static constexpr std::array<std::string_view, 9> kWords{
      "content", "contents", "download", "file", "raw", "data", "binary", "blob", "media"};
  const auto& item = drafting.own->read->path;
  const auto is_it = [&](const Operation& other) {
    const auto rest = other.path.starts_with(item + '/') ? other.path.substr(item.size() + 1) : "";
    const auto* response = other.response(200);
    return other.method == "GET" &&
           (std::ranges::find(kWords, spec::text::to_lower(rest)) != kWords.end()) &&
           response != nullptr && !response->contents.empty() &&
           std::ranges::all_of(response->contents,
                               [](const auto& content) { return is_of_bytes(content.media_type); });
  };
  const auto found = std::ranges::find_if(drafting.contract.operations(), is_it);
  return found == drafting.contract.operations().end() ? nullptr : &*found;
}

void check_download(CaseRun& case_run, const FilePart& part, const std::string& bytes,
                    const CaseResponse& got) {
  const auto& rule = case_run.item().basis.rule;
  const auto& response = got.exchange.response;
  const auto type = response.headers.find("Content-Type").value_or("");
  const auto disposition = response.headers.find("Content-Disposition").value_or("");
  if (response.body != bytes) {
    case_run.report({{rule,
                      "body",
                      "must be the " + std::to_string(bytes.size()) + " bytes that were uploaded",
                      "is " + std::to_string(response.body.size()) + " bytes" +
                          (bytes.starts_with(response.body) ? ", the first ones" : ", others"),
                      {},
                      {},
                      checks::Severity::kError}},
                    got);
  }
  const bool is_generic = type.starts_with("application/octet-stream");
  if (!part.type.empty() && !is_generic && !type.starts_with(part.type)) {
    case_run.report({{rule, "header/Content-Type", "must be " + part.type + " as it was uploaded",
                      "is " + std::string(type)}},
                    got);
  }
  if (!part.name.empty() && disposition.find("filename") != std::string_view::npos &&
      disposition.find(part.name) == std::string_view::npos) {
    case_run.report({{rule, "header/Content-Disposition",
                      "must name the file " + part.name + " as it was uploaded",
                      "is " + std::string(disposition)}},
                    got);
  }
}

// The file in the body: a part of a form, or all of it.
std::optional<FilePart> file_of(const RequestPlan& plain, const spec::http::MediaType& type) {
  if (type.type == "multipart") {
    return file_part_of(*plain.raw_body, between(*plain.body_type + ";", "boundary=", ";"));
  }
  return is_of_bytes(type) && type.subtype != "x-www-form-urlencoded"
             ? std::optional(FilePart{*plain.body_type, "", 0, plain.raw_body->size()})
             : std::nullopt;
}

void run_download(CaseRun& case_run, const Operation& download, FilePart part) {
  auto request = case_run.item().request;
  const auto bytes = part.type.starts_with("text/") ? all_lines() : all_bytes();
  request.raw_body->replace(part.begin, part.end - part.begin, bytes);
  const auto& sent = case_run.send(request, {.want = Want::kAnything});
  const auto identifier = created_identifier(case_run, sent);
  if (!identifier) {
    case_run.skip("the service does not take a file of any bytes");
    return;
  }
  RequestPlan address;
  address.path = item_of(case_run, request, *identifier).path;
  const auto* got = case_run.fetch(download, address);
  if (got != nullptr && got->exchange.status() == 200 && got->exchange.is_complete()) {
    check_download(case_run, part, bytes, *got);
  }
}

}  // namespace

void add_download_cases(const Drafting& drafting) {
  const auto& plain = drafting.plain;
  const auto type = spec::http::parse_media_type(plain.body_type.value_or(""));
  if (!drafting.own->is_created_by(drafting.operation.id) || !plain.raw_body || !type) {
    return;
  }
  const auto part = file_of(plain, *type);
  const auto* download = part ? download_of(drafting) : nullptr;
  if (download == nullptr || part->type.starts_with("image/")) {
    return;
  }
  add_own(drafting, "an upload comes back as it was sent", "record/download",
          [download, part = *part](CaseRun& case_run) { run_download(case_run, *download, part); });
}

}  // namespace contract_tests::demands
