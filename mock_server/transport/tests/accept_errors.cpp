// Preloaded into a server: its first calls of accept4 fail, each with the next of the errors that a
// system may report, before connections are taken as usual.

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <dlfcn.h>
#include <sys/socket.h>

namespace {

constexpr std::array kErrors = {ENFILE, EMFILE, ENOBUFS,  ENOMEM,       ECONNABORTED, EPROTO, EINTR,
                                ENONET, EPERM,  ENETDOWN, EHOSTUNREACH, ENFILE,       ENOBUFS};
std::atomic<std::size_t> calls{0};

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the system's name
extern "C" int accept4(int descriptor, sockaddr* address, socklen_t* size, int flags) {
  const std::size_t call = calls.fetch_add(1);
  if (call < kErrors.size()) {
    errno = kErrors.at(call);
    return -1;
  }
  static const auto next =
      reinterpret_cast<int (*)(int, sockaddr*, socklen_t*, int)>(dlsym(RTLD_NEXT, "accept4"));
  return next(descriptor, address, size, flags);
}
