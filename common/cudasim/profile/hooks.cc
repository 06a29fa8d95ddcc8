// Profile mode's hooks: grids, blocks, threads, barriers, memory.
#include "common/cudasim/hooks/hooks.h"

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <unordered_map>

#include "common/cudasim/profile/call_samples.h"
#include "common/cudasim/profile/code.h"
#include "common/cudasim/profile/managed_pages.h"
#include "common/cudasim/profile/on_access.h"
#include "common/cudasim/profile/profile_report.h"
#include "common/cudasim/profile/tally.h"
#include "common/cudasim/profile/work_span.h"
#include "common/cudasim/runtime/dynamic/children.h"
#include "common/cudasim/runtime/memory/registered_memory.h"
#include "common/cudasim/runtime/memory/symbols.h"
#include "common/cudasim/runtime/streams/critical_path.h"
#include "common/cudasim/runtime/streams/timeline.h"

namespace cudasim {
namespace {

// What the running launch accesses on the host's side of the bus.
struct LaunchTraffic {
  static constexpr std::uintptr_t kWordBytes = sizeof(std::uint32_t);
  static constexpr std::uintptr_t kWords = 1 << 14;  // a group of them

  // Bytes of managed memory that the launch accesses for the first time.
  std::size_t MoveManaged(const Access& access) {
    const auto begin = reinterpret_cast<std::uintptr_t>(access.address);
    std::size_t moved = 0;
    for (auto word = begin / kWordBytes; word * kWordBytes < begin + access.bytes; ++word) {
      auto is_here = managed[word / kWords][word % kWords];
      if (!is_here) moved += kWordBytes;
      is_here = true;
    }
    return moved;
  }

