// The epochs that have been used since they last restarted.
#pragma once

#include <vector>

#include "common/cudasim/check/no_destructor.h"
#include "common/cudasim/check/shadow_cell.h"

namespace cudasim {

struct CheckedBlock;

// The epochs from `first` up to the next run's belong to `block`.
struct EpochRun {
  Epoch first;
  unsigned block;
};

struct Epochs {
  Epoch last = 0;
  Epoch limit = kEpochLimit;                 // of one launch; smaller in tests
  NoDestructor<std::vector<EpochRun>> runs;  // of this launch
  NoDestructor<std::vector<CheckedBlock*>> blocks;
};

extern Epochs epochs __attribute__((visibility("hidden")));

}  // namespace cudasim
