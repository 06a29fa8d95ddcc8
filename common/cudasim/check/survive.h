// Going on behind an invalid access, with CUDASIM_CONTINUE=1, so that later bugs are found too.
#pragma once

#include "common/cudasim/instrument/access.h"

namespace cudasim {

constexpr unsigned kMaxInvalidBytes = 4096;  // an access, perhaps to a struct

// An invalid write that is to be undone.
struct InvalidWrite {
  char* address = nullptr;
  unsigned bytes = 0;  // 0: none
  char overwritten[kMaxInvalidBytes] = {};
};

extern InvalidWrite invalid_write __attribute__((visibility("hidden")));

// Returns if the program wants to go on after findings and the memory is mapped, or is device
// memory, which is then mapped: a read takes whatever is there, and what a write does to the memory
// is undone.  Else ends the launch.
void SurviveOrEndLaunch(const Access& access);

// Undoes the last invalid write.  Called before any other code may see the memory.
void UndoInvalidWrite();

}  // namespace cudasim
