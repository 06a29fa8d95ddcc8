// What counters, estimates and advice are made of: a kernel's counts, added up.
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

// Work over span: how many operations can go on at a time, on average over the longest chain.
double ParallelismOf(const KernelProfile& profile);

// a / b, and `otherwise` where b is 0.
double Ratio(double a, double b, double otherwise);

}  // namespace cudasim
