// Preloaded into the program: once it has accepted its first connection, one in twenty allocations
// of each thread fails, the same ones for the same course of requests.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <new>
#include <sys/socket.h>

namespace {

constexpr std::uint32_t kOneIn = 20;

bool has_begun = false;
thread_local std::uint32_t random = 1;

bool fails() {
  if (!has_begun) {
    return false;
  }
  random = random * 1103515245U + 12345U;
  return (random >> 8U) % kOneIn == 0;
}

}  // namespace

void* operator new(std::size_t bytes) {
  void* const memory = fails() ? nullptr : std::malloc(bytes);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  return memory;
}

// NOLINTNEXTLINE(readability-identifier-naming): the system's name
extern "C" int accept4(int socket, sockaddr* address, socklen_t* size, int flags) {
  using Accept = int (*)(int, sockaddr*, socklen_t*, int);
  static const auto real = reinterpret_cast<Accept>(dlsym(RTLD_NEXT, "accept4"));
  const int accepted = real(socket, address, size, flags);
  has_begun = has_begun || accepted >= 0;
  return accepted;
}
