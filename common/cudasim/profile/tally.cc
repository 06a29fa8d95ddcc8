// Counts the instructions of aligned lanes.
#include "common/cudasim/profile/tally.h"

#include <algorithm>
#include <bit>

#include "common/cudasim/profile/align.h"
#include "common/cudasim/profile/target.h"
#include "common/cudasim/runtime/scheduler/block.h"
#include "common/cudasim/runtime/scheduler/shared_memory.h"

namespace cudasim {

KernelProfile* current_profile = nullptr;
SectorSet launch_sectors;
std::array<std::uint64_t, 2> launch_chains;

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

void TouchSectors(const WarpAccess& access) {
  const std::uint64_t block = CurrentBlock()->linear;
  for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
    const std::uint64_t address = access.address[static_cast<unsigned>(std::countr_zero(rest))];
    const std::uint64_t last = (address + access.bytes - 1) / kSectorBytes;
    for (std::uint64_t s = address / kSectorBytes; s <= last; ++s) {
      launch_sectors.Touch(s, access.operation, block);
    }
  }
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

void CountCost(const WarpAccess& access, bool shared, LineCounts& counts) {
  if (shared) {
    const SharedCost cost = CountShared(access);
    counts.wavefronts += cost.wavefronts;
    counts.ideal_wavefronts += cost.ideal_wavefronts;
    counts.sass_wavefronts += cost.sass_wavefronts;
    counts.worst_degree =
        std::max(counts.worst_degree, static_cast<double>(cost.wavefronts) / cost.ideal_wavefronts);
  } else {
    const GlobalCost cost = CountGlobal(access);
    counts.sectors += cost.sectors;
    counts.ideal_sectors += cost.ideal_sectors;
    counts.lines += cost.lines;
    TouchSectors(access);
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

void CountAccess(WarpLoads& loads, const WarpAccess& access, const Event& first) {
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
  ++counts.requests;
  counts.lanes += static_cast<unsigned>(std::popcount(access.active));
  counts.bytes = std::max(counts.bytes, access.bytes);
  if (access.operation == Operation::kAtomic) {
    counts.contended += MostContended(access);
    if (access.kind == AtomicKind::kFloatAdd) {
      counts.float_lanes += static_cast<unsigned>(std::popcount(access.active));
    }
  }
  counts.strides.Add(access);
  CountCost(access, shared, counts);
  FollowLoads(loads, access, shared, instruction);
}

}  // namespace

void OnInstruction(WarpLanes& warp, std::uint32_t lanes,
                   const std::array<const Event*, kWarpLanes>& events) {
  if (lanes == 0) __builtin_unreachable();  // g++ 14 warns of events[32]
  const Event& first = *events[static_cast<unsigned>(std::countr_zero(lanes))];
  if (first.type == EventType::kBlock) {
    warp.loads.EnterBlock();
    warp.branches.Enter(first.pc, lanes, current_profile->blocks);
  } else if (first.type == EventType::kDistributed) {
    ++current_profile->distributed_requests;
  } else {
    CountAccess(warp.loads, Gather(lanes, events), first);
  }
}

}  // namespace cudasim
