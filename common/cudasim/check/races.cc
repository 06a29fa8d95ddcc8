#include "common/cudasim/check/races.h"

#include <algorithm>
#include <map>
#include <utility>

#include "common/cudasim/check/bad_access.h"
#include "common/cudasim/check/code_table.h"
#include "common/cudasim/check/now.h"
#include "common/cudasim/check/state.h"
#include "common/cudasim/check/uninitialised.h"
#include "common/cudasim/check/warp_order.h"
#include "common/cudasim/runtime/report.h"
#include "common/cudasim/runtime/symbolizer.h"

namespace cudasim {
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

// What would order the two threads.
const char* Advice(ThreadId self, ThreadId other) {
  if (BlockOf(self) != BlockOf(other)) {
    return "nothing orders different blocks here: use atomics, or separate launches";
  }
  return SameWarp(self, other) ? "no __syncthreads() or __syncwarp() lies between the two"
                               : "no __syncthreads() lies between the two";
}

const char* Verb(Record record) {
  if ((record & kWrote) == 0) return "read";
  return (record & kSynchronised) != 0 ? "atomic or volatile write" : "write";
}

FindingNumber ReportNewRace(const WordAccess& what, Record earlier) {
  const Access& access = what.access;
  const ThreadId self = ThisThreadId();
  const ThreadId other = ThreadIdOf(earlier);
  const Place place = Locate(access.pc);
  const Place other_place = Locate(code_table[CodeOf(earlier)]);
  const std::string here = place.ToString();
  const std::string there = other_place.ToString();
  Finding finding{
      "data_race",
      DescribeKernel() + ", " + here + ": " + Verb(access) + " of " +
          (what.shared ? "shared" : "global") + " memory races with the " + Verb(earlier) + " at " +
          there,
      {DescribeThread(self) + ": " + Verb(access) + " of " + Bytes(access.bytes) + " at " + here,
       DescribeThread(other) + ": " + Verb(earlier) + " at " + there,
       "memory: " + DescribeMemory(access), DescribeLaunch(), Advice(self, other)},
      {{Verb(access), place, DescribeIndexOf(self), DescribeBlockOf(self)},
       {Verb(earlier), other_place, DescribeIndexOf(other), DescribeBlockOf(other)}}};
  NameMemory(access, finding);
  return Report(finding);
}

// Races between the same two places, of the same kinds, are one finding: which one is remembered,
// so that a kernel that races a million times can go on.
void ReportRace(const WordAccess& what, Record earlier) {
  const Access& access = what.access;
  static auto* const known = new std::map<std::pair<const void*, Record>, FindingNumber>;
  static Serial launch = 0;
  if (launch != checked_grid.first) known->clear();
  launch = checked_grid.first;
  constexpr Record kPlaceAndKind = Record{kCodes - 1} << kCodeShift | kWrote | kSynchronised;
  const std::pair key(access.pc, earlier & kPlaceAndKind);
  const auto entry = known->find(key);
  if (entry != known->end()) {
    CountAgain(entry->second, 1);
    return;
  }
  BlameRaceFor(access.pc);
  BlameRaceFor(code_table[CodeOf(earlier)]);
  known->emplace(key, ReportNewRace(what, earlier));
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
  if (what.access.synchronises && (earlier & kSynchronised) != 0) return false;
  if (SameStamp(earlier, now.stamp)) return false;
  return !IsOrdered(earlier);
}

// Looks among the writes first: they tell more.
void FindRace(const WordAccess& what, const Records& records) {
  for (const Record kind : {kWrote, Record{0}}) {
    for (unsigned i = 0; i < records.count; ++i) {
      const Record earlier = records.all[i];
      if ((earlier & kWrote) != kind || !Conflicts(what, earlier)) continue;
      ReportRace(what, earlier);
      return;
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

void CheckRace(const WordAccess& what) {
  const Access& access = what.access;
  Records records = Load(what);
  if (records.count > 0) FindRace(what, records);
  if (access.synchronises && !access.writes()) return;
  const Record record = now.stamp | Record{CodeFor(access.pc)} << kCodeShift |
                        (access.writes() ? kWrote : 0) | (access.synchronises ? kSynchronised : 0) |
                        Record{what.mask} << kTouchedShift;
  Insert(records, record);
  if (records.count > kMost) Evict(records);
  Store(what, records);
}

}  // namespace cudasim
