// Reads of uninitialised device or shared memory.
//
// Where a barrier is missing between a write and a read, the reader may happen to run first, and
// its read is of uninitialised memory before it is a race.  Such reads are therefore reported at
// the end of the launch, and only if their code is not part of a reported race.
#pragma once

#include "common/cudasim/check/check_access.h"

namespace cudasim {

// Keeps the first such read of each code address, and counts the others.
void NoteUninitialisedRead(const Access& access);

// The code at `pc` is part of a race that is reported.
void BlameRaceFor(const void* pc);

// At the end of a launch: reports the kept reads that no race explains.  May not return.
void ReportUninitialisedReads();

}  // namespace cudasim
