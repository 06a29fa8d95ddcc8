// A kernel's counts summed by kind, for counters and advice.
#pragma once

#include <cstdint>

#include "common/cudasim/profile/kernel_profile.h"

namespace cudasim {

// Sums over all instructions of a kernel, by kind.
struct KernelTotals {
  LineCounts by_kind[kLineKinds];
  std::uint64_t branches = 0;
  std::uint64_t divergent_branches = 0;
  std::uint64_t block_runs = 0;  // basic blocks that warps ran
  std::uint64_t static_shared_bytes = 0;

  const LineCounts& Of(LineKind kind) const { return by_kind[static_cast<unsigned>(kind)]; }
  LineCounts All() const;
};

KernelTotals TotalsOf(const KernelProfile& profile);

// Work / span: the average number of operations that can run in parallel.
double ParallelismOf(const KernelProfile& profile);

// Passes of atomic operations that a compiler leaves.
std::uint64_t PassesOf(const LineCounts& atomics);

// a / b, and `otherwise` where b is 0.
double Ratio(double a, double b, double otherwise);

}  // namespace cudasim
