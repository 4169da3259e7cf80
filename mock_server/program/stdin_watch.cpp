#include "mock_server/program/stdin_watch.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <system_error>
#include <unistd.h>

namespace mock_server::program {

StdinWatch::StdinWatch() : stop_(eventfd(0, EFD_CLOEXEC)) {
  if (stop_ < 0) {
    throw std::system_error(errno, std::generic_category(), "cannot watch standard input");
  }
  // The thread inherits the mask: signals go to the threads that handle them.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::jthread([this] { watch(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

StdinWatch::~StdinWatch() {
  eventfd_write(stop_, 1);
  thread_.join();
  close(stop_);
}

void StdinWatch::watch() const {
  while (true) {
    std::array<pollfd, 2> files{pollfd{STDIN_FILENO, POLLIN, 0}, pollfd{stop_, POLLIN, 0}};
    const int ready = poll(files.data(), files.size(), -1);
    if (ready < 0 && errno != EINTR) {
      return;
    }
    if (files[1].revents != 0) {
      return;
    }
    std::array<char, 4096> unused{};
    const bool can_read = ready > 0 && files[0].revents != 0;
    const ssize_t count = can_read ? read(STDIN_FILENO, unused.data(), unused.size()) : 1;
    if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) {
      kill(getpid(), SIGTERM);
      return;
    }
  }
}

}  // namespace mock_server::program
