#include "spec/document/uri.hpp"

#include "spec/text/ascii.hpp"
#include "spec/text/encoding.hpp"

#include <algorithm>

namespace spec::document {
namespace {

// Cuts `text` at the first `mark`; returns the part behind it, if there is a mark.
std::optional<std::string_view> cut(std::string_view& text, char mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view tail = text.substr(at + 1);
  text = text.substr(0, at);
  return tail;
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
  if (colon != uri.npos && text::is_scheme(uri.substr(0, colon))) {
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

std::string file_uri(const std::filesystem::path& path) {
  return "file://" + text::percent_encode(path.generic_string(), "/!$&'()*+,;=:@");
}

std::optional<std::filesystem::path> file_path(std::string_view uri) {
  const UriParts parts = split_uri(uri);
  const bool local =
      (!parts.scheme || *parts.scheme == "file") &&
      (!parts.authority || parts.authority->empty() || *parts.authority == "localhost");
  const auto path = text::percent_decode(parts.path);
  if (!local || !path || path->empty() || path->find('\0') != path->npos) {
    return std::nullopt;
  }
  return std::filesystem::path(*path);
}

}  // namespace spec::document
