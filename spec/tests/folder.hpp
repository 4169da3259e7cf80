#pragma once

// A folder of a test's own, gone with everything in it when the test ends. Its name is unique: two
// builds may run their tests at the same time on one machine.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace test_support {

class Folder {
 public:
  Folder() {
    auto pattern = (std::filesystem::temp_directory_path() / "counterpart-test-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
      throw std::runtime_error("no folder for a test: " + pattern);
    }
    path_ = pattern;
  }

  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  // The path of a new file with this text; folders on the way are made.
  std::filesystem::path write(const std::string& name, std::string_view text) const {
    auto file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }

 private:
  std::filesystem::path path_;
};

// Every byte of `file`; "" when there is none.
inline std::string read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace test_support
