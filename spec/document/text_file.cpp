#include "spec/document/text_file.hpp"

#include "spec/text/random.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <memory>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace spec::document {

namespace fs = std::filesystem;

std::string obstacle(const fs::path& path, std::uintmax_t max_bytes) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    const std::string text = path.string();
    const bool is_url = text.starts_with("http:/") || text.starts_with("https:/");
    return is_url ? "a URL, not a file; download it first: curl -o openapi.yaml URL"
                  : "no such file";
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
  text.append(std::istreambuf_iterator<char>(in), {});  // bytes that were added meanwhile
  if (!in.is_open() || in.bad()) {
    return Unexpected{std::string("cannot be read")};
  }
  return text;
}

std::string replace_file(const fs::path& path, std::string_view text, unsigned mode) {
  const auto last_error = [] { return std::generic_category().message(errno); };
  const std::string beside = path.string() + '.' + spec::text::random_hex(8);
  const int descriptor =
      ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, static_cast<mode_t>(mode));
  if (descriptor < 0) {
    return last_error();
  }
  std::string why =
      write_all(descriptor, text) && ::fsync(descriptor) == 0 ? std::string() : last_error();
  if (::close(descriptor) != 0 && why.empty()) {
    why = last_error();
  }
  if (why.empty() && ::rename(beside.c_str(), path.c_str()) != 0) {
    why = last_error();
  }
  if (!why.empty()) {
    ::unlink(beside.c_str());
  }
  return why;
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      return false;
    }
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

Spot Cursor::locate(std::size_t offset) {
  offset = std::min(offset, text_.size());
  if (offset < at_) {
    at_ = 0;
    spot_ = {};
  }
  for (; at_ < offset; ++at_) {
    const char byte = text_[at_];
    const bool carriage_return =
        byte == '\r' && (at_ + 1 == text_.size() || text_[at_ + 1] != '\n');
    if (byte == '\n' || carriage_return) {
      ++spot_.line;
      spot_.column = 1;
    } else if ((static_cast<unsigned char>(byte) & 0xC0U) != 0x80U) {
      ++spot_.column;
    }
  }
  return spot_;
}

namespace fs = std::filesystem;

namespace {

struct Close {
  void operator()(DIR* stream) const { closedir(stream); }
};

}  // namespace

std::vector<fs::path> paths_in(const fs::path& folder) {
  std::vector<fs::path> paths;
  const std::unique_ptr<DIR, Close> stream(opendir(folder.c_str()));
  if (stream == nullptr) {
    return paths;
  }
  while (const dirent* const entry = readdir(stream.get())) {
    const std::string_view name = static_cast<const char*>(entry->d_name);
    if (name != "." && name != "..") {
      paths.push_back(folder / name);
    }
  }
  std::ranges::sort(paths);
  return paths;
}

}  // namespace spec::document
