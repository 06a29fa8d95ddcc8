// Order between threads that fences with atomic or volatile accesses make.
//
// Release: a thread that has fenced writes an address atomically.  Acquire: a thread reads such an
// address atomically; the second fence that strict models ask for is not demanded.
#pragma once

#include "common/cudasim/check/access.h"

namespace cudasim {

// An atomic or volatile access of the current thread.
void SynchroniseThrough(const Access& access);

// Forgets all addresses: at the begin of a launch.
void ForgetReleases();

}  // namespace cudasim
