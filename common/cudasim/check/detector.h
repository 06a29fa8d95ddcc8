// The race detector's state.
//
// It is a happens-before detector like FastTrack (Flanagan and Freund, PLDI 2009) with the shadow
// cells of ThreadSanitizer (Serebryany and Iskhodzhanov, WBIA 2009; its second version): each
// 4-byte word of device and shared memory has up to four cells, each with the epoch and thread of
// an access (FastTrack's c@t).  Threads have no vector clock of their own until they need one:
// the epoch of a block's last barrier orders its threads; __syncwarp() gives lanes vector clocks of
// 32 entries; fences with atomics give threads sparse ones.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/cudasim/check/code_table.h"
#include "common/cudasim/check/now.h"
#include "common/cudasim/check/race.h"
#include "common/cudasim/check/schedule.h"
#include "common/cudasim/check/state.h"
#include "common/cudasim/check/sync_order.h"
#include "common/cudasim/check/uncontested.h"
#include "common/cudasim/runtime/diagnostics/report.h"

namespace cudasim {

// Constructed at its first use, because a static initialiser may launch a kernel, and never
// destroyed, because a destructor may.
template <class T>
class NoDestructor {
 public:
  T& operator*() {
    if (value_ == nullptr) value_ = new T;
    return *value_;
  }
  T* operator->() { return &**this; }

 private:
  T* value_ = nullptr;
};

constexpr unsigned kMaxInvalidBytes = 4096;  // an access, perhaps to a struct

// The epochs from `first` up to the next run's belong to `block`.
struct EpochRun {
  Epoch first;
  unsigned block;
};

// One OS thread runs all kernels in check mode, so nothing is locked.
struct RaceDetector {
  Now now;
  CheckedGrid grid;

  Epoch last_epoch = 0;
  Epoch epoch_limit = kEpochLimit;             // of one launch; smaller in tests
  NoDestructor<std::vector<EpochRun>> epochs;  // of this launch

  // By the address of a flag.
  NoDestructor<std::unordered_map<const void*, Release>> releases;

  // By the numbers of code_table.h.
  const void* places[kCodes] = {};   // code addresses; null if unused
  bool compares[kCodes] = {};        // the code is a compare-and-swap
  bool volatiles[kCodes] = {};       // the code is a volatile access, not an atomic one
  bool updates[kCodes] = {};         // a volatile write of a word that its thread has just read
  bool release_writes[kCodes] = {};  // a volatile write behind a fence
  // A volatile read of another word that the update with this code followed.
  unsigned short feeds[kCodes] = {};
  bool block_scope[kCodes] = {};  // the code is an atomic operation of block scope
  bool observes[kCodes] = {};     // the code is an atomic or volatile access that looks

  // A plain read whose race is held back until a compare-and-swap explains it; see HoldRead().
  bool read_is_held = false;
  Race held_read{};

  // A volatile write whose race is held back until the value is known that it writes; see
  // volatile_order.h.
  Race held_write{};
  unsigned held_write_bytes = 0;  // 0: none
  unsigned long long held_value = 0;

  Schedule schedule;

  // Invalid accesses of this launch, by code address.
  NoDestructor<std::map<const void*, FindingNumber>> bad_accesses;

  // An invalid write that is to be undone; see survive.h.
  char* invalid_write = nullptr;
  unsigned invalid_write_bytes = 0;  // 0: none
  char overwritten[kMaxInvalidBytes] = {};

  // Warnings, by the later access's code address and the earlier one's code number.
  NoDestructor<std::set<std::pair<const void*, unsigned>>> warned;

  // Races reported in this launch, by the later access's code address and the earlier one's code
  // number and kind.
  NoDestructor<std::map<std::pair<const void*, ShadowCell>, FindingNumber>> reported;

  // True while the running kernel's accesses may conflict with another stream's work.
  bool watch_streams = false;
  Uncontested uncontested;

  std::size_t shadow_chunks = 0;  // chunks of shadow memory in use
  NoDestructor<std::vector<CheckedBlock*>> blocks;
};

extern RaceDetector detector __attribute__((visibility("hidden")));

}  // namespace cudasim
