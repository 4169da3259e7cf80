// Preloaded into a server: its wall clock is off by as many seconds as the file that
// COUNTERPART_CLOCK names holds, a number that a test changes while the server runs. Other clocks
// are left alone, as when somebody sets the machine's time.

#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {

const volatile std::int64_t* shared_offset() {
  static const std::int64_t none = 0;
  const char* const path = std::getenv("COUNTERPART_CLOCK");
  const int file = path == nullptr ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  void* const memory =
      file < 0 ? MAP_FAILED : mmap(nullptr, sizeof none, PROT_READ, MAP_SHARED, file, 0);
  if (file >= 0) {
    close(file);
  }
  return memory == MAP_FAILED ? &none : static_cast<const std::int64_t*>(memory);
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the system's name
extern "C" int clock_gettime(clockid_t clock, timespec* time) {
  static const auto next =
      reinterpret_cast<int (*)(clockid_t, timespec*)>(dlsym(RTLD_NEXT, "clock_gettime"));
  static const volatile std::int64_t* const offset = shared_offset();
  const int result = next(clock, time);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    time->tv_sec += *offset;
  }
  return result;
}

// NOLINTNEXTLINE(readability-identifier-naming): the system's name
extern "C" time_t time(time_t* to) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (to != nullptr) {
    *to = now.tv_sec;
  }
  return now.tv_sec;
}
