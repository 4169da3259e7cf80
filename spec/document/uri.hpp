#pragma once

// URIs as references need them (RFC 3986): parts, resolution, file paths.
// Pure functions.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace spec::document {

// A URI reference in its five parts (RFC 3986 §3); an absent part differs from an empty one.
struct UriParts {
  std::optional<std::string_view> scheme;
  std::optional<std::string_view> authority;
  std::string_view path;
  std::optional<std::string_view> query;
  std::optional<std::string_view> fragment;
};

UriParts split_uri(std::string_view uri);

// RFC 3986 §5.2: `reference` against `base`, dot segments removed; keeps the fragment.
std::string resolve_uri(std::string_view base, std::string_view reference);

// "file:///..." for an absolute path, and back; none for a URI that names no local file.
std::string file_uri(const std::filesystem::path& path);
std::optional<std::filesystem::path> file_path(std::string_view uri);

}  // namespace spec::document
