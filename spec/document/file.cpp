#include "spec/document/file.hpp"

#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

namespace spec::document {

namespace fs = std::filesystem;

std::string obstacle(const fs::path& path, std::uintmax_t max_bytes) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    return "no such file";
  }
  if (fs::is_directory(status)) {
    return "a folder, not a file";
  }
  if (!fs::is_regular_file(status)) {
    return "not a regular file";
  }
  const std::uintmax_t size = fs::file_size(path, error);
  const std::uintmax_t mebibytes = max_bytes / kMebibyte;
  return size <= max_bytes   ? ""
         : mebibytes >= 1024 ? "larger than " + std::to_string(mebibytes / 1024) + " GiB"
                             : "larger than " + std::to_string(mebibytes) + " MiB";
}

Result<std::string, std::string> read_file(const fs::path& path, std::uintmax_t max_bytes) {
  if (auto why = obstacle(path, max_bytes); !why.empty()) {
    return Unexpected{std::move(why)};
  }
  std::ifstream in(path, std::ios::binary);
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  std::string text(error ? 0 : static_cast<std::size_t>(size), '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  text.append(std::istreambuf_iterator<char>(in), {});  // what was added meanwhile
  if (!in.is_open() || in.bad()) {
    return Unexpected{std::string("cannot be read")};
  }
  return text;
}

}  // namespace spec::document
