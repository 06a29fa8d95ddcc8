// The counters of a kernel, by the names that the JSON and lab.toml use; counters.bzl lists them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/cudasim/profile/kernel_profile.h"
#include "common/cudasim/profile/occupancy.h"

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

// A counter is a number, or a word where `text` is not empty.
struct Counter {
  std::string name;
  double value = 0;
  std::string text;
};

// All counters, in a fixed order.
std::vector<Counter> CountersOf(const KernelProfile& profile);

// Counters that no one may grade on, each with the reason: not exact against the GPU.
struct NotGradable {
  const char* name;
  const char* reason;
};
const std::vector<NotGradable>& CountersNotGradable();

// a / b, and `otherwise` where b is 0.
double Ratio(double a, double b, double otherwise);

}  // namespace cudasim
