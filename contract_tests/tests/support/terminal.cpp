#include "contract_tests/tests/support/terminal.hpp"

#include "contract_tests/tests/support/child.hpp"

#include <array>
#include <cerrno>
#include <poll.h>
#include <pty.h>
#include <stdexcept>
#include <sys/ioctl.h>
#include <unistd.h>

namespace contract_tests::support {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kPatience(120);

}  // namespace

Terminal::Terminal(const std::string& program, const std::vector<std::string>& arguments,
                   const std::map<std::string, std::string>& environment, unsigned short columns) {
  const winsize size{.ws_row = 50, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
  int theirs = -1;
  if (::openpty(&end_, &theirs, nullptr, nullptr, &size) != 0) {
    throw std::runtime_error("no pseudo terminal");
  }
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  auto started = spec::process::Child::start({.words = std::move(words),
                                              .environment = environment_for(environment),
                                              .input = theirs,
                                              .output = theirs,
                                              .errors = theirs});
  ::close(theirs);
  if (!started) {
    throw std::runtime_error(started.error().message);
  }
  child_.emplace(std::move(started.value()));
}

Terminal::~Terminal() {
  ::close(end_);
}

void Terminal::resize(unsigned short columns) const {
  const winsize size{.ws_row = 50, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
  ::ioctl(end_, TIOCSWINSZ, &size);
}

void Terminal::signal(int number) const {
  child_->signal(number);
}

bool Terminal::wait_for(std::string_view words, std::size_t from) {
  const auto latest = Clock::now() + kPatience;
  while (written_.find(words, from) == std::string::npos) {
    if (Clock::now() > latest || read(std::chrono::milliseconds(100)) == Read::kEnd) {
      return false;
    }
  }
  return true;
}

int Terminal::end() {
  const auto latest = Clock::now() + kPatience;
  while (Clock::now() < latest && read(std::chrono::milliseconds(100)) != Read::kEnd) {
  }
  return child_->end(std::chrono::seconds(10)).value_or(-1);
}

int Terminal::end_by_repeating(int number) {
  const auto latest = Clock::now() + kPatience;
  do {
    child_->signal(number);
  } while (Clock::now() < latest && read(std::chrono::milliseconds(50)) != Read::kEnd);
  return child_->end(std::chrono::seconds(10)).value_or(-1);
}

Terminal::Read Terminal::read(std::chrono::milliseconds timeout) {
  pollfd ready{.fd = end_, .events = POLLIN, .revents = 0};
  if (::poll(&ready, 1, static_cast<int>(timeout.count())) <= 0) {
    return Read::kNothing;
  }
  std::array<char, 4096> bytes{};
  const auto got = ::read(end_, bytes.data(), bytes.size());
  if (got <= 0) {
    return got < 0 && errno == EINTR ? Read::kNothing : Read::kEnd;  // EIO: the other end is closed
  }
  written_.append(bytes.data(), static_cast<std::size_t>(got));
  return Read::kSome;
}

}  // namespace contract_tests::support
