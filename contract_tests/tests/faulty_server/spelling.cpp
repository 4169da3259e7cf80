#include "contract_tests/tests/faulty_server/spelling.hpp"

#include "spec/http/tests/gzip.hpp"
#include "spec/json/read.hpp"
#include "spec/json/value.hpp"

#define POINTERHOLDER_TRANSITION 0  // qpdf 11 warns about its old pointer type otherwise
#include <nlohmann/json.hpp>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>
#include <qpdf/QPDFWriter.hh>

#include <array>
#include <cstdio>
#include <map>
#include <mutex>
#include <vector>

namespace contract_tests::faulty_server {

using nlohmann::json;

namespace {

std::vector<char32_t> code_points(const std::string& text) {
  std::vector<char32_t> points;
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    char32_t point = size == 1 ? lead : lead & (0xFFU >> (size + 1));
    for (std::size_t next = 1; next < size && at + next < text.size(); ++next) {
      point = point << 6U | (static_cast<unsigned char>(text[at + next]) & 0x3FU);
    }
    points.push_back(point);
    at += size;
  }
  return points;
}

void put(std::string& bytes, char32_t unit, int size, bool big) {
  for (int index = 0; index < size; ++index) {
    const int shift = 8 * (big ? size - 1 - index : index);
    bytes += static_cast<char>(unit >> static_cast<unsigned>(shift) & 0xFFU);
  }
}

std::string escape(char32_t unit) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "\\u%04X", static_cast<unsigned>(unit));
  return text.data();
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const auto point : code_points(text)) {
    if (point < 0x80) {
      out += static_cast<char>(point);
    } else if (point < 0x10000) {
      out += escape(point);
    } else {
      out += escape(0xD800 + ((point - 0x10000) >> 10U)) +
             escape(0xDC00 + ((point - 0x10000) & 0x3FFU));
    }
  }
  return out;
}

// The letter behind each opening quotation mark as an escape.
std::string first_letters_escaped(const std::string& text) {
  std::string out;
  bool inside = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    if (letter == '\\' && inside) {
      out += letter;
      out += text[++at];
      continue;
    }
    out += letter;
    if (letter != '"') {
      continue;
    }
    inside = !inside;
    const char next = at + 1 < text.size() ? text[at + 1] : '"';
    if (inside && next != '"' && next != '\\' && next > 0) {
      out += escape(static_cast<unsigned char>(next));
      ++at;
    }
  }
  return out;
}

std::string members_reversed(const json& value) {
  if (value.is_object()) {
    std::string out;
    for (const auto& [name, member] : value.items()) {
      out = spec::json::write(json(name)) + ':' + members_reversed(member) +
            (out.empty() ? "" : ",") + out;
    }
    return '{' + out + '}';
  }
  if (value.is_array()) {
    std::string out;
    for (const auto& element : value) {
      out += (out.empty() ? "" : ",") + members_reversed(element);
    }
    return '[' + out + ']';
  }
  return spec::json::write(value);
}

std::string outside_strings(const std::string& text, const std::string& letters,
                            const std::string& before, const std::string& after) {
  std::string out;
  bool inside = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    inside = letter == '"' ? !inside : inside;
    const bool marked = !inside && letters.find(letter) != std::string::npos;
    out += marked ? before + letter + after : std::string(1, letter);
    if (letter == '\\' && at + 1 < text.size()) {
      out += text[++at];
    }
  }
  return out;
}

}  // namespace

void encode(std::string& text, const std::string& to) {
  std::string bytes;
  for (const auto point : code_points(text)) {
    if (to == "latin-1") {
      bytes += point < 0x100 ? static_cast<char>(point) : '?';
    } else if (to == "utf-32le") {
      put(bytes, point, 4, false);
    } else if (point < 0x10000) {
      put(bytes, point, 2, to == "utf-16be");
    } else {
      put(bytes, 0xD800 + ((point - 0x10000) >> 10U), 2, to == "utf-16be");
      put(bytes, 0xDC00 + ((point - 0x10000) & 0x3FFU), 2, to == "utf-16be");
    }
  }
  text = std::move(bytes);
}

void spell(std::string& body, const std::string& how) {
  const auto value = spec::json::read(body);
  if (!value) {
    return;
  }
  if (how == "escaped") {
    body = escaped(body);
  } else if (how == "escaped-all") {
    body = first_letters_escaped(escaped(body));
  } else if (how == "slashes") {
    for (auto at = body.find('/'); at != std::string::npos; at = body.find('/', at + 2)) {
      body.insert(at, "\\");
    }
  } else if (how == "reversed") {
    body = members_reversed(value.value());
  } else if (how == "crlf") {
    body = outside_strings(body, "{}[],:", "\r\n\t", "\r\n ");
  }
}

const std::string& bomb(std::size_t mebibytes) {
  static std::mutex mutex;
  static std::map<std::size_t, std::string> made;
  const std::lock_guard lock(mutex);
  auto& bytes = made[mebibytes];
  if (bytes.empty()) {
    bytes = spec::http::gzip(std::string(mebibytes << 20U, '0'));
  }
  return bytes;
}

void rewrite_pdf(const json& how, std::string& bytes) {
  if (bytes.find("%PDF-") == std::string::npos) {
    return;
  }
  if (how.value("again", false)) {
    const auto last = bytes.rfind("startxref");
    bytes += '\n' + bytes.substr(last);
    return;
  }
  QPDF file;
  if (how.value("blank", false)) {
    file.emptyPDF();
    const auto page = QPDFObjectHandle::parse("<< /Type /Page /MediaBox [0 0 595 842] >>");
    file.addPage(file.makeIndirectObject(page), false);
  } else {
    file.processMemoryFile("original", bytes.data(), bytes.size());
  }
  if (how.value("no_pages", false)) {
    QPDFPageDocumentHelper pages(file);
    for (auto& page : pages.getAllPages()) {
      pages.removePage(page);
    }
  }
  QPDFWriter writer(file);
  writer.setOutputMemory();
  writer.setLinearization(how.value("linearize", false));
  writer.setStaticID(true);
  if (how.value("object_streams", false)) {
    writer.setObjectStreamMode(qpdf_o_generate);
  }
  if (how.contains("version")) {
    writer.setMinimumPDFVersion(how.at("version").get<std::string>());
  }
  if (how.contains("user_password")) {
    writer.setR6EncryptionParameters(how.at("user_password").get<std::string>().c_str(), "owner",
                                     true, true, true, true, true, true, qpdf_r3p_full, true);
  }
  writer.write();
  const auto buffer = writer.getBufferSharedPointer();
  bytes.assign(reinterpret_cast<const char*>(buffer->getBuffer()), buffer->getSize());
}

}  // namespace contract_tests::faulty_server
