// Barriers in memory, as libcu++ and the mbarrier instructions have them: what their phases order,
// and the asynchronous copies that they complete.
//
// A wait goes on no earlier than the last arrival in the phase. A copy that is bound to a barrier
// is under way from its issue to the first wait after its phase is complete, whoever waits: in a
// block with specialised warps, those that copy do not wait for what they copy.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "common/cudasim/profile/copies_under_way.h"

namespace cudasim {

struct CheckedThread;

class MemoryBarriers {
 public:
  void BeginLaunch() { barriers_.clear(); }

  // `block` tells barriers in shared memory apart, and is 0 for one in global memory. The running
  // thread arrives, and is not one of the phase's later arrivals.
  void Arrive(const void* barrier, std::uint64_t block, CheckedThread& thread);
  void CompletePhase(const void* barrier, std::uint64_t block);
  // The running thread waits. Returns the sum over the bytes that have arrived of the time that
  // they were under way.
  std::uint64_t Wait(const void* barrier, std::uint64_t block, CheckedThread& thread);
  // The copies' times of issue are clocks of threads.
  void Bind(const void* barrier, std::uint64_t block, const CopyBatch& copies);

 private:
  struct Barrier {
    std::uint64_t latest = 0;  // clock of an arrival
    std::uint64_t floor = 0;   // the same of the last phase that is complete
    CopyBatch bound;
    CopyBatch arrived;
  };
  Barrier& At(const void* barrier, std::uint64_t block) { return barriers_[{barrier, block}]; }

  std::map<std::pair<const void*, std::uint64_t>, Barrier> barriers_;
};

// Of the running launch.
extern MemoryBarriers memory_barriers;

}  // namespace cudasim
