// The state that the fast path of every access reads.
#pragma once

#include <cstdint>

#include "common/cudasim/check/shadow_cell.h"
#include "common/cudasim/instrument/polling.h"

namespace cudasim {

struct CheckedBlock;
class Shadow;

// An address that disables the fast path when it stands for the begin of a memory.
constexpr std::uintptr_t kNowhere = std::uintptr_t{1} << 63;

struct Now {
  const CheckedBlock* block = nullptr;  // the running block
  ShadowCell stamp = 0;                 // epoch and index of the running thread
  Polls* polls = nullptr;               // of the running thread
  unsigned long long threads = 0;       // of the resident blocks
  unsigned long long idle_pauses = 0;   // polls since the last progress; see livelock.h
  bool watch_reads = false;             // plain reads also count as polls
  bool fences = false;                  // the launch has used a fence: atomics may release, acquire
  std::uintptr_t device_memory = 0;     // where it begins
  // Device memory, or kNowhere.  Accesses in cells below `launch` happened before the launch.
  std::uintptr_t heap_begin = 0;
  // The same while other streams' work is unordered with the launch; see uncontested.h.
  std::uintptr_t watched_heap_begin = kNowhere;
  ShadowCell* heap = nullptr;  // the latest access to each word
  Shadow* heap_shadow = nullptr;
  ShadowCell launch = 0;
  // Shared memory of the running block.  Accesses in cells from `block_begin` on, below
  // block_begin + before_barrier, happened before the block's last barrier.  Cells below
  // `block_begin` are of earlier blocks; even their initialised bytes are void.
  std::uintptr_t arena_begin = 0;
  ShadowCell* arena = nullptr;
  Shadow* arena_shadow = nullptr;
  ShadowCell block_begin = 0;
  ShadowCell before_barrier = 0;  // the last barrier's stamp, relative to block_begin
};

// One OS thread runs all kernels in check mode, so nothing is locked.
extern Now running __attribute__((visibility("hidden")));

}  // namespace cudasim
