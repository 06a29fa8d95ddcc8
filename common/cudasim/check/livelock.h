// Threads that spin: they let others run, and when all of them spin on memory that nobody changes,
// the launch has no end.
#pragma once

#include <cstring>

#include "common/cudasim/check/now.h"

namespace cudasim {

constexpr unsigned kMaxPolls = 32;

// The running thread has polled the same kMaxPolls times: others run.
void LetOthersRun(unsigned bytes);

// Before an atomic operation or a volatile read of `bytes` <= 8 bytes is looked at, so that what is
// learned from it belongs to the value it gets: if that is all that the thread does and the value
// stays as it is, it waits for another one.
inline void NotePoll(const void* address, unsigned bytes, const void* pc) {
  Polls& polls = *now.polls;
  if (polls.address != address) {  // perhaps no address that can be read
    polls = {address, 0, 0, pc, false};
    return;
  }
  unsigned long long value = 0;
  std::memcpy(&value, address, bytes < sizeof(value) ? bytes : sizeof(value));
  if (polls.value != value) {
    polls = {address, value, 0, pc, false};
  } else if (++polls.count >= kMaxPolls) {
    LetOthersRun(bytes);
  }
}

void ForgetIdlePauses();

// Something happened that a waiting thread may have waited for.
inline void NoteProgress() {
  if (now.idle_pauses != 0) ForgetIdlePauses();
}

}  // namespace cudasim
