#include "common/cudasim/check/races.h"

#include <algorithm>

#include "common/cudasim/check/code_table.h"
#include "common/cudasim/check/now.h"
#include "common/cudasim/check/race_report.h"
#include "common/cudasim/check/records.h"
#include "common/cudasim/check/state.h"

namespace cudasim {

bool read_is_held = false;

namespace {

// The one read that is held back; see HoldRead().
Race held;

// By the running thread, of the same memory.
bool IsHeld(const Access& access) {
  return read_is_held && held.self == ThisThreadId() && held.access.address == access.address &&
         held.access.bytes == access.bytes;
}

bool compares[kCodes];  // the places of compare-and-swaps

bool IsCompareAndSwap(Record record) {
  return (record & kSynchronised) != 0 && compares[CodeOf(record)];
}

bool volatiles[kCodes];  // the places of volatile accesses, which are not atomic

bool IsVolatile(const Access& access) {
  return access.synchronises && access.operation != Operation::kAtomic;
}

// True if both accesses are volatile, as were the last steps of reductions in the days when a
// warp's lanes went in step: nothing has ordered them since. With fences they may be a flag's.
bool NeedsSyncwarp(const WordAccess& what, Record earlier) {
  return what.shared && !now.fences && IsVolatile(what.access) && volatiles[CodeOf(earlier)] &&
         ThreadOf(earlier) / kLanes == ThisThread().in_block / kLanes;
}

bool Conflicts(const WordAccess& what, Record earlier) {
  if ((Touched(earlier) & what.mask) == 0) return false;
  if (!what.access.writes() && (earlier & kWrote) == 0) return false;
  if (what.access.synchronises && (earlier & kSynchronised) != 0 && !NeedsSyncwarp(what, earlier)) {
    return false;
  }
  if (SameStamp(earlier, now.stamp)) return false;
  return !IsOrdered(earlier);
}

// Of a plain read that races with compare-and-swaps only: it is the begin of
//
//   old = *p; do { assumed = old; old = atomicCAS(p, assumed, ...); } while (assumed != old);
//
// and harmless if the thread's own compare-and-swap of the same memory comes next, which finds out
// what has changed.  It is reported when the thread reads the word again, waits at a barrier or
// returns, or another such read comes.
void HoldRead(const Race& race) {
  const bool same_read = IsHeld(race.access) && held.word != race.word;
  if (same_read) return;
  if (read_is_held) ReportHeldRead();
  held = race;
  read_is_held = true;
}

bool MayExplain(const Access& access, Record earlier) {
  return access.operation == Operation::kRead && !access.synchronises && IsCompareAndSwap(earlier);
}

// Looks among the writes first, and among those for other than compare-and-swaps: they tell more.
void FindRace(const WordAccess& what, const Records& records) {
  const Record* worst = nullptr;
  const auto weight = [&what](Record earlier) {
    if ((earlier & kWrote) == 0) return 0;
    return MayExplain(what.access, earlier) ? 1 : 2;
  };
  for (unsigned i = 0; i < records.count; ++i) {
    const Record& earlier = records.all[i];
    if (!Conflicts(what, earlier)) continue;
    if (worst == nullptr || weight(earlier) > weight(*worst)) worst = &earlier;
  }
  if (worst == nullptr) return;
  const Race race{what.access, ThisThreadId(), *worst, what.word, what.shared};
  if (MayExplain(what.access, *worst)) {
    HoldRead(race);
  } else {
    ReportRace(race);
  }
}

// The running thread's own plain reads that its compare-and-swap explains.
void RemoveExplained(Records& records, unsigned mask) {
  for (unsigned i = records.count; i-- > 0;) {
    const Record record = records.all[i];
    const bool plain_read = (record & (kWrote | kSynchronised)) == 0;
    if (plain_read && SameStamp(record, now.stamp) && (Touched(record) & ~mask) == 0) {
      records.Remove(i);
    }
  }
}

// True if no order between the read and the current thread's one can matter: both are of one block
// between two barriers, or the other block had begun before this one and nobody has used a fence.
bool IsReadBeside(Record record) {
  if ((record & (kWrote | kSynchronised)) != 0) return false;
  return SameSerial(record, now.stamp) || (record < now.block_begin && !now.fences);
}

// Several blocks have read the word: whoever writes to it races with one of them at least.
Record FreeInGrid(const Records& records) {
  if (records.count < kMost || now.fences) return 0;
  bool several = false;
  for (unsigned i = 1; i < records.count; ++i) {
    if (Touched(records.all[i]) != Touched(records.all[0])) return 0;
    several |= records.all[i] < now.block_begin;
  }
  return several ? kFreeInGrid : 0;
}

}  // namespace

bool AddReader(Shadow& shadow, std::size_t word, unsigned mask, Record floor, const void* pc) {
  const Record latest = shadow.latest[word];
  if ((latest & mask) != mask || latest < floor) return false;
  const Records earlier = Load(shadow, word, floor);
  if (earlier.count == kMost) return false;
  Records records;
  records.Add(now.stamp | Record{mask} << kTouchedShift);
  for (unsigned i = 0; i < earlier.count; ++i) {
    const Record record = earlier.all[i];
    if (!IsReadBeside(record) || SameStamp(record, now.stamp)) return false;
    records.Add(record);
  }
  const unsigned code = CodeFor(pc);
  shadow.latest[word] = records.all[0] | Record{code} << kCodeShift | (latest & kBytes) | kMore |
                        FreeAfter(records, records.all[0]) | FreeInGrid(records);
  StoreOthers(shadow, word, records);
  return true;
}

void NoteCompareAndSwap(const Access& access) {
  if (const unsigned code = CodeFor(access.pc)) compares[code] = true;
  if (IsHeld(access)) read_is_held = false;
}

void ReportHeldRead() {
  read_is_held = false;
  ReportRace(held);
}

void CheckRace(const WordAccess& what) {
  const Access& access = what.access;
  const Record floor = what.shared ? now.block_begin + now.before_barrier : now.launch;
  Records records = Load(what.shadow, what.word, floor);
  if (records.count > 0) FindRace(what, records);
  if (access.synchronises && !access.writes() && !what.shared) return;
  const unsigned code = CodeFor(access.pc);
  if (code != 0 && IsVolatile(access)) volatiles[code] = true;
  const Record record = now.stamp | Record{code} << kCodeShift | (access.writes() ? kWrote : 0) |
                        (access.synchronises ? kSynchronised : 0) |
                        Record{what.mask} << kTouchedShift;
  if (IsCompareAndSwap(record)) RemoveExplained(records, what.mask);
  Insert(records, record);
  if (records.count > kMost) Evict(records);
  Store(what.shadow, what.word, records);
}

}  // namespace cudasim
