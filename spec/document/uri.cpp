#include "spec/document/uri.hpp"

#include "spec/document/load.hpp"

#include <algorithm>

namespace spec::document {
namespace {

bool is_alphanumeric(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= '0' && byte <= '9');
}

int hex_digit(char byte) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const char lower = byte >= 'A' && byte <= 'F' ? static_cast<char>(byte - 'A' + 'a') : byte;
  const std::size_t digit = kDigits.find(lower);
  return digit == std::string_view::npos ? -1 : static_cast<int>(digit);
}

// Cuts `text` at the first `mark`; what follows it, if there is one.
std::optional<std::string_view> cut(std::string_view& text, char mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view tail = text.substr(at + 1);
  text = text.substr(0, at);
  return tail;
}

// RFC 3986 §3.1.
bool is_scheme(std::string_view text) {
  const bool letter = !text.empty() && is_alphanumeric(text[0]) && (text[0] < '0' || text[0] > '9');
  return letter && std::all_of(text.begin(), text.end(), [](char byte) {
           return is_alphanumeric(byte) || byte == '+' || byte == '-' || byte == '.';
         });
}

// RFC 3986 §5.2.4.
std::string remove_dot_segments(std::string_view in) {
  std::string out;
  const auto drop_last = [&out] { out.resize(out.rfind('/') == out.npos ? 0 : out.rfind('/')); };
  while (!in.empty()) {
    if (in.starts_with("../")) {
      in.remove_prefix(3);
    } else if (in.starts_with("./") || in.starts_with("/./")) {
      in.remove_prefix(2);
    } else if (in == "/.") {
      in = "/";
    } else if (in.starts_with("/../")) {
      in.remove_prefix(3);
      drop_last();
    } else if (in == "/..") {
      in = "/";
      drop_last();
    } else if (in == "." || in == "..") {
      in = {};
    } else {
      const std::size_t end = std::min(in.find('/', 1), in.size());
      out += in.substr(0, end);
      in.remove_prefix(end);
    }
  }
  return out;
}

// RFC 3986 §5.2.3.
std::string merge_paths(const UriParts& base, std::string_view path) {
  if (base.authority && base.path.empty()) {
    return "/" + std::string(path);
  }
  const std::size_t slash = base.path.rfind('/');
  return std::string(base.path.substr(0, slash == base.path.npos ? 0 : slash + 1)) +
         std::string(path);
}

// RFC 3986 §5.3.
std::string compose(const UriParts& parts, std::string_view path) {
  std::string uri;
  if (parts.scheme) {
    uri += std::string(*parts.scheme) + ":";
  }
  if (parts.authority) {
    uri += "//" + std::string(*parts.authority);
  }
  uri += path;
  if (parts.query) {
    uri += "?" + std::string(*parts.query);
  }
  if (parts.fragment) {
    uri += "#" + std::string(*parts.fragment);
  }
  return uri;
}

}  // namespace

UriParts split_uri(std::string_view uri) {
  UriParts parts;
  parts.fragment = cut(uri, '#');
  parts.query = cut(uri, '?');
  const std::size_t colon = uri.find(':');
  if (colon != uri.npos && is_scheme(uri.substr(0, colon))) {
    parts.scheme = uri.substr(0, colon);
    uri.remove_prefix(colon + 1);
  }
  if (uri.starts_with("//")) {
    uri.remove_prefix(2);
    const std::size_t end = std::min(uri.find('/'), uri.size());
    parts.authority = uri.substr(0, end);
    uri.remove_prefix(end);
  }
  parts.path = uri;
  return parts;
}

std::string resolve_uri(std::string_view base, std::string_view reference) {
  UriParts target = split_uri(reference);
  const UriParts from = split_uri(base);
  if (target.scheme) {
    return compose(target, remove_dot_segments(target.path));
  }
  target.scheme = from.scheme;
  if (target.authority) {
    return compose(target, remove_dot_segments(target.path));
  }
  target.authority = from.authority;
  if (target.path.empty()) {
    target.query = target.query ? target.query : from.query;
    return compose(target, from.path);
  }
  if (target.path.starts_with('/')) {
    return compose(target, remove_dot_segments(target.path));
  }
  return compose(target, remove_dot_segments(merge_paths(from, target.path)));
}

std::optional<std::string> percent_decode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      out += text[at];
      continue;
    }
    const int high = at + 1 < text.size() ? hex_digit(text[at + 1]) : -1;
    const int low = at + 2 < text.size() ? hex_digit(text[at + 2]) : -1;
    if (high < 0 || low < 0) {
      return std::nullopt;
    }
    out += static_cast<char>(high * 16 + low);
    at += 2;
  }
  return out;
}

std::string file_uri(const std::filesystem::path& path) {
  constexpr std::string_view kHexDigits = "0123456789ABCDEF";
  constexpr std::string_view kPlain = "/-._~!$&'()*+,;=:@";
  std::string uri = "file://";
  for (const char byte : path.generic_string()) {
    if (is_alphanumeric(byte) || kPlain.find(byte) != kPlain.npos) {
      uri += byte;
    } else {
      uri += '%';
      uri += kHexDigits[static_cast<unsigned char>(byte) >> 4U];
      uri += kHexDigits[static_cast<unsigned char>(byte) & 0xFU];
    }
  }
  return uri;
}

std::optional<std::filesystem::path> file_path(std::string_view uri) {
  const UriParts parts = split_uri(uri);
  const bool local =
      (!parts.scheme || *parts.scheme == "file") &&
      (!parts.authority || parts.authority->empty() || *parts.authority == "localhost");
  const auto path = percent_decode(parts.path);
  if (!local || !path || path->empty() || path->find('\0') != path->npos) {
    return std::nullopt;
  }
  return std::filesystem::path(*path);
}

}  // namespace spec::document
