#include "contract_tests/program/tested_server.hpp"

#include "spec/document/uri.hpp"
#include "spec/load_error.hpp"
#include "spec/process/data_root.hpp"
#include "spec/text/ascii.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

namespace contract_tests::program {

namespace fs = std::filesystem;

namespace {

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

}  // namespace

fs::path find_data_root() {
  auto root = spec::process::find_data_root(spec::process::executable_path());
  if (!root) {
    throw spec::LoadError(
        "spec/payments.openapi.yaml",
        "cannot find this file in share/counterpart beside bin, nor in the source tree");
  }
  return std::move(*root);
}

std::optional<fs::path> find_mock_server() {
  const char* named = std::getenv("COUNTERPART_MOCK_SERVER");
  if (named != nullptr && *named != '\0') {
    return fs::path(named);
  }
  const auto folder = spec::process::executable_path().parent_path();
  for (const auto& candidate :
       {folder / "mock_server", folder.parent_path() / "mock_server/mock_server"}) {
    if (is_there(candidate) && !fs::is_directory(candidate)) {
      return candidate;
    }
  }
  return std::nullopt;
}

namespace {

using spec::document::Node;

// The URL of a server with its variables at their defaults; empty if one has none.
std::optional<std::string> url_of(const Node& server) {
  const Node text = server.find("url");
  std::string url = text && text.is_string() ? std::string(text.string()) : "";
  for (auto open = url.find('{'); open != std::string::npos; open = url.find('{')) {
    const auto close = url.find('}', open);
    if (close == std::string::npos) {
      return std::nullopt;
    }
    const Node variable =
        server.find("variables").find(std::string_view(url).substr(open + 1, close - open - 1));
    const Node value = variable ? variable.find("default") : Node();
    if (!value || !value.is_string() || value.string().find('{') != std::string_view::npos) {
      return std::nullopt;
    }
    url.replace(open, close - open + 1, value.string());
  }
  return url;
}

std::string host_of(std::string_view authority) {
  return std::string(authority.substr(0, authority.find(':')));
}

// The path in one list of servers.
std::string path_of(const Node& servers, std::string_view host) {
  std::optional<std::string> chosen;
  for (const Node& server : servers ? servers.elements() : std::vector<Node>()) {
    const auto url = url_of(server);
    if (!url) {
      continue;
    }
    const auto whole = spec::document::resolve_uri("http://host/", *url);
    const auto parts = spec::document::split_uri(whole);
    std::string path(parts.path);
    while (path.ends_with('/')) {
      path.pop_back();
    }
    const bool is_same_host =
        spec::text::equals_ignoring_case(host_of(parts.authority.value_or("")), host);
    if (!chosen || is_same_host) {
      chosen = std::move(path);
    }
    if (is_same_host) {
      break;
    }
  }
  return chosen.value_or("");
}

// The list of the operation itself, else of its path; an empty handle where it has none of its own.
Node own_servers(const spec::contract::Operation& operation) {
  const Node own = operation.node.find("servers");
  const Node item = operation.node.parent();
  return own || !item ? own : item.find("servers");
}

}  // namespace

std::string base_path_of(const spec::contract::Contract& contract, std::string_view host) {
  auto path = path_of(contract.root().find("servers"), host);
  for (const auto& operation : contract.operations()) {
    const Node own = own_servers(operation);
    if (own && path_of(own, host) != path) {
      return {};
    }
  }
  return path;
}

namespace {

using Clock = std::chrono::steady_clock;

// The rest of the first line of `text` that starts with `prefix`; "" while it is not whole.
std::string line_after(const std::string& text, std::string_view prefix) {
  const auto at = text.find(prefix);
  const auto end = at == std::string::npos ? at : text.find('\n', at);
  if (end == std::string::npos) {
    return {};
  }
  return text.substr(at + prefix.size(), end - at - prefix.size());
}

// Reads on until `deadline`; false at the end of the stream or when time is up.
bool read_more(int descriptor, std::string& text, Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  pollfd entry{.fd = descriptor, .events = POLLIN, .revents = 0};
  if (left <= 0 || ::poll(&entry, 1, static_cast<int>(left)) <= 0) {
    return false;
  }
  std::array<char, 4096> block{};
  const auto got = ::read(descriptor, block.data(), block.size());
  if (got <= 0) {
    return false;
  }
  text.append(block.data(), static_cast<std::size_t>(got));
  return true;
}

// Variables of our environment by which mock_server would take other flags than its command line
// gives, to be taken out. COUNTERPART_SCRIPT says which script has started us.
std::vector<std::pair<std::string, std::optional<std::string>>> without_flags() {
  std::vector<std::pair<std::string, std::optional<std::string>>> changes;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (text.starts_with("COUNTERPART_") && !text.starts_with("COUNTERPART_SCRIPT=")) {
      changes.emplace_back(text.substr(0, text.find('=')), std::nullopt);
    }
  }
  return changes;
}

// The end of what was written to `descriptor`, a file in memory, at most 4 KiB.
std::string written_to(int descriptor) {
  std::string text(4096, '\0');
  const auto size = ::lseek(descriptor, 0, SEEK_END);
  const auto from = size > 4096 ? size - 4096 : 0;
  const auto got = ::pread(descriptor, text.data(), text.size(), from);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  while (text.ends_with('\n')) {
    text.pop_back();
  }
  return text;
}

}  // namespace

MockProcess::MockProcess(MockProcess&& other) noexcept
    : process_(std::move(other.process_)),
      output_(std::exchange(other.output_, -1)),
      url_(std::move(other.url_)) {}

MockProcess::~MockProcess() {
  process_.signal(SIGTERM);
  process_.end(std::chrono::seconds(5));
  if (output_ >= 0) {
    ::close(output_);
  }
}

spec::Result<MockProcess, std::string> MockProcess::start(const std::filesystem::path& program,
                                                          std::vector<std::string> arguments,
                                                          std::chrono::milliseconds timeout) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return spec::Unexpected{std::string("cannot open a pipe: ") + std::strerror(errno)};
  }
  // Its log is read only if it does not start; a pipe that is not read would block it.
  const int errors = ::memfd_create("mock_server", MFD_CLOEXEC);
  arguments.insert(arguments.begin(), program.string());
  // In a group of its own: an interrupt from the keyboard is for the suite, which still needs the
  // mock to put records back.
  auto process = spec::process::Child::start({.words = std::move(arguments),
                                              .environment = without_flags(),
                                              .output = ends[1],
                                              .errors = errors,
                                              .prepare = [] { ::setpgid(0, 0); }});
  ::close(ends[1]);
  if (!process) {
    ::close(ends[0]);
    ::close(errors);
    return spec::Unexpected{"cannot start " + process.error().message};
  }
  MockProcess started(std::move(*process), ends[0]);
  std::string said;
  const auto deadline = Clock::now() + timeout;
  while (started.url_.empty() && read_more(started.output_, said, deadline)) {
    started.url_ = line_after(said, "listening on ");
  }
  const auto reason = started.url_.empty() ? written_to(errors) : std::string{};
  ::close(errors);
  if (started.url_.empty()) {
    return spec::Unexpected{program.string() + " did not start:\n" + reason};
  }
  return started;
}

}  // namespace contract_tests::program
