#include "common/cudasim/profile/barrier_trace.h"

#include <algorithm>

namespace cudasim {

void BarrierTrace::Arrivals::Add(std::uint64_t clock) {
  first = threads == 0 ? clock : std::min(first, clock);
  last = std::max(last, clock);
  ++threads;
}

void BarrierTrace::Begin(std::uint64_t linear, unsigned warp_count) {
  *this = {};
  block = linear;
  ends.resize(warp_count);
}

void BarrierTrace::Arrive(const Site& site, unsigned warp, std::uint64_t clock) {
  if (!is_open_ && barriers.size() < kMostBarriers) {
    barriers.push_back({site, 0, std::vector<Arrivals>(ends.size())});
  }
  is_open_ = true;
  ++arrived_;
  sum_ += clock;
  if (released < kMostBarriers) barriers.back().warps[warp].Add(clock);
}

void BarrierTrace::Release(std::uint64_t clock) {
  if (released < barriers.size()) barriers[released].released = clock;
  ++released;
  waited += arrived_ * clock - sum_;
  is_open_ = false;
  arrived_ = sum_ = 0;
}

}  // namespace cudasim
