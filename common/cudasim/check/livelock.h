// Detects launches in which all threads that are left poll memory that none of them changes.
#pragma once

#include "common/cudasim/check/now.h"

namespace cudasim {

// Resets the count of polls without progress.
void ForgetIdlePauses();

// A thread made progress, which may be what the polling threads wait for.
inline void NoteProgress() {
  if (running.idle_pauses != 0) ForgetIdlePauses();
}

// Treats a plain read of the running thread as a poll, and a plain write as progress.
void WatchPlainAccess(const Access& access);

}  // namespace cudasim
