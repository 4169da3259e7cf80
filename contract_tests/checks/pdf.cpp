#include "contract_tests/checks/pdf.hpp"

#include "spec/text/ascii.hpp"

#define POINTERHOLDER_TRANSITION 0  // qpdf 11 warns about its old pointer type otherwise
#include <poppler/cpp/poppler-document.h>
#include <poppler/cpp/poppler-global.h>
#include <poppler/cpp/poppler-page.h>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>

#include <algorithm>
#include <charconv>
#include <exception>
#include <memory>

namespace contract_tests::checks {

namespace {

constexpr std::size_t kHeaderWithin = 1024;  // readers look for the header this far
constexpr std::size_t kEndWithin = 2048;     // and for the end this far from the last byte

std::string first_bytes(std::string_view bytes) {
  std::string text;
  for (const char letter : bytes.substr(0, 24)) {
    text += letter >= ' ' && letter <= '~' ? letter : '.';
  }
  return text;
}

// The violation of a file that does not start as a PDF.
RuleViolation disguise(std::string_view bytes) {
  const auto start = bytes.substr(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()));
  if (start.starts_with("[37,") || start.starts_with("[37 ,") || start.starts_with("[\n")) {
    return {"file/byte-array", "body", "must be the bytes of a PDF", "is a JSON array of numbers"};
  }
  return {"file/disguise", "body", "must start with %PDF-",
          "starts with \"" + first_bytes(bytes) + '"'};
}

// A text filter turns every byte that is not UTF-8 into EF BF BD: such a file has no other byte
// beyond ASCII.
bool is_transcoded(std::string_view bytes) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  std::size_t replaced = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    if (static_cast<unsigned char>(bytes[at]) < 0x80) {
      continue;
    }
    if (bytes.substr(at, kReplacement.size()) == kReplacement) {
      ++replaced;
      at += kReplacement.size() - 1;
    }
  }
  return replaced > 2;
}

std::optional<std::size_t> startxref(std::string_view bytes) {
  const auto at = bytes.rfind("startxref");
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  auto rest = bytes.substr(at + 9);
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
  std::size_t offset = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), offset);
  return error == std::errc{} ? std::optional(offset) : std::nullopt;
}

// "xref", or "12 0 obj" of a cross-reference stream; leading blanks are let pass.
bool is_cross_reference(std::string_view bytes) {
  bytes.remove_prefix(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()));
  return bytes.starts_with("xref") || (!bytes.empty() && spec::text::is_digit(bytes.front()) &&
                                       bytes.substr(0, 24).find(" obj") != std::string_view::npos);
}

// The bytes behind the last end besides blanks and comments; "" if there are none.
std::string text_after_end(std::string_view bytes) {
  constexpr std::string_view kEnd = "%%EOF";
  constexpr std::string_view kBlanks(" \t\r\n\f\0", 6);
  auto rest = bytes.substr(bytes.rfind(kEnd) + kEnd.size());
  while (!rest.empty()) {
    rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
    if (!rest.starts_with('%')) {
      break;
    }
    rest.remove_prefix(std::min(rest.find_first_of("\r\n"), rest.size()));
  }
  return first_bytes(rest);
}

RuleViolations check_end(std::string_view bytes, std::size_t header) {
  const auto tail = bytes.size() > kEndWithin ? bytes.substr(bytes.size() - kEndWithin) : bytes;
  if (tail.find("%%EOF") == std::string_view::npos) {
    return {{"file/cut", "body", "must end with %%EOF", "has another end"}};
  }
  const auto offset = startxref(tail);
  if (!offset) {
    return {{"file/cut", "body", "must have startxref near its end", "has none"}};
  }
  const auto points = [&](std::size_t from) {
    return *offset + from < bytes.size() && is_cross_reference(bytes.substr(*offset + from));
  };
  if (!points(0) && !points(header)) {
    return {{"file/startxref", "body", "startxref must point to the cross-reference table",
             "points to byte " + std::to_string(*offset) + " of " + std::to_string(bytes.size())}};
  }
  const auto rest = text_after_end(bytes);
  if (!rest.empty()) {
    return {
        {"file/behind-the-end", "body", "must end with %%EOF", "continues with \"" + rest + '"'}};
  }
  return {};
}

// Reads every object and stream; the first words of what is wrong.
std::optional<std::string> structure_error(std::string_view bytes) {
  try {
    QPDF file;
    file.setSuppressWarnings(true);
    file.setAttemptRecovery(false);
    file.processMemoryFile("response", bytes.data(), bytes.size());
    if (QPDFPageDocumentHelper(file).getAllPages().empty()) {
      return "has no page";
    }
    for (auto& object : file.getAllObjects()) {
      if (object.isStream()) {
        object.getStreamData(qpdf_dl_generalized);
      }
    }
    const auto warnings = file.getWarnings();
    if (!warnings.empty()) {
      return warnings.front().getMessageDetail();
    }
  } catch (const std::exception& error) {
    return error.what();
  }
  return std::nullopt;
}

// A version that there is: 1.0 to 1.7, or 2.0 and what follows it. Source: ISO 32000-2 §7.5.2.
bool is_known_version(std::string_view text) {
  return text.size() >= 3 && text[1] == '.' &&
         ((text[0] == '1' && text[2] >= '0' && text[2] <= '7') ||
          (text[0] == '2' && text[2] >= '0' && text[2] <= '9'));
}

void swallow(const std::string& /*message*/, void* /*closure*/) {}

}  // namespace

RuleViolations check_pdf(std::string_view bytes) {
  if (bytes.empty()) {
    return {{"file/empty", "body", "must be a PDF", "is empty"}};
  }
  const auto header = bytes.substr(0, kHeaderWithin).find("%PDF-");
  if (header == std::string_view::npos) {
    return {disguise(bytes)};
  }
  RuleViolations violations;
  if (is_transcoded(bytes)) {
    violations.push_back({"file/transcoded", "body", "must be binary",
                          "has bytes replaced by a text filter (EF BF BD)"});
  }
  const auto version = bytes.substr(header + 5, 3);
  if (!is_known_version(version)) {
    violations.push_back({"file/version", "body", "must have a PDF version from 1.0 to 2.0",
                          "has \"" + first_bytes(version) + '"'});
  }
  auto end = check_end(bytes, header);
  violations.insert(violations.end(), end.begin(), end.end());
  if (!violations.empty()) {
    return violations;
  }
  if (const auto broken = structure_error(bytes)) {
    violations.push_back({"file/structure", "body", "must be a readable PDF", *broken});
  }
  return violations;
}

std::optional<std::string> pdf_text(std::string_view bytes) {
  poppler::set_debug_error_function(&swallow, nullptr);
  const std::unique_ptr<poppler::document> file(
      poppler::document::load_from_raw_data(bytes.data(), static_cast<int>(bytes.size())));
  if (!file || file->is_locked()) {
    return std::nullopt;
  }
  std::string text;
  for (int number = 0; number < file->pages(); ++number) {
    const std::unique_ptr<poppler::page> page(file->create_page(number));
    if (page) {
      const auto utf8 = page->text().to_utf8();
      text += without_blanks({utf8.data(), utf8.size()});
    }
  }
  return text;
}

std::string without_blanks(std::string_view text) {
  std::string kept;
  std::ranges::copy_if(text, std::back_inserter(kept), [](char letter) {
    return letter != ' ' && letter != '\n' && letter != '\r' && letter != '\f' && letter != '\t';
  });
  return kept;
}

}  // namespace contract_tests::checks
