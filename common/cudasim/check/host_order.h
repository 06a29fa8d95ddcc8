// The host's accesses to managed and pinned memory, and those of work that it has not waited for.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/cudasim/check/check_access.h"

namespace cudasim {

// Host code accesses managed or pinned memory.  Reports a conflict with work that the host has not
// waited for, and records the access to compare it with work that has not run.
void CheckHostOrder(const Access& access, bool pinned);

// True if the host has accessed such memory since the operation of this number was submitted.
bool HostAccessedSince(std::uint64_t sequence);

// True if such an access may be unordered with the running kernel's to the range.
bool HasHostNote(const char* begin, std::size_t bytes);

// Compares an access of the running kernel with the host's accesses since its launch.
void CheckHostNotes(const Access& access);

}  // namespace cudasim
