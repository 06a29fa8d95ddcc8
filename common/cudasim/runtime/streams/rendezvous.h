// Threads that call one function at the same time, see cudasim/expect_callers.h.
#pragma once

namespace cudasim {

// Called by a thread that is about to wait for work, and that holds no lock.  Check mode: returns
// when all callers have called it or are done.
void MeetOtherCallers();

}  // namespace cudasim
