#include "common/cudasim/check/cluster_order.h"

#include <algorithm>
#include <array>

#include "common/cudasim/check/bad_access.h"
#include "common/cudasim/check/code_table.h"
#include "common/cudasim/check/launch_findings.h"
#include "common/cudasim/check/livelock.h"
#include "common/cudasim/check/now.h"
#include "common/cudasim/check/shadow_cells.h"
#include "common/cudasim/check/warp_order.h"
#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/runtime/diagnostics/symbolizer.h"

namespace cudasim {

// What the arrivals of a phase have released.
struct ClusterPhase {
  std::vector<Epoch> until;   // by rank and thread: its accesses up to this epoch
  std::vector<Epoch> before;  // by rank: the block's accesses below this epoch
  SyncClocks clocks;          // of other blocks, by fences with atomics
};

// A thread may have waited for the phase before the latest one, while others arrive for the next.
struct CheckedCluster {
  static constexpr unsigned kPhases = 3;
  std::array<ClusterPhase, kPhases> phases;
  bool has_begun = false;  // some thread has arrived

  ClusterPhase& At(unsigned phase) { return phases[phase % kPhases]; }
};

namespace {

constexpr unsigned kNoRank = ~0u;

unsigned RankOf(const Cluster& cluster, unsigned linear) {
  for (const Block* const block : cluster.blocks) {
    if (block->linear == linear) return block->rank;
  }
  return kNoRank;
}

// The phase that the running thread is to arrive for, and that it has waited for.
unsigned NextPhase(const Block& block) { return block.cluster->phases + 1; }
unsigned KnownPhase() { return std::max(ThisThread().cluster_phases, ThisBlock().cluster_phases); }

CheckedCluster& CheckedOf(Cluster& cluster) {
  if (cluster.checked == nullptr) cluster.checked = new CheckedCluster;  // never deleted, as blocks
  CheckedCluster& checked = *cluster.checked;
  if (!checked.has_begun) {
    checked.has_begun = true;
    ClusterPhase& first = checked.At(1);
    first.until.assign(cluster.blocks.size() * cluster.blocks.front()->threads, 0);
    first.before.assign(cluster.blocks.size(), 0);
    first.clocks.Clear();
  }
  return checked;
}

void JoinWhatIsKnown(SyncClocks& clocks, const SyncClocks& from) {
  clocks.known.Join(from.known);
  clocks.in_device.Join(from.in_device);
  clocks.counted.Join(from.counted);
}

// All of the block's threads wait, and none has returned: the barrier is one of the block, too.
bool IsBarrierOfBlock(const Block& block) {
  return block.live == block.threads && block.checked->waits_in_cluster == block.threads;
}

std::string NameOf(const Block& block) { return "block " + ToString(block.index); }

void ReportLifetime(const Access& access, ThreadId thread, const Block& owner,
                    const std::string& what, const std::string& advice) {
  if (CountedAgain(*launch_findings.bad_accesses, access.pc)) return;
  const Place place = Locate(access.pc);
  Finding finding{"shared_memory_lifetime",
                  DescribeKernel() + ", " + place.ToString() + ": " + Verb(access) +
                      " of shared memory of " + NameOf(owner) + ", " + what,
                  {DescribeThread(thread) + ": " + Verb(access) + " of " + Bytes(access.bytes),
                   "memory: " + DescribeSharedOf(owner, access), DescribeLaunch(), advice},
                  {{Verb(access), place, DescribeIndexOf(thread), DescribeBlockOf(thread)}}};
  launch_findings.bad_accesses->emplace(access.pc, Report(finding));
}

bool IsKnownToRun(const Block& owner) {
  if (KnownPhase() > 0 || EpochOf(running.launch) > owner.checked->begin) return true;
  const auto linear = static_cast<unsigned>(owner.linear);
  return ThisThread().clocks.known.Knows(linear) || ThisBlock().clocks.known.Knows(linear);
}

void ReportLate(const Access& access, ThreadId thread, const Block& owner) {
  ReportLifetime(access, thread, owner, "which may have returned by then",
                 "shared memory ends with its block: call cluster.sync() after the last access");
}

}  // namespace

void BeginCheckedCluster(Cluster& cluster) {
  if (cluster.checked != nullptr) cluster.checked->has_begun = false;
}

bool HappensBeforeInCluster(unsigned block, unsigned thread, Epoch epoch) {
  const unsigned known = KnownPhase();
  if (known == 0) return false;
  const Cluster& cluster = *CurrentBlock()->cluster;
  const unsigned rank = RankOf(cluster, block);
  if (rank == kNoRank) return false;
  const ClusterPhase& phase = cluster.checked->At(known);
  return epoch <= phase.until[rank * CurrentBlock()->threads + thread] ||
         epoch < phase.before[rank];
}

// For other clusters.  A block's threads count together, up to the first of them that arrived.
void JoinClusterClock(VectorClock& clock) {
  const unsigned known = KnownPhase();
  if (known == 0) return;
  const Cluster& cluster = *CurrentBlock()->cluster;
  const unsigned threads = CurrentBlock()->threads;
  const ClusterPhase& phase = cluster.checked->At(known);
  for (const Block* const block : cluster.blocks) {
    const auto first = phase.until.begin() + block->rank * threads;
    const Epoch all = *std::min_element(first, first + threads) + 1;
    clock.Join(static_cast<unsigned>(block->linear), block->checked->first_thread,
               {std::max(all, phase.before[block->rank]), 0});
  }
}

void NoteOutsideAccess(const Access& access, const Block& owner) {
  CheckedBlock& checked = *owner.checked;
  checked.is_shared_outside = true;
  if (!IsKnownToRun(owner)) {
    ReportLifetime(access, ThisThreadId(), owner, "which may not have begun yet",
                   "shared memory begins with its block: call cluster.sync() before the access");
  }
  if (owner.Finished()) {
    ReportLate(access, ThisThreadId(), owner);
    return;
  }
  const ShadowCell stamp = running.stamp;
  for (OutsideAccess& other : checked.outside) {
    if (other.access.pc != access.pc || other.block != ThisBlock().linear) continue;
    other = {access, stamp, ThisBlock().linear};
    return;
  }
  checked.outside.push_back({access, stamp, ThisBlock().linear});
}

void ForgetOrderedOutsideAccesses(CheckedBlock& block) {
  std::erase_if(block.outside, [](const OutsideAccess& one) { return HappensBefore(one.stamp); });
}

void ReportLateOutsideAccesses(const Block& block) {
  for (const OutsideAccess& one : block.checked->outside) {
    ReportLate(one.access, ThreadIdOf(one.stamp), block);
  }
  block.checked->outside.clear();
}

void OnClusterArrive(Block& block, bool releases, bool waits) {
  running.fences = true;  // blocks of a grid may be ordered from now on
  CheckedBlock& checked = *block.checked;
  ClusterPhase& phase = CheckedOf(*block.cluster).At(NextPhase(block));
  checked.waits_in_cluster += waits ? 1 : 0;
  if (releases) {
    const CheckedThread& thread = ThisThread();
    Epoch* const until = &phase.until[block.rank * block.threads];
    until[thread.in_block] = checked.current;
    // A lane may have arrived before it wrote what __syncwarp() has told this one.
    RaiseToWarpClock(until);
    phase.before[block.rank] = std::max(phase.before[block.rank], checked.last_barrier);
    if (thread.has_clocks) JoinWhatIsKnown(phase.clocks, thread.clocks);
    if (!checked.clocks.empty()) JoinWhatIsKnown(phase.clocks, checked.clocks);
  }
  // What the thread does from now on comes after its arrival.
  if (!waits) checked.current = NextEpoch(block);
}

void OnClusterSuspend(Fiber&) {}

void OnClusterRelease(Cluster& cluster) {
  NoteProgress();
  bool whole = true;
  for (const Block* const block : cluster.blocks) whole &= IsBarrierOfBlock(*block);
  for (Block* const block : cluster.blocks) {
    CheckedBlock& checked = *block->checked;
    checked.current = NextEpoch(*block);
    if (IsBarrierOfBlock(*block)) {
      checked.last_barrier = checked.current;
      checked.passed = {};
    }
    // Everything in their shared memory lies before their last barrier.
    if (whole) checked.is_shared_outside = false;
    checked.waits_in_cluster = 0;
  }
  CheckedCluster& all = *cluster.checked;
  all.At(cluster.phases + 2) = all.At(cluster.phases + 1);
}

void OnClusterResume(Block& block) {
  CheckedThread& thread = ThisThread();
  thread.cluster_phases = block.cluster_calls[thread.in_block].waits;
  const SyncClocks& clocks = block.cluster->checked->At(thread.cluster_phases).clocks;
  if (clocks.empty()) return;
  thread.clocks.Join(clocks);
  thread.has_clocks = true;
}

}  // namespace cudasim
