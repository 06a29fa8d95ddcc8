#include "common/cudasim/check/sync_order.h"

#include <algorithm>
#include <cstring>

#include "common/cudasim/check/cluster_order.h"
#include "common/cudasim/check/code_table.h"
#include "common/cudasim/check/now.h"
#include "common/cudasim/check/state.h"
#include "common/cudasim/check/volatile_order.h"
#include "common/cudasim/check/warp_order.h"
#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/runtime/scheduler/shared_memory.h"

namespace cudasim {

constinit NoDestructor<std::unordered_map<const void*, Release>> releases;
namespace {

unsigned long long sync_steps = 0;

// In launches without fences only reports use the flags' history, so it is kept for few addresses.
constexpr std::size_t kMaxFlagsWithoutFences = 4096;
// Threads of a block whose fences before one barrier are told apart. Of more, all are taken to have
// fenced, so that clocks stay small.
constexpr unsigned kMaxFencedThreads = 32;

bool IsFailingSwap(const Access& access) {
  return access.expected != nullptr &&
         std::memcmp(access.address, access.expected, access.bytes) != 0;
}

// Blocks that run one after the other use the same addresses for their shared memory.
Release& OfThisBlock(const void* address, Release& release) {
  const Block* const owner = FindShared(address).owner;
  if (owner != nullptr && release.block != owner->checked->linear) {
    release = {};
    release.block = owner->checked->linear;
  }
  return release;
}

Release* FindRelease(const void* address) {
  const auto entry = releases->find(address);
  return entry == releases->end() ? nullptr : &OfThisBlock(address, entry->second);
}

Release* FindOrMakeRelease(const void* address) {
  if (!running.fences && releases->size() >= kMaxFlagsWithoutFences) {
    return FindRelease(address);
  }
  return &OfThisBlock(address, (*releases)[address]);
}

void RememberWrite(Release& release, const Access& access) {
  const CheckedThread& thread = ThisThread();
  const CheckedBlock& block = ThisBlock();
  const auto since_begin = [&](Epoch fence) { return fence >= block.begin ? fence : 0; };
  const SyncWrite write{ThisThreadId(),
                        block.current,
                        sync_steps,
                        block.last_barrier,
                        since_begin(thread.fence),
                        since_begin(thread.device_fence),
                        access.pc,
                        (access.order & kBlockScope) != 0,
                        (access.order & kReleases) != 0,
                        (access.order & kCombines) != 0};
  std::vector<SyncWrite>& writes = release.writes;
  const auto same = std::find_if(writes.rbegin(), writes.rend(),
                                 [&](const SyncWrite& w) { return w.thread == write.thread; });
  if (same != writes.rend()) writes.erase(std::prev(same.base()));
  if (writes.size() == Release::kMaxWrites) writes.erase(writes.begin());
  writes.push_back(write);
}

void RememberRead(const Access& access) {
  CheckedBlock& block = ThisBlock();
  const SyncRead read{ThisThreadId(),
                      access.address,
                      access.pc,
                      block.current,
                      sync_steps,
                      (access.order & kBlockScope) != 0,
                      (access.order & kAcquires) != 0};
  for (SyncRead& other : block.sync_reads) {
    if (other.address == read.address && other.thread == read.thread) {
      if (ThisThread().latest_read == read.address) {
        codes.awaits[CodeFor(other.pc)] = codes.awaits[CodeFor(read.pc)] = true;
      }
      other = read;
      return;
    }
  }
  block.sync_reads[block.next_sync_read] = read;
  block.next_sync_read = (block.next_sync_read + 1) % CheckedBlock::kSyncReads;
}

// What the current thread releases up to its epoch `until`, after the block's barrier `barrier`.
VectorClock ReleasedUntil(Epoch until, Epoch barrier) {
  const CheckedBlock& block = ThisBlock();
  VectorClock clock;
  clock.Join(block.linear, ThisThreadId(), {barrier, until});
  // Lanes may each fence, synchronise with __syncwarp(), and let one of them set the flag.
  JoinWarpClock(clock, block.current);
  JoinClusterClock(clock);
  clock.Join(ThisThread().clocks.known);
  clock.Join(block.clocks.known);
  return clock;
}

void Publish(Released& release, const Access& access) {
  const CheckedThread& thread = ThisThread();
  const CheckedBlock& block = ThisBlock();
  const bool releases = (access.order & kReleases) != 0;
  const bool block_scope = (access.order & kBlockScope) != 0;
  // A read-modify-write continues what it observes: a release sequence.  A write replaces it.
  if (access.operation == Operation::kWrite) {
    release.to_device.Clear();
    release.to_block.clear();
    release.has_several = false;
  }
  const bool fenced = thread.fence >= block.begin;
  const bool device_fenced = thread.device_fence >= block.begin;
  const Epoch device_until = releases ? block.current : thread.device_fence;
  const Epoch block_until = releases ? block.current : thread.fence;
  const bool to_device = !block_scope && (releases || device_fenced);
  if (to_device) {
    release.has_several |= !release.to_device.empty() && release.releaser != block.linear;
    release.releaser = block.linear;
    release.to_device.Join(
        ReleasedUntil(device_until, releases ? block.last_barrier : thread.fenced_barrier));
    release.to_device.Join(block.fenced);
  }
  if ((releases || fenced) && (!to_device || block_until > device_until)) {
    release.to_block[block.linear].Join(ReleasedUntil(block_until, block.last_barrier));
  }
}

void Observe(const Released& release, const Access& access) {
  CheckedThread& thread = ThisThread();
  const unsigned block = ThisBlock().linear;
  const bool counts = (access.order & kCounts) != 0;
  const bool acquires = (access.order & kAcquires) != 0;
  const auto join = [&](const VectorClock& clock, VectorClock& observed) {
    if (clock.empty()) return;
    thread.has_clocks = true;
    (acquires ? thread.clocks.known : observed).Join(clock);
    if (counts) thread.clocks.counted.Join(clock);
  };
  const auto own = release.to_block.find(block);
  if (own != release.to_block.end()) join(own->second, thread.clocks.in_block);
  const bool from_own_block = !release.has_several && release.releaser == block;
  if (from_own_block) {
    join(release.to_device, thread.clocks.in_block);
  } else if ((access.order & kBlockScope) == 0) {
    join(release.to_device, thread.clocks.in_device);
  } else {
    VectorClock part;
    part.JoinBlock(release.to_device, block);
    join(part, thread.clocks.in_block);
  }
}

// The current thread acquires what it, or its block before a barrier, has observed.
void Acquire(bool block_only) {
  CheckedThread& thread = ThisThread();
  const unsigned block = ThisBlock().linear;
  SyncClocks& own = thread.clocks;
  for (const SyncClocks* from : {&own, &ThisBlock().clocks}) {
    own.known.Join(from->in_block);
    block_only ? own.known.JoinBlock(from->in_device, block) : own.known.Join(from->in_device);
  }
  own.in_block.Clear();
  if (!block_only) own.in_device.Clear();
  if (!own.known.empty()) thread.has_clocks = true;
}

void BeginEpoch() {
  CheckedBlock& block = ThisBlock();
  block.current = NextEpoch(*CurrentBlock());
  RefreshNow();
}

}  // namespace

void ForgetReleases() {
  releases->clear();
  running.fences = false;
}

void ReleasePhase(const void* barrier) {
  if (Release* const release = FindRelease(barrier)) release->by_phase = release->now;
}

void ShareFences(Block& block) {
  CheckedBlock& checked = *block.checked;
  unsigned fenced = 0;
  const auto share = [&](const CheckedThread* thread) {
    if (thread == nullptr || thread->device_fence < checked.last_barrier) return;
    ++fenced;
    checked.fenced.Join(checked.linear, checked.first_thread + thread->in_block,
                        {checked.last_barrier, thread->device_fence});
  };
  for (Fiber* fiber = block.at_barrier.front(); fiber != nullptr; fiber = fiber->next) {
    share(fiber->checked);
  }
  share(current_fiber->checked);
  if (fenced < std::min(block.live, kMaxFencedThreads)) return;
  checked.fenced.Clear();
  checked.fenced.Join(checked.linear, checked.first_thread, {checked.current + 1, 0});
}

void OnFence(bool block_only) {
  in_kernel = false;  // allocations below are the simulator's, not the kernel's
  running.fences = true;
  CheckedThread& thread = ThisThread();
  thread.fence = ThisBlock().current;
  if (!block_only) {
    thread.device_fence = thread.fence;
    thread.fenced_barrier = ThisBlock().last_barrier;
  }
  Acquire(block_only);
  BeginEpoch();
  in_kernel = true;
}

void SynchroniseThrough(const Access& access) {
  const bool orders = (access.order & (kAcquires | kReleases)) != 0;
  if (orders) running.fences = true;
  ++sync_steps;
  const bool writes = access.writes() && !IsFailingSwap(access);
  if (access.operation != Operation::kWrite) {
    RememberRead(access);
    const Release* const release = FindRelease(access.address);
    if (release != nullptr && running.fences) {
      Observe((access.order & kOfPhase) != 0 ? release->by_phase : release->now, access);
    }
  }
  ThisThread().latest_read = access.operation == Operation::kWrite ? nullptr : access.address;
  if (!writes) return;
  Release* const release = FindOrMakeRelease(access.address);
  if (release == nullptr) return;
  if (running.fences) Publish(release->now, access);
  RememberWrite(*release, access);
  if ((access.order & kReleases) != 0) BeginEpoch();
}

bool IsObserved(ShadowCell cell) {
  const Epoch epoch = EpochOf(cell);
  const ThreadId thread = ThreadIdOf(cell);
  const unsigned block = BlockOf(thread);
  for (const SyncClocks* clocks : {&ThisThread().clocks, &ThisBlock().clocks}) {
    if (clocks->in_block.Includes(block, thread, epoch)) return true;
    if (clocks->in_device.Includes(block, thread, epoch)) return true;
  }
  return false;
}

bool IsCounted(ShadowCell cell) {
  const Epoch epoch = EpochOf(cell);
  const ThreadId thread = ThreadIdOf(cell);
  const unsigned block = BlockOf(thread);
  return ThisThread().clocks.counted.Includes(block, thread, epoch) ||
         ThisBlock().clocks.counted.Includes(block, thread, epoch);
}

}  // namespace cudasim
