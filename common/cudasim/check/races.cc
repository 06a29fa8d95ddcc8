#include "common/cudasim/check/races.h"

#include "common/cudasim/check/code_table.h"
#include "common/cudasim/check/now.h"
#include "common/cudasim/check/order_report.h"
#include "common/cudasim/check/race_report.h"
#include "common/cudasim/check/shadow_cells.h"
#include "common/cudasim/check/state.h"
#include "common/cudasim/check/sync_order.h"
#include "common/cudasim/check/volatile_order.h"

namespace cudasim {

constinit HeldRead held_read;

namespace {

// True if the running thread's read of the same memory is held back.
bool IsHeld(const Access& access) {
  return held_read.is_held && held_read.race.self == ThisThreadId() &&
         held_read.race.access.address == access.address &&
         held_read.race.access.bytes == access.bytes;
}

Race RaceWith(const WordAccess& what, ShadowCell earlier) {
  return {what.access, ThisThreadId(), earlier, what.word, what.shared};
}

bool IsCompareAndSwap(ShadowCell cell) {
  return (cell & kSynchronised) != 0 && codes.compares[CodeOf(cell)];
}

// True if the accesses are of two blocks, and one of them is atomic for its own block only.
bool IsScopeTooNarrow(const Access& access, ShadowCell earlier) {
  if ((access.order & kBlockScope) == 0 && !codes.block_scope[CodeOf(earlier)]) return false;
  return BlockAt(EpochOf(earlier)) != ThisBlock().linear;
}

// Both accesses are atomic or volatile.
bool ConflictsThoughStrong(const WordAccess& what, ShadowCell earlier) {
  const bool any_volatile = what.access.is_volatile || codes.volatiles[CodeOf(earlier)];
  const bool narrow = IsScopeTooNarrow(what.access, earlier);
  if ((!any_volatile && !narrow) || HappensBefore(earlier)) return false;
  if (IsCounted(earlier)) {
    if (what.access.is_volatile) WarnOfCount(RaceWith(what, earlier));
    return false;
  }
  if (IsObserved(earlier)) return false;
  return narrow || IsVolatileRace(what, earlier);
}

// True for an atomic or volatile access that programs make to know what is there: one that adds to
// a sum, or takes a maximum, is not.
bool Observes(const Access& access) {
  if (!access.synchronises || access.operation == Operation::kWrite) return false;
  return (access.order & kCombines) == 0 || (access.order & (kCounts | kLooks)) != 0;
}

// True for a write, if the earlier access is an atomic or volatile write, and a later one of the
// same word has read what it left and happened before the running thread's access.  By the PTX
// model's causality order that write, too, precedes what follows the read: the last block may reset
// the count of arrivals.  A read of a sum while others add to it is a bug, though it may come last
// in this run.
bool IsReadSince(const WordAccess& what, const ShadowCells& cells, unsigned earlier) {
  constexpr ShadowCell kStrongWrite = kWrote | kSynchronised;
  const ShadowCell write = cells.all[earlier];
  if (!what.access.writes() || (write & kStrongWrite) != kStrongWrite) return false;
  for (unsigned i = 0; i < earlier; ++i) {
    const ShadowCell read = cells.all[i];
    if ((read & kSynchronised) == 0 || !codes.observes[CodeOf(read)]) continue;
    if ((Touched(write) & what.mask & ~Touched(read)) != 0) continue;
    const bool narrow = codes.block_scope[CodeOf(read)] || codes.block_scope[CodeOf(write)];
    if (narrow && BlockAt(EpochOf(read)) != BlockAt(EpochOf(write))) continue;
    if (HappensBefore(read)) return true;
  }
  return false;
}

bool Conflicts(const WordAccess& what, const ShadowCells& cells, unsigned index) {
  const ShadowCell earlier = cells.all[index];
  if ((Touched(earlier) & what.mask) == 0) return false;
  if (!what.access.writes() && (earlier & kWrote) == 0) return false;
  if (SameStamp(earlier, running.stamp)) return false;
  if (what.access.synchronises && (earlier & kSynchronised) != 0) {
    return ConflictsThoughStrong(what, earlier);
  }
  if (HappensBefore(earlier) || IsReadSince(what, cells, index)) return false;
  if (!IsCounted(earlier)) return true;
  WarnOfCount(RaceWith(what, earlier));
  return false;
}

// Holds back the race of a plain read with a compare-and-swap.  The read may begin the loop
//
//   old = *p; do { assumed = old; old = atomicCAS(p, assumed, ...); } while (assumed != old);
//
// where it is harmless, because the thread's own compare-and-swap notices a change of the value.
// The race is reported if the thread first reads the word again, waits at a barrier or returns, or
// if another such read must be held back.
void HoldRead(const Race& race) {
  const bool same_read = IsHeld(race.access) && held_read.race.word != race.word;
  if (same_read) return;
  if (held_read.is_held) ReportHeldRead();
  held_read.race = race;
  held_read.is_held = true;
}

bool MayExplain(const Access& access, ShadowCell earlier) {
  return access.operation == Operation::kRead && !access.synchronises && IsCompareAndSwap(earlier);
}

// Prefers races with writes, and among those races that no compare-and-swap can explain.
void FindRace(const WordAccess& what, const ShadowCells& cells) {
  const ShadowCell* worst = nullptr;
  const auto weight = [&what](ShadowCell earlier) {
    if ((earlier & kWrote) == 0) return 0;
    return MayExplain(what.access, earlier) ? 1 : 2;
  };
  for (unsigned i = 0; i < cells.count; ++i) {
    const ShadowCell& earlier = cells.all[i];
    if (!Conflicts(what, cells, i)) continue;
    if (worst == nullptr || weight(earlier) > weight(*worst)) worst = &earlier;
  }
  if (worst == nullptr) return;
  const Race race = RaceWith(what, *worst);
  if (MayExplain(what.access, *worst)) {
    HoldRead(race);
  } else {
    ReportRace(race);
  }
}

// Removes the running thread's plain reads that its compare-and-swap explains.
void RemoveExplained(ShadowCells& cells, unsigned mask) {
  for (unsigned i = cells.count; i-- > 0;) {
    const ShadowCell cell = cells.all[i];
    const bool plain_read = (cell & (kWrote | kSynchronised)) == 0;
    if (plain_read && SameStamp(cell, running.stamp) && (Touched(cell) & ~mask) == 0) {
      cells.Remove(i);
    }
  }
}

// True for a plain read whose order with the current thread's read cannot matter: both are of one
// block and epoch, or of two blocks in a launch without fences.
bool IsConcurrentRead(ShadowCell cell) {
  if ((cell & (kWrote | kSynchronised)) != 0) return false;
  return SameEpoch(cell, running.stamp) || (cell < running.block_begin && !running.fences);
}

// kRedundantInGrid if the cells hold reads of several blocks: any write races with at least one.
ShadowCell RedundantInGrid(const ShadowCells& cells) {
  if (cells.count < kMaxCells || running.fences) return 0;
  bool several = false;
  for (unsigned i = 1; i < cells.count; ++i) {
    if (Touched(cells.all[i]) != Touched(cells.all[0])) return 0;
    several |= cells.all[i] < running.block_begin;
  }
  return several ? kRedundantInGrid : 0;
}

}  // namespace

bool AddReader(Shadow& shadow, std::size_t word, unsigned mask, ShadowCell floor, const void* pc) {
  const ShadowCell latest = shadow.latest[word];
  if ((latest & mask) != mask || latest < floor) return false;
  const ShadowCells earlier = Load(shadow, word, floor);
  if (earlier.count == kMaxCells) return false;
  ShadowCells cells;
  cells.Add(running.stamp | ShadowCell{mask} << kTouchedShift);
  for (unsigned i = 0; i < earlier.count; ++i) {
    const ShadowCell cell = earlier.all[i];
    if (!IsConcurrentRead(cell) || SameStamp(cell, running.stamp)) return false;
    cells.Add(cell);
  }
  const unsigned code = CodeFor(pc);
  shadow.latest[word] = cells.all[0] | ShadowCell{code} << kCodeShift | (latest & kBytes) |
                        kHasOthers | RedundantAfter(cells, cells.all[0]) | RedundantInGrid(cells);
  StoreOthers(shadow, word, cells);
  return true;
}

void NoteCompareAndSwap(const Access& access) {
  if (const unsigned code = CodeFor(access.pc)) codes.compares[code] = true;
  if (IsHeld(access)) held_read.is_held = false;
}

void ReportHeldRead() {
  held_read.is_held = false;
  ReportRace(held_read.race);
}

void CheckRace(const WordAccess& what) {
  const Access& access = what.access;
  ShadowCells cells = Load(what.shadow, what.word, what.floor);
  const unsigned code = CodeFor(access.pc);
  if (code != 0 && (access.order & kBlockScope) != 0) codes.block_scope[code] = true;
  if (code != 0 && Observes(access)) codes.observes[code] = true;
  if (cells.count > 0) FindRace(what, cells);
  const ShadowCell cell =
      running.stamp | ShadowCell{code} << kCodeShift | (access.writes() ? kWrote : 0) |
      (access.synchronises ? kSynchronised : 0) | ShadowCell{what.mask} << kTouchedShift;
  if (IsCompareAndSwap(cell)) RemoveExplained(cells, what.mask);
  Insert(cells, cell);
  if (cells.count > kMaxCells) Evict(cells);
  Store(what.shadow, what.word, cells);
}

}  // namespace cudasim
