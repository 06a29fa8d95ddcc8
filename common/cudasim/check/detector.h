// The race detector's state.
//
// It is a happens-before detector like FastTrack (Flanagan and Freund, PLDI 2009) with the shadow
// cells of ThreadSanitizer (Serebryany and Iskhodzhanov, WBIA 2009; its second version): each
// 4-byte word of device and shared memory has up to four cells, each with the epoch and thread of
// an access (FastTrack's c@t).  Threads have no vector clock of their own until they need one:
// barriers order all threads of a block, which its last barrier's epoch tells; __syncwarp() gives
// lanes clocks of 32 entries; fences with atomics give threads sparse ones.
#pragma once

#include <cstddef>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/cudasim/check/code_table.h"
#include "common/cudasim/check/now.h"
#include "common/cudasim/check/race.h"
#include "common/cudasim/check/state.h"
#include "common/cudasim/runtime/diagnostics/report.h"

namespace cudasim {

// Made when it is first used, so that a kernel in a static initialiser finds it, and never
// destroyed, so that one in a destructor does.
template <class T>
class Lasting {
 public:
  T& operator*() {
    if (value_ == nullptr) value_ = new T;
    return *value_;
  }
  T* operator->() { return &**this; }

 private:
  T* value_ = nullptr;
};

// Epochs from `first` on belong to `block`, up to the next entry.
struct EpochRun {
  Epoch first;
  unsigned block;
};

// One OS thread runs check mode: nothing is locked.
struct RaceDetector {
  Now now;
  CheckedGrid grid;

  Epoch last_epoch = 0;
  Epoch epoch_limit = kEpochLimit;        // a launch cannot have more; smaller in tests
  Lasting<std::vector<EpochRun>> epochs;  // of this launch

  // What was known, by address, when it was last written with release.
  Lasting<std::unordered_map<const void*, VectorClock>> releases;

  // By the numbers of code_table.h.
  const void* places[kCodes] = {};  // null if unused
  bool compares[kCodes] = {};       // of compare-and-swaps
  bool volatiles[kCodes] = {};      // of volatile accesses, which are not atomic

  // A plain read that waits for a compare-and-swap that explains it; see HoldRead().
  bool read_is_held = false;
  Race held_read{};

  // The findings of this launch, by the later access's place and the earlier one's place and kind.
  Lasting<std::map<std::pair<const void*, ShadowCell>, FindingNumber>> reported;

  // True while the running kernel's accesses may conflict with another stream's work.
  bool watch_streams = false;

  std::size_t shadow_chunks = 0;  // in use
  Lasting<std::vector<CheckedBlock*>> blocks;
};

extern RaceDetector detector __attribute__((visibility("hidden")));

}  // namespace cudasim
