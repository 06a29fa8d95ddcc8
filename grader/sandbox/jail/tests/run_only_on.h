#pragma once

#include <sched.h>

namespace grader {

// Keeps the calling thread on `core`. Returns whether the kernel allows it.
inline bool RunOnlyOn(int core) {
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(core, &only);
  return sched_setaffinity(0, sizeof only, &only) == 0;
}

}  // namespace grader
