#include "contract_tests/tests/support/child.hpp"

#include "spec/process/child.hpp"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <optional>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

extern char** environ;

namespace contract_tests::support {

namespace {

std::string take(int descriptor) {
  std::string text(static_cast<std::size_t>(::lseek(descriptor, 0, SEEK_END)), '\0');
  const auto got = ::pread(descriptor, text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  ::close(descriptor);
  return text;
}

// Variables for the tests themselves, or for a service of the developer, are not for child
// processes: in a shard of the tests each child would run only a shard of its plan.
bool is_of_the_caller(std::string_view name) {
  constexpr std::array<std::string_view, 8> kOwn{
      "TEST_API_BASE_URL", "DODO_PAYMENTS_API_KEY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY",
      "http_proxy",        "https_proxy",           "no_proxy"};
  return name.starts_with("GTEST_") || std::ranges::find(kOwn, name) != kOwn.end();
}

}  // namespace

std::vector<std::pair<std::string, std::optional<std::string>>> environment_for(
    const std::map<std::string, std::string>& given) {
  std::vector<std::pair<std::string, std::optional<std::string>>> changes;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string line(*entry);
    const auto name = line.substr(0, line.find('='));
    if (!given.contains(name) && is_of_the_caller(name)) {
      changes.emplace_back(name, std::nullopt);
    }
  }
  for (const auto& [name, value] : given) {
    changes.emplace_back(name, value.empty()          ? std::nullopt
                               : value == kEmptyValue ? std::optional<std::string>("")
                                                      : std::optional(value));
  }
  return changes;
}

Ended run_child(const std::string& program, const std::vector<std::string>& arguments,
                const std::map<std::string, std::string>& environment,
                std::chrono::seconds timeout) {
  const int in = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int out = ::memfd_create("out", MFD_CLOEXEC);
  const int err = ::memfd_create("err", MFD_CLOEXEC);
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  auto child = spec::process::Child::start({.words = std::move(words),
                                            .environment = environment_for(environment),
                                            .input = in,
                                            .output = out,
                                            .errors = err});
  ::close(in);
  const auto end = child ? child->end(timeout) : std::nullopt;
  return {.exit_code = end && child->ending_signal() == 0 ? *end : -1,
          .out = take(out),
          .err = take(err),
          .peak_kilobytes = child ? child->peak_kilobytes() : 0};
}

}  // namespace contract_tests::support