  std::uint64_t bus_bytes = 0;  // of pinned or registered memory
  std::uint64_t page_faults = 0;
  std::unordered_map<std::uintptr_t, std::bitset<kWords>> managed;  // words accessed, in groups
};
LaunchTraffic launch_traffic;

constexpr std::uint64_t kBytesOfSector = 32;

const Allocation* OwnerOf(const void* address) {
  if (!DeviceHeap::Contains(address)) return nullptr;
  return DeviceHeap::Get().GranuleOwner(DeviceHeap::Offset(address) / DeviceHeap::kGranule);
}

unsigned WarpOf(const CheckedThread& thread, const CheckedBlock& block) {
  return static_cast<unsigned>(thread.warp - block.warps.data());
}

void ArriveInTrace(const Site& site, const CheckedThread& thread, CheckedBlock& block) {
  block.barriers.Arrive(site, WarpOf(thread, block), thread.clock());
}

void EndInTrace(const CheckedThread& thread, CheckedBlock& block) {
  block.barriers.End(WarpOf(thread, block), thread.clock());
}

void WakeAll(Block& block) {
  CheckedBlock& checked = *block.checked;
  for (unsigned i = 0; i < checked.count; ++i) WakeLanes(checked.warps[i], ~0u);
}

}  // namespace

void OnGridBegin(Grid& grid) {
  ReportAtExit();
  AnchorCode(reinterpret_cast<std::uintptr_t>(grid.loop));
  launch_traffic = {};
  current_profile = &ProfileOf(grid);
  launch_sectors.Clear();
  launch_block_chain.Clear();
  memory_waits.BeginLaunch();
  memory_barriers.BeginLaunch();
  useful_work.BeginLaunch(current_profile->thread_blocks(), current_profile->threads(),
                          grid.source.is_library);
  launch_chains = {};
  launch_atomic_chain = 0;
  BeginWorkSpan();
}

// A host's launch and the grids below it are one operation: what matters is by how much each makes
// it longer.
std::uint64_t LengthenPath(Grid& grid) {
  static std::uint64_t longest = 0;
  if (grid.as_child == nullptr) longest = 0;
  grid.over = (grid.as_child == nullptr ? 0 : grid.as_child->begins) + launch_work_span.span;
  const std::uint64_t before = longest;
  longest = std::max(longest, grid.over);
  return longest - before;
}

void OnGridEnd(Grid& grid) {
  const std::uint64_t span = LengthenPath(grid);
  ++current_profile->launches;
  if (grid.as_child != nullptr) ++current_profile->child_launches;
  current_profile->read_sectors += launch_sectors.read();
  current_profile->written_sectors += launch_sectors.written();
  current_profile->block_load_sectors += launch_sectors.loaded_by_blocks();
  current_profile->touched_sectors += launch_sectors.touched();
  current_profile->hottest_atomics += launch_sectors.hottest();
  current_profile->atomic_sectors += launch_sectors.atomic();
  current_profile->block_chain += launch_block_chain.longest();
  current_profile->sure_block_chain += launch_block_chain.surely();
  current_profile->block_chain_readers += launch_block_chain.most_readers();
  current_profile->longest_global_chain += launch_chains[0];
  current_profile->longest_shared_chain += launch_chains[1];
  current_profile->longest_atomic_chain += launch_atomic_chain;
  current_profile->work += launch_work_span.work;
  current_profile->span += launch_work_span.span;
  current_profile->busiest_thread += launch_work_span.busiest_thread;
  if (KeepsTraces()) NoteLaunchSample(grid, launch_work_span);
  useful_work.EndLaunch(launch_work_span.span, launch_sectors.read() * kBytesOfSector,
                        static_cast<std::size_t>(current_profile - Profiles().data()));
  NoteLaunch(launch_work_span.work, span);
  ChargeKernel(launch_work_span.work, span, launch_traffic.bus_bytes, launch_traffic.page_faults);
  current_profile = nullptr;
}

std::shared_ptr<const LaunchPoint> OnChildLaunch() {
  useful_work.NoteUseful(*current_fiber->checked);
  return nullptr;
}

void OnBlockBegin(Block& block) {
  if (block.checked == nullptr) block.checked = new CheckedBlock;  // lives as long as its block
  CheckedBlock& checked = *block.checked;
  checked.latest = checked.floor = checked.cluster_latest = checked.cluster_floor = 0;
  checked.next_thread.Begin(block.grid->block_extent);
  checked.count = (block.threads + kWarpLanes - 1) / kWarpLanes;
  if (KeepsTraces()) checked.barriers.Begin(block.linear, checked.count);
  if (checked.warps.size() < checked.count) checked.warps.resize(checked.count);
  for (unsigned i = 0; i < checked.count; ++i) {
    ResetWarp(checked.warps[i], block.threads - i * kWarpLanes);
    checked.warps[i].clock = launch_sectors.NewWarp();
    checked.warps[i].loads.Begin(current_profile->threads(),
                                 current_profile->threads() * current_profile->thread_blocks());
  }
}

void OnBlockEnd(Block& block) {
  const BarrierTrace& trace = block.checked->barriers;
  BarrierTrace& kept = current_profile->barrier_trace;
  if (!trace.barriers.empty() && (kept.barriers.empty() || trace.waited > kept.waited)) {
    kept = trace;
  }
}

void BeginCheckedThread() {
  memory_waits.Restore();
  Block& block = *CurrentBlock();
  const unsigned thread = block.next++;
  block.checked->next_thread.StartNext();
  if (current_fiber->checked == nullptr) current_fiber->checked = new CheckedThread;
  StartLane(block.checked->warps[thread / kWarpLanes], thread % kWarpLanes,
            *current_fiber->checked);
  useful_work.BeginThread(*current_fiber->checked, block.linear, thread);
  in_kernel = true;
}

void EndCheckedThread() {
  in_kernel = false;
  memory_waits.Restore();
  EndLane(*current_fiber->checked);
  AddThread(*current_fiber->checked, *CurrentBlock()->checked);
  if (KeepsTraces()) EndInTrace(*current_fiber->checked, *CurrentBlock()->checked);
  useful_work.EndThread(*current_fiber->checked, CurrentBlock()->linear);
  if (CurrentBlock()->blocked) ThreadReturnedLate();
}

void OnBarrierArrive(Block& block, const Site& site) {
  memory_waits.Restore();
  if (KeepsTraces()) ArriveInTrace(site, *current_fiber->checked, *block.checked);
  ArriveAtBarrier(*current_fiber->checked, *block.checked);
  QuietLane(*current_fiber->checked);
}

void OnBarrierRelease(Block& block) {
  ++current_profile->barriers;
  LeaveBarrier(*block.checked);
  if (KeepsTraces()) block.checked->barriers.Release(block.checked->floor);
  for (unsigned i = 0; i < block.checked->count; ++i) block.checked->warps[i].loads.AddBarrier();
  WakeAll(block);
}

void OnWarpArrive(Fiber& fiber) {
  memory_waits.Restore();
  fiber.checked->round = RoundOf(*fiber.checked);
  QuietLane(*fiber.checked);
}

void OnWarpRelease(Block& block, unsigned warp, unsigned mask, bool orders_memory) {
  if (orders_memory) ++current_profile->warp_barriers;
  WarpLanes& lanes = block.checked->warps[warp];
  MeetInWarp(lanes, mask);
  WakeLanes(lanes, mask);
}

void OnGridArrive(Fiber& fiber) {
  memory_waits.Restore();
  ArriveAtGridBarrier(*fiber.checked);
}

void OnGridSync(Block& block) {
  ++current_profile->barriers;
  LeaveGridBarrier(block);
  WakeAll(block);
}

void OnClusterArrive(Block& block, bool, bool) {
  memory_waits.Restore();
  ArriveAtClusterBarrier(*current_fiber->checked, *block.cluster);
}

void OnClusterSuspend(Fiber& fiber) { QuietLane(*fiber.checked); }

void OnClusterRelease(Cluster& cluster) {
  LeaveClusterBarrier(cluster);
  for (Block* const block : cluster.blocks) {
    if (block->arrived_in_cluster > 0) ++current_profile->barriers;
    for (Fiber* f = block->at_cluster_barrier.front(); f != nullptr; f = f->next) {
      WakeLanes(*f->checked->warp, 1u << f->checked->lane);
    }
  }
}

void OnClusterResume(Block& block) {
  AdvanceToClusterBarrier(*current_fiber->checked, *block.cluster);
}

void OnFence(bool) {}
void OnKernelResumed() { memory_waits.Restore(); }
void OnSweep(SweepEvent event) { SweepTree(event, *current_fiber->checked); }
void OnNoProgress() {}
void OnHostWrite(const void*, std::size_t) {}

void OnAllocate(const Allocation& allocation) {
  if (!allocation.pinned) CountAllocation();
  if (!allocation.managed && !allocation.pinned) return;
  const std::size_t begin = DeviceHeap::Offset(allocation.begin);
  OffsetSpan& span = account_spans.host_visible;
  const std::size_t first = span.bytes == 0 ? begin : std::min(begin, span.begin);
  const std::size_t last = std::max(begin + allocation.bytes, span.begin + span.bytes);
  span = {first, last - first};
}

void OnCachedRead(const char*, std::size_t, const void*, bool) {}
void OnWatchInput(const Allocation&) {}

void OnCallBegin() {
  BeginCallSample();
  useful_work.BeginCall();
}

void OnCallEnd() {
  useful_work.EndCall();
  if (KeepsTraces()) EndCallSample();
}

void OnCopied(const void* to, const void* from, std::size_t bytes) {
  const bool from_device = from != nullptr && DeviceHeap::Contains(from);
  const std::size_t source = from_device ? DeviceHeap::Offset(from) : UsefulWork::kHost;
  const Allocation* const owner = OwnerOf(to);
  const bool to_device = owner != nullptr && !owner->host_may_use();
  useful_work.Copy(to_device ? DeviceHeap::Offset(to) : UsefulWork::kHost, source, bytes);
}

void OnFree(const Allocation& allocation) {
  if (allocation.managed) AccountManagedFree(allocation);
  AccountFree(allocation.begin, allocation.bytes);
  if (allocation.managed) ForgetPages(allocation);
}

void OnPrefetch(const void* begin, std::size_t bytes, bool to_device) {
  const Allocation* const owner = OwnerOf(begin);
  const auto* const first = static_cast<const char*>(begin);
  const std::uint64_t moved =
      owner != nullptr && owner->managed ? MovePages(*owner, first, bytes, to_device) : 0;
  ChargePrefetch(to_device, moved);
}

void NoteHostVisible(const Access& access) {
  const Allocation* const owner = OwnerOf(access.address);
  if (owner != nullptr && owner->managed) {
    if (TouchPage(*owner, access.address, true)) ++launch_traffic.page_faults;
  } else if (owner != nullptr ? owner->pinned : IsRegisteredMemory(access.address, access.bytes)) {
    launch_traffic.bus_bytes += access.bytes;
  } else if (!IsManagedVariable(access.address, access.bytes)) {
    return;
  }
  const bool in_heap = DeviceHeap::Contains(access.address);
  if (access.writes() && in_heap) {
    useful_work.Copy(UsefulWork::kHost, DeviceHeap::Offset(access.address), access.bytes);
  } else if (access.writes()) {
    useful_work.NoteUseful(*current_fiber->checked);
  }
  const bool is_managed = owner != nullptr ? owner->managed : IsManagedVariable(access.address, 1);
  const std::size_t moved = is_managed ? launch_traffic.MoveManaged(access) : access.bytes;
  AccountHostMemory(access, is_managed, moved);
}

void NoteHostAccess(const Access& access) {
  AccountHostAccess(access.address, access.bytes, access.writes(), access.pc);
  const Allocation* const owner = OwnerOf(access.address);
  const bool faults =
      owner != nullptr && owner->managed && TouchPage(*owner, access.address, false);
  ChargeHostAccess(access.bytes, faults);
}

void LetOthersRun(Polls& polls, const Access& poll) {
  const LeaveKernel leave;
  CheckedThread& thread = *current_fiber->checked;
  if (thread.awaited == poll.address) UndoWait(thread);
  UndoPolls(thread);
  memory_waits.LetOthersRun(polls.FirstPlace(poll.address), poll);
}

// Counters of accesses count a copy when it is issued.
void CommitCopies() {
  if (in_kernel) current_fiber->checked->copies.Commit();
}
void WaitForCopies(unsigned but) {
  if (!in_kernel) return;
  CheckedThread& thread = *current_fiber->checked;
  current_profile->copied_byte_operations += thread.copies.Wait(but, thread.operations);
}
void BindCopies(const void* barrier) {
  if (!in_kernel) return;
  const LeaveKernel leave;
  CheckedThread& thread = *current_fiber->checked;
  CopyBatch copies = thread.copies.Take();
  copies.issued += copies.bytes * (thread.clock() - thread.operations);
  memory_barriers.Bind(barrier, BlockOfWord(barrier), copies);
}
void CompletePhase(const void* barrier) {
  if (!in_kernel) return;
  const LeaveKernel leave;
  memory_barriers.CompletePhase(barrier, BlockOfWord(barrier));
}

}  // namespace cudasim
