#include "common/cudasim/check/records.h"

#include <algorithm>

#include "common/cudasim/check/state.h"
#include "common/cudasim/check/warp_order.h"

namespace cudasim {
namespace {

constexpr Record kPlain = ~(kBytes | kMore | kFree | kFreeInWarp | kFreeInGrid);

// True if whatever races with `record` also races with `other`, which is later or as late.
bool IsCoveredBy(Record record, Record other) {
  if ((Touched(record) & ~Touched(other)) != 0) return false;
  if ((record & kWrote) != 0 && (other & kWrote) == 0) return false;
  return (other & kSynchronised) == 0 || (record & kSynchronised) != 0;
}

bool SameKind(Record a, Record b) { return ((a ^ b) & (kWrote | kSynchronised)) == 0; }

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

}  // namespace

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

Records Load(const Shadow& shadow, std::size_t word, Record floor) {
  const Record latest = shadow.latest[word];
  Records records;
  if (latest >= floor && Touched(latest) != 0) records.Add(latest);
  if ((latest & kMore) != 0 && latest >= now.launch) {
    for (const Record record : shadow.others[word].records) {
      if (record >= floor && Touched(record) != 0) records.Add(record);
    }
  }
  return records;
}

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

void StoreOthers(Shadow& shadow, std::size_t word, const Records& records) {
  shadow.CountOthers(word);
  for (unsigned i = 0; i < kOthers; ++i) {
    shadow.others[word].records[i] = i + 1 < records.count ? records.all[i + 1] & kPlain : 0;
  }
}

void Store(Shadow& shadow, std::size_t word, const Records& records) {
  Record& latest = shadow.latest[word];
  const Record known = latest & kBytes;
  latest = (records.all[0] & kPlain) | known;
  if (records.count <= 1) return;
  latest |= kMore | Free(records);
  StoreOthers(shadow, word, records);
}

}  // namespace cudasim
