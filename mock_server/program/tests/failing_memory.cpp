// Preloaded into the program: once it has accepted its first connection, one in twenty allocations
// of the threads that serve fails, the same ones for the same course of requests.

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <sys/prctl.h>
#include <sys/socket.h>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
}

namespace {

constexpr std::uint32_t kOneIn = 20;

bool has_begun = false;
thread_local bool is_known = false;
thread_local bool serves = false;
thread_local std::uint32_t random = 1;

bool fails() {
  if (!has_begun) {
    return false;
  }
  if (!is_known) {
    char name[16] = {};
    prctl(PR_GET_NAME, name);
    serves = std::strncmp(name, "http-", 5) == 0;
    is_known = true;
  }
  if (!serves) {
    return false;
  }
  random = random * 1103515245U + 12345U;
  if ((random >> 8U) % kOneIn != 0) {
    return false;
  }
  errno = ENOMEM;
  return true;
}

}  // namespace

extern "C" {

void* malloc(std::size_t bytes) {
  return fails() ? nullptr : __libc_malloc(bytes);
}

void* calloc(std::size_t count, std::size_t bytes) {
  return fails() ? nullptr : __libc_calloc(count, bytes);
}

void* realloc(void* memory, std::size_t bytes) {
  return fails() ? nullptr : __libc_realloc(memory, bytes);
}

int accept4(int socket, sockaddr* address, socklen_t* size, int flags) {
  using Accept = int (*)(int, sockaddr*, socklen_t*, int);
  static const auto real = reinterpret_cast<Accept>(dlsym(RTLD_NEXT, "accept4"));
  const int accepted = real(socket, address, size, flags);
  has_begun = has_begun || accepted >= 0;
  return accepted;
}
}
