#include "mock_server/program/signal_watch.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace mock_server::program {

namespace {

using std::chrono::milliseconds;

constexpr std::int64_t kNanosecondsInSecond = 1'000'000'000;

sigset_t caught_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGHUP);
  return set;
}

bool has_terminal() {
  const int terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
  if (terminal >= 0) {
    close(terminal);
  }
  return terminal >= 0;
}

// The next signal of `set`; 0 when `stop` ends the watch instead.
int next_signal(const sigset_t& set, const std::stop_token& stop) {
  int signal = 0;
  return sigwait(&set, &signal) == 0 && !stop.stop_requested() ? signal : 0;
}

}  // namespace

SignalWatch::SignalWatch() {
  const sigset_t set = caught_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::signal(SIGPIPE, SIG_IGN);

  struct sigaction before {};

  sigaction(SIGHUP, nullptr, &before);
  ends_with_terminal_ = before.sa_handler != SIG_IGN && has_terminal();
}

SignalWatch::~SignalWatch() {
  end_watch();
}

void SignalWatch::listen(transport::Listener& listener, Reloader& reloader, milliseconds grace) {
  watch([this, &listener, &reloader, grace](const std::stop_token& stop) {
    const sigset_t set = caught_signals();
    while (const int signal = next_signal(set, stop)) {
      if (signal == SIGHUP && !(ends_with_terminal_ && !has_terminal())) {
        reloader.request_reload();
      } else {
        is_ending_.store(true);
        listener.stop();
        has_stopped_.store(true);
        has_stopped_.notify_all();
        exit_at_signal_or_after(stop, grace + kAfterGrace, 0);
        return;
      }
    }
  });
}

void SignalWatch::stop_on_signal(transport::Listener& listener) {
  watch([&listener](const std::stop_token& stop) {
    const sigset_t set = caught_signals();
    while (next_signal(set, stop) != 0) {
      listener.stop();
    }
  });
}

void SignalWatch::exit_after_grace(int code) {
  watch([this, code](const std::stop_token& stop) {
    exit_at_signal_or_after(stop, kAfterGrace, code);
  });
}

void SignalWatch::exit_on_signal(int code) {
  watch([code](const std::stop_token& stop) {
    if (next_signal(caught_signals(), stop) != 0) {
      _exit(code);
    }
  });
}

void SignalWatch::watch(std::function<void(const std::stop_token&)> what) {
  end_watch();
  thread_ = std::jthread(std::move(what));
}

void SignalWatch::end_watch() {
  if (thread_.joinable()) {
    thread_.request_stop();
    pthread_kill(thread_.native_handle(), SIGTERM);
    thread_.join();
  }
}

void SignalWatch::exit_at_signal_or_after(const std::stop_token& stop, milliseconds time,
                                          int code) const {
  const sigset_t set = caught_signals();
  const auto begin = std::chrono::steady_clock::now();
  const auto end = begin + time;
  while (!stop.stop_requested()) {
    const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::max(end - std::chrono::steady_clock::now(), std::chrono::steady_clock::duration{}));
    const timespec wait{left.count() / kNanosecondsInSecond, left.count() % kNanosecondsInSecond};
    const int signal = sigtimedwait(&set, nullptr, &wait);
    const bool is_over = signal < 0 && errno == EAGAIN;
    if (!stop.stop_requested() && is_over && last_) {
      last_();
    }
    const bool is_second = (signal == SIGTERM || signal == SIGINT) &&
                           std::chrono::steady_clock::now() - begin >= kOneSignal;
    if (!stop.stop_requested() && (is_over || is_second)) {
      _exit(code);
    }
  }
}

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
