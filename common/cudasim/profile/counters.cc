#include "common/cudasim/profile/counters.h"

#include "common/cudasim/profile/estimate.h"
#include "common/cudasim/runtime/shared_memory.h"

namespace cudasim {
namespace {

class List {
 public:
  void Add(const std::string& name, double value) { counters_.push_back({name, value, ""}); }
  void Add(const std::string& name, std::uint64_t value) { Add(name, static_cast<double>(value)); }
  void Add(const std::string& name, const char* text) { counters_.push_back({name, 0, text}); }

  void AddGlobal(const std::string& kind, const LineCounts& counts) {
    Add(kind + "_requests", counts.requests);
    Add(kind + "_sectors", counts.sectors);
    Add(kind + "_ideal_sectors", counts.ideal_sectors);
    AddGlobalRatios(kind, counts);
  }

  void AddGlobalRatios(const std::string& kind, const LineCounts& counts) {
    Add(kind + "_sectors_per_request", Ratio(counts.sectors, counts.requests, 0));
    Add(kind + "_efficiency", Ratio(counts.ideal_sectors, counts.sectors, 1));
  }

  void AddShared(const std::string& kind, const LineCounts& counts) {
    Add(kind + "_requests", counts.requests);
    Add(kind + "_wavefronts", counts.wavefronts);
    Add(kind + "_ideal_wavefronts", counts.ideal_wavefronts);
    Add(kind + "_conflict_degree", counts.worst_degree);
  }

  void AddAtomics(const std::string& kind, const LineCounts& counts, const char* cost,
                  std::uint64_t units) {
    Add(kind + "_requests", counts.requests);
    Add(kind + "_lanes", counts.lanes);
    Add(kind + cost, units);
    Add(kind + "_serialisation", Ratio(counts.contended, counts.requests, 0));
  }

  std::vector<Counter> Take() { return std::move(counters_); }

 private:
  std::vector<Counter> counters_;
};

LineCounts Sum(const KernelTotals& totals, LineKind first, LineKind second) {
  LineCounts sum = totals.Of(first);
  sum.Add(totals.Of(second));
  return sum;
}

void AddMemory(const KernelTotals& totals, List& list) {
  list.AddGlobal("global_load", totals.Of(LineKind::kGlobalLoad));
  list.AddGlobal("global_store", totals.Of(LineKind::kGlobalStore));
  list.AddGlobalRatios("global", Sum(totals, LineKind::kGlobalLoad, LineKind::kGlobalStore));
  list.AddShared("shared_load", totals.Of(LineKind::kSharedLoad));
  list.AddShared("shared_store", totals.Of(LineKind::kSharedStore));
  const LineCounts shared = Sum(totals, LineKind::kSharedLoad, LineKind::kSharedStore);
  list.Add("shared_wavefronts_per_request", Ratio(shared.wavefronts, shared.requests, 0));
  list.Add("shared_conflict_degree", shared.worst_degree);
  list.Add("shared_load_sass_wavefronts", totals.Of(LineKind::kSharedLoad).sass_wavefronts);
  const LineCounts& global_atomics = totals.Of(LineKind::kGlobalAtomic);
  list.AddAtomics("global_atomic", global_atomics, "_sectors", global_atomics.sectors);
  const LineCounts& shared_atomics = totals.Of(LineKind::kSharedAtomic);
  list.AddAtomics("shared_atomic", shared_atomics, "_wavefronts", shared_atomics.wavefronts);
}

void AddControl(const KernelProfile& profile, const KernelTotals& totals, List& list) {
  const LineCounts all = totals.All();
  list.Add("lanes_per_request", Ratio(all.lanes, all.requests, 0));
  list.Add("branches", totals.branches);
  list.Add("divergent_branches", totals.divergent_branches);
  list.Add("branch_efficiency", 1 - Ratio(totals.divergent_branches, totals.branches, 0));
  list.Add("work", profile.work);
  list.Add("span", profile.span);
  list.Add("thread_blocks", profile.thread_blocks());
  list.Add("barriers", profile.barriers);
  list.Add("warp_barriers", profile.warp_barriers);
  list.Add("memory_instructions", all.requests);
  list.Add("compulsory_read_bytes", profile.read_sectors * kSectorBytes);
  list.Add("compulsory_write_bytes", profile.written_sectors * kSectorBytes);
}

void AddModel(const KernelProfile& profile, const KernelTotals& totals, List& list) {
  const Occupancy occupancy =
      OccupancyOf(profile.threads(), totals.static_shared_bytes + profile.dynamic_bytes);
  list.Add("static_shared_bytes", totals.static_shared_bytes);
  list.Add("occupancy", occupancy.fraction);
  list.Add("occupancy_limit", occupancy.limit);
  list.Add("resident_blocks", std::uint64_t{occupancy.resident_blocks});
  const Estimate estimate = EstimateOf(profile, totals);
  list.Add("estimated_bound", estimate.bound);
  list.Add("estimated_cycles", estimate.cycles);
}

std::uint64_t SharedBytes(const KernelProfile& profile) {
  std::uint64_t bytes = 0;
  for (const PlacedVariable& placed : SharedVariables()) {
    if (profile.shared_variables.contains(placed.offset)) bytes += placed.variable.bytes;
  }
  return bytes;
}

}  // namespace

double Ratio(double a, double b, double otherwise) { return b == 0 ? otherwise : a / b; }

LineCounts KernelTotals::All() const {
  LineCounts all;
  for (const LineCounts& counts : by_kind) all.Add(counts);
  return all;
}

KernelTotals TotalsOf(const KernelProfile& profile) {
  KernelTotals totals;
  for (const auto& [key, instruction] : profile.instructions) {
    totals.by_kind[static_cast<unsigned>(instruction.kind)].Add(instruction.counts);
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

std::vector<Counter> CountersOf(const KernelProfile& profile) {
  const KernelTotals totals = TotalsOf(profile);
  List list;
  AddMemory(totals, list);
  AddControl(profile, totals, list);
  AddModel(profile, totals, list);
  return list.Take();
}

const std::vector<NotGradable>& CountersNotGradable() {
  // Never destroyed: the profile is written at the very end of the process.
  static const auto& list = *new std::vector<NotGradable>{
      {"lanes_per_request", "differs from ncu's ratio of lanes to instructions"},
      {"branches", "the compilers make different branches of the same source"},
      {"divergent_branches", "the compilers make different branches of the same source"},
      {"branch_efficiency", "the compilers make different branches of the same source"},
      {"global_atomic_requests", "nvcc may add up a warp's operations on one address by itself"},
      {"global_atomic_lanes", "nvcc may add up a warp's operations on one address by itself"},
      // The rule for 64 bits reproduces 18 one-warp probes; none measured float, or whole kernels.
      {"shared_atomic_wavefronts",
       "measured for integers only, and in single warps beyond 32 bits"},
      {"memory_instructions", "nvcc merges and leaves out accesses when it optimises"},
      {"estimated_bound", "an estimate"},
      {"estimated_cycles", "an estimate"},
  };
  return list;
}

}  // namespace cudasim
