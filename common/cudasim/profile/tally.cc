// Counts the instructions of aligned lanes.
#include "common/cudasim/profile/tally.h"

#include <algorithm>
#include <bit>

#include "common/cudasim/include/cuda_runtime.h"
#include "common/cudasim/profile/align.h"
#include "common/cudasim/profile/target.h"
#include "common/cudasim/runtime/scheduler/block.h"
#include "common/cudasim/runtime/scheduler/shared_memory.h"

namespace cudasim {

KernelProfile* current_profile = nullptr;
CUDASIM_BEFORE_THE_PROGRAM SectorSet launch_sectors;
std::array<std::uint64_t, 2> launch_chains;
std::uint64_t launch_atomic_chain = 0;

namespace {

LineKind KindOf(const Event& event) {
  const bool shared = event.type == EventType::kShared;
  if (event.operation == Operation::kAtomic) {
    return shared ? LineKind::kSharedAtomic : LineKind::kGlobalAtomic;
  }
  if (event.operation == Operation::kWrite) {
    return shared ? LineKind::kSharedStore : LineKind::kGlobalStore;
  }
  return shared ? LineKind::kSharedLoad : LineKind::kGlobalLoad;
}

WarpAccess Gather(std::uint32_t lanes, const std::array<const Event*, kWarpLanes>& events) {
  const Event& first = *events[static_cast<unsigned>(std::countr_zero(lanes))];
  WarpAccess access;
  access.operation = first.operation;
  access.kind = first.kind;
  access.active = lanes;
  access.bytes = 0;
  access.result_used = false;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const Event& event = *events[lane];
    access.address[lane] = event.address;
    access.bytes = std::max<unsigned>(access.bytes, event.bytes);
    access.result_used = access.result_used || event.result_used;
    // The instruction for adding 1 is used only if every lane's addend is the constant 1.
    if (event.kind == AtomicKind::kAdd) access.kind = AtomicKind::kAdd;
  }
  return access;
}

void TouchSectors(const WarpAccess& access, WarpClock& clock, LineCounts& counts) {
  const std::uint64_t block = CurrentBlock()->linear;
  ForEachSector(access, [&](std::uint64_t sector) {
    const Reuse reuse = launch_sectors.Touch(sector, access.operation, block, clock);
    counts.near_sectors += reuse == Reuse::kNear ? 1 : 0;
    counts.middle_sectors += reuse == Reuse::kMiddle ? 1 : 0;
  });
}

void NoteSharedVariable(std::uint64_t address) {
  const auto offset =
      static_cast<std::size_t>(reinterpret_cast<const char*>(address) - shared_arena);
  for (const PlacedVariable& placed : SharedVariables()) {
    if (offset >= placed.offset && offset < placed.offset + placed.variable.bytes) {
      current_profile->shared_variables.insert(placed.offset);
    }
  }
}

// Returns the wavefronts in shared memory.
unsigned CountCost(const WarpAccess& access, bool shared, WarpClock& clock, LineCounts& counts) {
  if (shared) {
    const SharedCost cost = CountShared(access);
    counts.wavefronts += cost.wavefronts;
    counts.ideal_wavefronts += cost.ideal_wavefronts;
    counts.sass_wavefronts += cost.sass_wavefronts;
    counts.worst_degree =
        std::max(counts.worst_degree, static_cast<double>(cost.wavefronts) / cost.ideal_wavefronts);
    return cost.wavefronts;
  }
  const GlobalCost cost = CountGlobal(access);
  counts.sectors += cost.sectors;
  counts.ideal_sectors += cost.ideal_sectors;
  counts.lines += cost.lines;
  TouchSectors(access, clock, counts);
  return 0;
}

// Counts the passes of an atomic operation; returns their number.
unsigned CountPasses(const WarpAccess& access, unsigned wavefronts, bool is_combined,
                     LineCounts& counts) {
  if (wavefronts > 0) {
    const bool is_float = access.kind == AtomicKind::kFloatAdd;
    if (is_float || access.bytes > 4) counts.spinning += wavefronts;
    return wavefronts;
  }
  const AtomicPasses passes = PassesOf(access);
  for (unsigned i = 0; i < (is_combined ? 1 : passes.count); ++i) {
    launch_sectors.AddAtomicPass(passes.sector[i]);
  }
  return passes.count;
}

// `wavefronts` in shared memory; 0: global memory.
void CountAtomic(WarpLoads& loads, const WarpAccess& access, unsigned wavefronts,
                 Instruction& instruction) {
  LineCounts& counts = instruction.counts;
  const auto lanes = static_cast<unsigned>(std::popcount(access.active));
  const unsigned contended = MostContended(access);
  counts.contended += contended;
  if (access.kind == AtomicKind::kFloatAdd) counts.float_lanes += lanes;
  if (contended < lanes) {
    instruction.is_uniform = false;
    counts.combined_lanes = counts.combined_passes = 0;
  }
  const bool is_combined = instruction.is_uniform && IsCombinable(access);
  const unsigned passes = CountPasses(access, wavefronts, is_combined, counts);
  counts.passes += passes;
  if (is_combined) {
    counts.combined_lanes += lanes - 1;
    counts.combined_passes += passes - 1;
  }
  // Only of an addition it is known that its result is not used; others are mostly used but for
  // those that combine.
  if (wavefronts == 0 && access.result_used && access.kind != AtomicKind::kCombine) {
    launch_atomic_chain = std::max(launch_atomic_chain, loads.AddAtomic());
  }
}

void FollowLoads(WarpLoads& loads, const WarpAccess& access, bool shared,
                 Instruction& instruction) {
  if (access.operation != Operation::kRead) {
    loads.AddStore(shared);
    return;
  }
  instruction.counts.waits.Add(loads.AddLoad(instruction.load, access, shared));
  std::uint64_t& longest = launch_chains[shared ? 1 : 0];
  longest = std::max(longest, loads.dependent()[shared ? 1 : 0]);
}

// What the requests have cost so far.
RequestCost CostSoFar(LineKind kind, const LineCounts& counts) {
  switch (kind) {
    case LineKind::kGlobalLoad:
    case LineKind::kGlobalStore:
      return {counts.sectors, counts.ideal_sectors};
    case LineKind::kGlobalAtomic:
      return {counts.contended, counts.requests};
    default:
      return {counts.wavefronts, counts.ideal_wavefronts};
  }
}

// `cost` of this request.
void KeepSample(const WarpLanes& warp, const WarpAccess& access, RequestCost cost,
                RequestSamples& samples) {
  static std::uint64_t requests = 0;
  ++requests;
  RequestSample* const sample = samples.Count(cost);
  if (sample == nullptr) return;
  const Block& block = *CurrentBlock();
  sample->order = requests;
  sample->block = block.linear;
  sample->warp = static_cast<unsigned>(&warp - block.checked->warps.data());
  sample->access = access;
  sample->offset = OffsetInAllocation(LowestAddress(access));
}

void CountAccess(WarpLanes& warp, const WarpAccess& access, const Event& first) {
  const LineKind kind = KindOf(first);
  const bool shared = first.type == EventType::kShared;
  const std::uint64_t key = std::uint64_t{first.pc} << 8 | static_cast<std::uint64_t>(kind);
  Instruction& instruction = current_profile->instructions[key];
  if (instruction.counts.requests == 0) {
    instruction.pc = first.pc;
    instruction.kind = kind;
    if (access.operation == Operation::kRead) instruction.load = current_profile->loads++;
    instruction.target = DescribeTarget(first.address);
    if (shared) NoteSharedVariable(first.address);
  }
  LineCounts& counts = instruction.counts;
  const RequestCost before = CostSoFar(kind, counts);
  ++counts.requests;
  counts.lanes += static_cast<unsigned>(std::popcount(access.active));
  counts.bytes = std::max(counts.bytes, access.bytes);
  counts.strides.Add(access);
  warp.clock.BeginRequest(first.pc);
  const unsigned wavefronts = CountCost(access, shared, warp.clock, counts);
  if (access.operation == Operation::kAtomic) {
    CountAtomic(warp.loads, access, wavefronts, instruction);
  }
  FollowLoads(warp.loads, access, shared, instruction);
  if (!KeepsSamples()) return;
  const RequestCost after = CostSoFar(kind, counts);
  KeepSample(warp, access, {after.taken - before.taken, after.ideal - before.ideal},
             counts.samples);
}

}  // namespace

void OnInstruction(WarpLanes& warp, std::uint32_t lanes,
                   const std::array<const Event*, kWarpLanes>& events) {
  if (lanes == 0) __builtin_unreachable();  // g++ 14 warns of events[32]
  const Event& first = *events[static_cast<unsigned>(std::countr_zero(lanes))];
  if (first.type == EventType::kBlock) {
    warp.loads.EnterBlock(lanes);
    warp.branches.Enter(first.pc, lanes, current_profile->blocks);
  } else if (first.type == EventType::kDistributed) {
    ++current_profile->distributed_requests;
  } else if (first.type == EventType::kConstant) {
    ++current_profile->constant_requests;
    current_profile->constant_passes += CountConstant(Gather(lanes, events));
  } else if (first.type != EventType::kWait) {
    CountAccess(warp, Gather(lanes, events), first);
  }
}

}  // namespace cudasim
