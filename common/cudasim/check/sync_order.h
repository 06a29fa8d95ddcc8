// Happens-before by fences with atomic or volatile accesses.
//
// Release: a thread that has executed a fence writes an address atomically.  Acquire: a thread
// reads such an address atomically.  Strict memory models require a fence after this read, too; it
// may be left out here.
#pragma once

#include "common/cudasim/check/check_access.h"

namespace cudasim {

// An atomic or volatile access of the current thread.
void SynchroniseThrough(const Access& access);

// Clears the releases of all addresses, at the begin of a launch.
void ForgetReleases();

}  // namespace cudasim
