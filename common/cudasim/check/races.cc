#include "common/cudasim/check/races.h"

#include <algorithm>

#include "common/cudasim/check/code_table.h"
#include "common/cudasim/check/now.h"
#include "common/cudasim/check/race_report.h"
#include "common/cudasim/check/state.h"
#include "common/cudasim/check/warp_order.h"

namespace cudasim {

bool read_is_held = false;

namespace {

constexpr unsigned kMost = kOthers + 1;

// The records of a word that still matter, the latest first, and one more.
struct Records {
  Record all[kMost + 1];
  unsigned count = 0;

  void Add(Record record) { all[count++] = record; }
  void Remove(unsigned i) {
    std::copy(all + i + 1, all + count, all + i);
    --count;
  }
};

// True if the access happened before anything the current thread does now.
bool IsOrdered(Record record) {
  const Serial serial = SerialOf(record);
  if (serial < checked_grid.begin) return true;
  const CheckedThread& self = ThisThread();
  const CheckedBlock& block = ThisBlock();
  const unsigned other_block = BlockAt(serial);
  if (other_block == block.linear) {
    if (ThreadOf(record) == self.in_block || serial < block.epoch) return true;
    if (block.warp_clocks != nullptr && WarpOrders(ThreadIdOf(record), serial)) return true;
  }
  if (self.knowledge.empty() && block.knowledge.empty()) return false;
  const ThreadId thread = ThreadIdOf(record);
  return self.knowledge.Orders(other_block, thread, serial) ||
         block.knowledge.Orders(other_block, thread, serial);
}

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

Records Load(const WordAccess& what) {
  const Record floor = what.shared ? now.block_begin + now.before_barrier : now.launch;
  const Record latest = what.shadow.latest[what.word];
  Records records;
  if (latest >= floor && Touched(latest) != 0) records.Add(latest);
  if ((latest & kMore) != 0 && latest >= now.launch) {
    for (const Record record : what.shadow.others[what.word].records) {
      if (record >= floor && Touched(record) != 0) records.Add(record);
    }
  }
  return records;
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

// True if whatever races with `record` also races with `other`, which is later or as late.
bool IsCoveredBy(Record record, Record other) {
  if ((Touched(record) & ~Touched(other)) != 0) return false;
  if ((record & kWrote) != 0 && (other & kWrote) == 0) return false;
  return (other & kSynchronised) == 0 || (record & kSynchronised) != 0;
}

bool SameKind(Record a, Record b) { return ((a ^ b) & (kWrote | kSynchronised)) == 0; }

// Which further accesses like `record`, in its serial, the records make superfluous: those of its
// warp if two of that warp are there, as one of them is another thread's than whoever comes next;
// those of all warps if two warps are there, as __syncwarp() orders a thread with one of them only.
Record FreeAfter(const Records& records, Record record) {
  unsigned in_warp = 0;
  Record elsewhere = 0;
  for (unsigned i = 0; i < records.count; ++i) {
    const Record other = records.all[i];
    if (!SameSerial(other, record) || !SameKind(other, record)) continue;
    if ((Touched(record) & ~Touched(other)) != 0) continue;
    if (SameWarpNow(other, record)) {
      ++in_warp;
    } else if (elsewhere != 0 && !SameWarpNow(other, elsewhere)) {
      return kFree | kFreeInWarp;
    } else {
      elsewhere = other;
    }
  }
  if (in_warp > 0 && elsewhere != 0) return kFree | kFreeInWarp;
  return in_warp > 1 ? kFreeInWarp : 0;
}

void Insert(Records& records, Record record) {
  for (unsigned i = 0; i < records.count; ++i) {
    const Record other = records.all[i];
    if (SameStamp(other, record) && IsCoveredBy(record, other)) return;
  }
  for (unsigned i = records.count; i-- > 0;) {
    const Record other = records.all[i];
    if (!IsCoveredBy(other, record)) continue;
    if (SameStamp(other, record) || IsOrdered(other)) records.Remove(i);
  }
  if (FreeAfter(records, record) != 0) return;
  std::copy_backward(records.all, records.all + records.count, records.all + records.count + 1);
  records.all[0] = record;
  ++records.count;
}

// Drops the one that is missed least: reads before writes, atomic ones before plain ones, old ones
// before new ones.
void Evict(Records& records) {
  const auto worth = [](Record r) {
    return ((r & kWrote) != 0 ? 2 : 0) + ((r & kSynchronised) == 0 ? 1 : 0);
  };
  unsigned worst = records.count - 1;
  for (unsigned i = records.count - 1; i-- > 1;) {
    if (worth(records.all[i]) < worth(records.all[worst])) worst = i;
  }
  records.Remove(worst);
}

// The flags of the first record: which more accesses like it need not be looked at, as they make no
// difference and cannot be part of a race.
Record Free(const Records& records) {
  const Record first = records.all[0];
  if ((first & kWrote) != 0 && (first & kSynchronised) == 0) return 0;
  for (unsigned i = 0; i < records.count; ++i) {
    const Record other = records.all[i];
    if (SameKind(first, other) || ((first | other) & kWrote) == 0) continue;
    const Serial serial = SerialOf(other);
    if (serial >= ThisBlock().epoch || BlockAt(serial) != ThisBlock().linear) return 0;
  }
  return FreeAfter(records, first);
}

constexpr Record kPlain = ~(kBytes | kMore | kFree | kFreeInWarp | kFreeInGrid);

void StoreOthers(Shadow& shadow, std::size_t word, const Records& records) {
  shadow.CountOthers(word);
  for (unsigned i = 0; i < kOthers; ++i) {
    shadow.others[word].records[i] = i + 1 < records.count ? records.all[i + 1] & kPlain : 0;
  }
}

void Store(const WordAccess& what, const Records& records) {
  Record& latest = what.shadow.latest[what.word];
  const Record known = latest & kBytes;
  latest = (records.all[0] & kPlain) | known;
  if (records.count <= 1) return;
  latest |= kMore | Free(records);
  StoreOthers(what.shadow, what.word, records);
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
  Records records;
  records.Add(now.stamp | Record{mask} << kTouchedShift);
  const auto add = [&](Record record) {
    if (record < floor) return true;
    if (records.count == kMost || !IsReadBeside(record)) return false;
    if (SameStamp(record, now.stamp)) return false;
    records.Add(record);
    return true;
  };
  if (!add(latest)) return false;
  if ((latest & kMore) != 0) {
    for (const Record record : shadow.others[word].records) {
      if (!add(record)) return false;
    }
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
  Records records = Load(what);
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
  Store(what, records);
}

}  // namespace cudasim
