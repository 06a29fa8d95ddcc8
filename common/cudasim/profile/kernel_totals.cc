#include "common/cudasim/profile/kernel_totals.h"

#include "common/cudasim/runtime/scheduler/shared_memory.h"

namespace cudasim {
namespace {

std::uint64_t SharedBytes(const KernelProfile& profile) {
  std::uint64_t bytes = 0;
  for (const PlacedVariable& placed : SharedVariables()) {
    if (profile.shared_variables.contains(placed.offset)) bytes += placed.variable.bytes;
  }
  return bytes;
}

// A library's algorithm runs in one thread here, and each access for itself; on a GPU neighbouring
// threads take neighbouring elements.
LineCounts AsCoalesced(LineCounts counts) {
  constexpr std::uint64_t kLanes = 32;
  constexpr std::uint64_t kSectorBytes = 32;
  counts.sectors = (counts.requests * counts.bytes + kSectorBytes - 1) / kSectorBytes;
  counts.ideal_sectors = counts.sectors;
  counts.requests = (counts.requests + kLanes - 1) / kLanes;
  return counts;
}

}  // namespace

double Ratio(double a, double b, double otherwise) { return b == 0 ? otherwise : a / b; }

LineCounts KernelTotals::All() const {
  LineCounts all;
  for (const LineCounts& counts : by_kind) all.Add(counts);
  return all;
}

std::uint64_t PassesOf(const LineCounts& atomics) {
  return atomics.passes - atomics.combined_passes;
}

KernelTotals TotalsOf(const KernelProfile& profile) {
  KernelTotals totals;
  for (const auto& [key, instruction] : profile.instructions) {
    const LineCounts& counts = instruction.counts;
    totals.by_kind[static_cast<unsigned>(instruction.kind)].Add(
        profile.source.is_library ? AsCoalesced(counts) : counts);
  }
  for (const auto& [pc, block] : profile.blocks) {
    totals.block_runs += block.runs;
    if (!block.branches) continue;
    totals.branches += block.runs;
    totals.divergent_branches += block.divergent;
  }
  totals.static_shared_bytes = SharedBytes(profile);
  return totals;
}

double ParallelismOf(const KernelProfile& profile) {
  return Ratio(static_cast<double>(profile.work), static_cast<double>(profile.span), 0);
}

}  // namespace cudasim
