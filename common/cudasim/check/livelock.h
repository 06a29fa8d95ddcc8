// When all threads spin on memory that nobody changes, the launch has no end.
#pragma once

#include "common/cudasim/check/detector.h"

namespace cudasim {

void ForgetIdlePauses();

// Something happened that a waiting thread may have waited for.
inline void NoteProgress() {
  if (detector.now.idle_pauses != 0) ForgetIdlePauses();
}

// A plain access of the running thread, which may be all that it does.
void WatchPlainAccess(const Access& access);

}  // namespace cudasim
