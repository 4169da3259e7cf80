// Starts a program of an archive with the loader and the libraries that the archive has, on any
// Linux: bin/NAME is this launcher, lib/counterpart/NAME the program. No shell, and nothing in the
// environment: what the program itself starts must find the libraries of the machine.

#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

constexpr int kUnusable = 2;

// The launcher's own path, links followed; "" without /proc.
std::string own_path() {
  std::array<char, PATH_MAX> path{};
  const auto length = readlink("/proc/self/exe", path.data(), path.size());
  return length > 0 ? std::string(path.data(), static_cast<std::size_t>(length)) : "";
}

int fail(const std::string& file, const char* why, const char* remedy) {
  std::fprintf(stderr, "%s: %s; %s\n", file.c_str(), why, remedy);
  return kUnusable;
}

}  // namespace

int main(int count, char** argv) {
  constexpr const char* kUnpack =
      "unpack the archive again with tar -xzf, on a file system that allows programs";
  const std::string own = own_path();
  const auto slash = own.rfind('/');
  const auto above = slash == std::string::npos || slash == 0 ? slash : own.rfind('/', slash - 1);
  if (above == std::string::npos) {
    return fail(count > 0 ? argv[0] : "launcher", "cannot find its folder", "mount /proc");
  }
  const std::string libraries = own.substr(0, above) + "/lib/counterpart";
  const std::string loader = libraries + "/" LOADER;
  const std::string program = libraries + own.substr(slash);
  for (const auto& file : {loader, program}) {
    if (access(file.c_str(), X_OK) != 0) {
      return fail(file, std::strerror(errno), kUnpack);
    }
  }
  std::vector<std::string> words = {loader,           "--inhibit-cache", "--argv0", own,
                                    "--library-path", libraries,         program};
  for (int at = 1; at < count; ++at) {
    words.emplace_back(argv[at]);
  }
  std::vector<char*> arguments;
  for (auto& word : words) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  execv(loader.c_str(), arguments.data());
  return fail(loader, std::strerror(errno), kUnpack);
}
