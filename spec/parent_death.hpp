#pragma once

// For programs that start others: a child that does not outlive the one that started it, however
// that ends, also by SIGKILL. Linux only. Called in the child between fork and exec: nothing here
// takes a lock or memory.

#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>

namespace spec {

// Has the system kill this process when the thread that forked it ends. `parent` is getpid() from
// before the fork. False when that is gone already: then the child should end at once.
inline bool die_with_parent(pid_t parent) {
  return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent;
}

}  // namespace spec
