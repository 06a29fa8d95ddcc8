// When the warps of a block arrive at its barriers, by the clocks of work_span.h.  Kept only if
// CUDASIM_PROFILE_SAMPLES is set.
#pragma once

#include <cstdint>
#include <vector>

#include "common/cudasim/include/cudasim/fiber.h"

namespace cudasim {

struct BarrierTrace {
  static constexpr std::size_t kMostBarriers = 64;  // whose arrivals are kept

  // The threads of a warp: their number, the earliest and the latest clock.
  struct Arrivals {
    std::uint64_t threads = 0;
    std::uint64_t first = 0;
    std::uint64_t last = 0;

    void Add(std::uint64_t clock);
  };
  struct Barrier {
    Site site;
    std::uint64_t released = 0;
    std::vector<Arrivals> warps;
  };

  void Begin(std::uint64_t linear, unsigned warp_count);
  void Arrive(const Site& site, unsigned warp, std::uint64_t clock);
  void Release(std::uint64_t clock);
  void End(unsigned warp, std::uint64_t clock) { ends[warp].Add(clock); }

  std::uint64_t block = 0;  // linear index
  std::vector<Barrier> barriers;
  std::vector<Arrivals> ends;  // of the warps, when they return
  std::uint64_t waited = 0;    // the sum over all threads and barriers
  std::uint64_t released = 0;  // barriers, those that are not kept included

 private:
  bool is_open_ = false;  // threads have arrived at the next barrier
  std::uint64_t arrived_ = 0;
  std::uint64_t sum_ = 0;  // of their clocks
};

}  // namespace cudasim
