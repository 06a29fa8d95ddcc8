#include "common/cudasim/check/shadow_cells.h"

#include <algorithm>

#include "common/cudasim/check/cluster_order.h"
#include "common/cudasim/check/now.h"
#include "common/cudasim/check/state.h"
#include "common/cudasim/check/warp_order.h"

namespace cudasim {
namespace {

constexpr ShadowCell kPlain =
    ~(kBytes | kHasOthers | kRedundantInBlock | kRedundantInWarp | kRedundantInGrid);

// True if whatever races with `cell` also races with `other`, which is later or as late.
bool IsCoveredBy(ShadowCell cell, ShadowCell other) {
  if ((Touched(cell) & ~Touched(other)) != 0) return false;
  if ((cell & kWrote) != 0 && (other & kWrote) == 0) return false;
  return (other & kSynchronised) == 0 || (cell & kSynchronised) != 0;
}

bool SameKind(ShadowCell a, ShadowCell b) { return ((a ^ b) & (kWrote | kSynchronised)) == 0; }

// The flags of the first cell for accesses like it that need no cell and cannot be part of a race.
ShadowCell RedundancyFlags(const ShadowCells& cells) {
  const ShadowCell first = cells.all[0];
  if ((first & kWrote) != 0 && (first & kSynchronised) == 0) return 0;
  for (unsigned i = 0; i < cells.count; ++i) {
    const ShadowCell other = cells.all[i];
    if (SameKind(first, other) || ((first | other) & kWrote) == 0) continue;
    const Epoch epoch = EpochOf(other);
    if (epoch >= ThisBlock().last_barrier || BlockAt(epoch) != ThisBlock().linear) return 0;
  }
  return RedundantAfter(cells, first);
}

void AddReadsOfRun(ShadowCells& cells, ShadowCell run) {
  constexpr ShadowCell kOneThread = ShadowCell{1} << kThreadShift;
  ShadowCell read = run & kPlain & ~(kBytes << kTouchedShift);
  for (ShadowCell byte = 1; byte <= kBytes; byte <<= 1) {
    if ((Touched(run) & byte) == 0) continue;
    cells.Add(read | byte << kTouchedShift);
    read += kOneThread;
  }
}

}  // namespace

bool HappensBefore(ShadowCell cell) {
  const Epoch epoch = EpochOf(cell);
  if (epoch < checked_grid.begin) return true;
  const CheckedThread& self = ThisThread();
  const CheckedBlock& block = ThisBlock();
  const unsigned other_block = BlockAt(epoch);
  if (other_block == block.linear) {
    if (ThreadOf(cell) == self.in_block || epoch < block.last_barrier) return true;
    if (block.warp_clocks != nullptr && HappensBeforeInWarp(ThreadIdOf(cell), epoch)) return true;
  }
  if ((self.cluster_phases | block.cluster_phases) != 0 &&
      HappensBeforeInCluster(other_block, ThreadOf(cell), epoch)) {
    return true;
  }
  if (self.clocks.known.empty() && block.clocks.known.empty()) return false;
  const ThreadId thread = ThreadIdOf(cell);
  return self.clocks.known.Includes(other_block, thread, epoch) ||
         block.clocks.known.Includes(other_block, thread, epoch);
}

ShadowCells Load(const Shadow& shadow, std::size_t word, ShadowCell floor) {
  const ShadowCell latest = shadow.latest[word];
  ShadowCells cells;
  if (latest >= floor && IsRun(latest)) {
    AddReadsOfRun(cells, latest);
  } else if (latest >= floor && Touched(latest) != 0) {
    cells.Add(latest);
  }
  if ((latest & kHasOthers) != 0 && latest >= std::min(floor, running.launch)) {
    for (const ShadowCell cell : shadow.others[word].cells) {
      if (cell >= floor && Touched(cell) != 0) cells.Add(cell);
    }
  }
  return cells;
}

ShadowCell RedundantAfter(const ShadowCells& cells, ShadowCell cell) {
  unsigned in_warp = 0;
  ShadowCell elsewhere = 0;
  for (unsigned i = 0; i < cells.count; ++i) {
    const ShadowCell other = cells.all[i];
    if (!SameEpoch(other, cell) || !SameKind(other, cell)) continue;
    if ((Touched(cell) & ~Touched(other)) != 0) continue;
    if (SameWarpNow(other, cell)) {
      ++in_warp;
    } else if (elsewhere != 0 && !SameWarpNow(other, elsewhere)) {
      return kRedundantInBlock | kRedundantInWarp;
    } else {
      elsewhere = other;
    }
  }
  if (in_warp > 0 && elsewhere != 0) return kRedundantInBlock | kRedundantInWarp;
  return in_warp > 1 ? kRedundantInWarp : 0;
}

void Insert(ShadowCells& cells, ShadowCell cell) {
  for (unsigned i = 0; i < cells.count; ++i) {
    const ShadowCell other = cells.all[i];
    if (!SameStamp(other, cell) || !IsCoveredBy(cell, other)) continue;
    // An atomic or volatile access becomes the latest again: what it has read may be newer.
    const bool moves = i > 0 && (cell & kSynchronised) != 0 && SameKind(other, cell);
    if (!moves) return;
  }
  for (unsigned i = cells.count; i-- > 0;) {
    const ShadowCell other = cells.all[i];
    if (!IsCoveredBy(other, cell)) continue;
    if (SameStamp(other, cell) || HappensBefore(other)) cells.Remove(i);
  }
  if (RedundantAfter(cells, cell) != 0) return;
  std::copy_backward(cells.all, cells.all + cells.count, cells.all + cells.count + 1);
  cells.all[0] = cell;
  ++cells.count;
}

void Evict(ShadowCells& cells) {
  const auto worth = [](ShadowCell r) {
    return ((r & kWrote) != 0 ? 2 : 0) + ((r & kSynchronised) == 0 ? 1 : 0);
  };
  unsigned worst = cells.count - 1;
  for (unsigned i = cells.count - 1; i-- > 1;) {
    if (worth(cells.all[i]) < worth(cells.all[worst])) worst = i;
  }
  cells.Remove(worst);
}

void StoreOthers(Shadow& shadow, std::size_t word, const ShadowCells& cells) {
  shadow.CountOthers(word);
  for (unsigned i = 0; i < kOthers; ++i) {
    shadow.others[word].cells[i] = i + 1 < cells.count ? cells.all[i + 1] & kPlain : 0;
  }
}

void Store(Shadow& shadow, std::size_t word, const ShadowCells& cells) {
  ShadowCell& latest = shadow.latest[word];
  const ShadowCell known = latest & kBytes;
  latest = (cells.all[0] & kPlain) | known;
  if (cells.count <= 1) return;
  latest |= kHasOthers | RedundancyFlags(cells);
  StoreOthers(shadow, word, cells);
}

}  // namespace cudasim
