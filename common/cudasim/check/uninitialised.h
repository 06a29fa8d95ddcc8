// Reads of device or shared memory that nobody has written.
//
// A barrier that is missing between a write and a read shows first as a read of nothing, because
// the reader happens to run first.  Such a read therefore waits until the launch ends, and is
// forgotten when its line turns out to be part of a race.
#pragma once

#include "common/cudasim/check/access.h"

namespace cudasim {

// Keeps the first such read of each line.
void NoteUninitialisedRead(const Access& access);

// The access of the code at `pc` is part of a race that is reported.
void BlameRaceFor(const void* pc);

// At the end of a launch: reports what was kept and is not explained.  May not return.
void ReportUninitialisedReads();

}  // namespace cudasim
