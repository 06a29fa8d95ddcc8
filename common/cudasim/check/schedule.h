// Lets other threads run between a thread's look at a word and its write of the word.
//
// The same before a write that may be a flag, in a launch without fences: others then wait for it.
//
// A look and a write that are atomic each, not together, lose what another thread writes in
// between. Threads that run one after the other never meet that way, so now and then others run
// before such a write: a legal schedule, chosen by the seed CUDASIM_SCHEDULE.  The seed decides
// all: the same program takes the same schedule.  That another thread came is no finding, as the
// result may be right all the same; it explains a wrong one.
#pragma once

#include "common/cudasim/check/check_access.h"
#include "common/cudasim/check/shadow_cell.h"
#include "common/cudasim/include/cuda_runtime.h"

namespace cudasim {

// A thread's write of a word that another thread has changed since the thread looked at it.
struct StaleWrite {
  Access access{};
  ThreadId thread = kNoThread;  // kNoThread: there is none
  const void* looked_at = nullptr;
  ThreadId changed_by = kNoThread;  // kNoThread: unknown
  unsigned long long changed_to = 0;
  bool replaces = false;  // forgets what it replaces
};

struct Schedule {
  unsigned long long state = 0;  // of the random numbers
  unsigned steps = 0;            // of this launch at which others might have run
  unsigned volatile_steps = 0;   // the first of them that are volatile writes
  unsigned switches = 0;         // at which they have
  unsigned pauses = 0;           // of threads that poll
  StaleWrite stale;              // whose new value is not known yet
};

extern Schedule schedule __attribute__((visibility("hidden")));

// At the begin of a launch.
void BeginSchedule();

// To be called in a kernel before and after the check of an atomic or volatile access, before it
// happens.  Others may run in BeforeWrite().
void BeforeWrite(const Access& access, AtomicKind kind);
void AfterLook(const Access& access);

// The result of the running thread's last atomic operation is not used.
void NoteResultUnused();

// To be called before other threads run, and when the thread returns.
void SettleStaleWrite();

// Prints what may explain a finding or a wrong result and was held back, because most programs that
// do it are right.  A program that exits with another status than 0 calls it at its end.
void TellStaleWrites();

}  // namespace cudasim
