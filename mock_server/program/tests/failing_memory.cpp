// Preloaded into the program: once it has accepted its first connection, one in twenty allocations
// of each thread fails, the same ones for the same course of requests. Only those of C++: `malloc`
// called by `operator new`, which is in the program or in libstdc++.

#include <cstddef>
#include <cstdint>
#include <dlfcn.h>
#include <link.h>
#include <string_view>
#include <sys/socket.h>

namespace {

constexpr std::uint32_t kOneIn = 20;

bool has_begun = false;
// The initial-exec model: another would be allocated at its first use, by the malloc below.
[[gnu::tls_model("initial-exec")]] thread_local std::uint32_t random = 1;

struct Search {
  std::uintptr_t address;
  bool is_of_cpp;
};

int look_at_object(dl_phdr_info* object, std::size_t /*size*/, void* found) {
  Search& search = *static_cast<Search*>(found);
  for (int at = 0; at < object->dlpi_phnum; ++at) {
    const auto& part = object->dlpi_phdr[at];
    const std::uintptr_t begin = object->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD && search.address >= begin &&
        search.address - begin < part.p_memsz) {
      const std::string_view name = object->dlpi_name;
      search.is_of_cpp = name.empty() || name.find("libstdc++") != std::string_view::npos;
      return 1;
    }
  }
  return 0;
}

bool is_of_cpp(const void* caller) {
  Search search{reinterpret_cast<std::uintptr_t>(caller), false};
  dl_iterate_phdr(&look_at_object, &search);
  return search.is_of_cpp;
}

bool fails(const void* caller) {
  if (!has_begun) {
    return false;
  }
  random = random * 1103515245U + 12345U;
  return (random >> 8U) % kOneIn == 0 && is_of_cpp(caller);
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the system's name
extern "C" void* malloc(std::size_t bytes) noexcept {
  using Malloc = void* (*)(std::size_t);
  static const auto real = reinterpret_cast<Malloc>(dlsym(RTLD_NEXT, "malloc"));
  return fails(__builtin_return_address(0)) ? nullptr : real(bytes);
}

// NOLINTNEXTLINE(readability-identifier-naming): the system's name
extern "C" int accept4(int socket, sockaddr* address, socklen_t* size, int flags) {
  using Accept = int (*)(int, sockaddr*, socklen_t*, int);
  static const auto real = reinterpret_cast<Accept>(dlsym(RTLD_NEXT, "accept4"));
  const int accepted = real(socket, address, size, flags);
  has_begun = has_begun || accepted >= 0;
  return accepted;
}
