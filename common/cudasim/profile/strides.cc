#include "common/cudasim/profile/strides.h"

#include <algorithm>

namespace cudasim {

namespace {

// Rows of a two-dimensional block break the pattern where they end.
bool Prevails(unsigned have_it, unsigned count) { return 4 * have_it >= 3 * count; }

// The usual case: all lanes are active, and the distance of the first two prevails.
bool FirstPrevails(const WarpAccess& access) {
  if (access.active != ~std::uint32_t{0}) return false;
  const std::uint64_t first = access.address[1] - access.address[0];
  unsigned have_it = 0;
  for (unsigned lane = 1; lane < kWarpLanes; ++lane) {
    have_it += access.address[lane] - access.address[lane - 1] == first ? 1 : 0;
  }
  return Prevails(have_it, kWarpLanes - 1);
}

}  // namespace

void Strides::Add(std::int64_t stride, std::uint64_t requests) {
  for (Count& count : counts_) {
    if (count.requests != 0 && count.stride != stride) continue;
    count = {stride, count.requests + requests};
    return;
  }
}

void Strides::Add(const WarpAccess& access) {
  if (FirstPrevails(access)) {
    ++requests_;
    return Add(static_cast<std::int64_t>(access.address[1] - access.address[0]), 1);
  }
  std::array<std::int64_t, kWarpLanes> distances;
  unsigned count = 0;
  unsigned before = kWarpLanes;  // the last active lane; kWarpLanes: none yet
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    if (!access.IsActive(lane)) continue;
    if (before < kWarpLanes) {
      const auto distance = static_cast<std::int64_t>(access.address[lane]) -
                            static_cast<std::int64_t>(access.address[before]);
      // A division takes longer than all the rest.
      distances[count++] = lane - before == 1 ? distance : distance / (lane - std::int64_t{before});
    }
    before = lane;
  }
  if (count == 0) return;
  ++requests_;
  std::int64_t candidate = 0;  // a majority, if there is one
  unsigned votes = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (votes == 0) candidate = distances[i];
    votes += distances[i] == candidate ? 1 : -1;
  }
  const auto have_it = std::count(distances.begin(), distances.begin() + count, candidate);
  if (Prevails(static_cast<unsigned>(have_it), count)) Add(candidate, 1);
}

void Strides::Add(const Strides& other) {
  requests_ += other.requests_;
  for (const Count& count : other.counts_) {
    if (count.requests != 0) Add(count.stride, count.requests);
  }
}

const Strides::Count& Strides::Most() const {
  return *std::max_element(counts_.begin(), counts_.end(),
                           [](const Count& a, const Count& b) { return a.requests < b.requests; });
}

bool Strides::IsRegular() const { return requests_ > 0 && 2 * Most().requests >= requests_; }

std::int64_t Strides::Typical() const { return Most().stride; }

}  // namespace cudasim
