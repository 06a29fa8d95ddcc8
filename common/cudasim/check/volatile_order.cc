#include "common/cudasim/check/volatile_order.h"

#include <algorithm>
#include <cstring>

#include "common/cudasim/check/code_table.h"
#include "common/cudasim/check/detector.h"
#include "common/cudasim/check/order_report.h"
#include "common/cudasim/check/race_report.h"
#include "common/cudasim/check/state.h"
#include "common/cudasim/check/sync_order.h"
#include "common/cudasim/runtime/diagnostics/symbolizer.h"

namespace cudasim {
namespace {

// True if lanes of one warp rely on lockstep: since Volta only __syncwarp() orders them.  In a
// launch with fences the memory may be a flag.
bool NeedsSyncwarp(const WordAccess& what, ShadowCell earlier) {
  return what.shared && !detector.now.fences && what.access.is_volatile &&
         detector.volatiles[CodeOf(earlier)] &&
         ThreadOf(earlier) / kLanes == ThisThread().in_block / kLanes;
}

VolatileRead* FindRead(const void* address) {
  CheckedThread& thread = ThisThread();
  for (VolatileRead& read : thread.volatile_reads) {
    if (read.address == address && read.epoch == ThisBlock().current) return &read;
  }
  return nullptr;
}

bool SameLine(unsigned code, unsigned other) {
  return Locate(detector.places[code]).ToString() == Locate(detector.places[other]).ToString();
}

// The thread has read the word once and writes it back.
void NoteUpdate(const Access& access, unsigned code) {
  CheckedThread& thread = ThisThread();
  const VolatileRead* const own = FindRead(access.address);
  if (own != nullptr && own->times == 1 && code != 0) {
    detector.updates[code] = true;
    for (const VolatileRead& read : thread.volatile_reads) {
      if (read.epoch == ThisBlock().current && read.address != access.address) {
        detector.feeds[read.code] = code;
      }
    }
  }
  for (VolatileRead& read : thread.volatile_reads) read = {};
}

// An update of the word, and a read of it for the update of another one in the same place.  In
// device memory, where threads may look at each other's progress, both must be in one statement.
bool IsLockstep(const WordAccess& what, unsigned write, unsigned read) {
  if (write == 0 || read == 0 || !detector.updates[write]) return false;
  if (detector.feeds[read] != write) return false;
  return what.shared || SameLine(read, write);
}

bool HasPolled(const void* address) {
  const Polls& polls = ThisThread().polls;
  return std::find(polls.addresses, polls.addresses + Polls::kWords, address) !=
         polls.addresses + Polls::kWords;
}

void HoldWrite(const WordAccess& what, ShadowCell earlier) {
  if (detector.held_write_bytes != 0) return;
  const Access& access = what.access;
  detector.held_write = {access, ThisThreadId(), earlier, what.word, what.shared};
  detector.held_write_bytes = std::min<unsigned>(access.bytes, sizeof(detector.held_value));
  std::memcpy(&detector.held_value, access.address, detector.held_write_bytes);
}

void CheckWriteOverWrite(const WordAccess& what, ShadowCell earlier, unsigned code) {
  const unsigned earlier_code = CodeOf(earlier);
  const bool lost_update = detector.updates[code] && detector.updates[earlier_code];
  const bool unread = !HasPolled(what.access.address) && !detector.compares[earlier_code];
  if (lost_update || unread) HoldWrite(what, earlier);
}

}  // namespace

void NoteVolatile(const Access& access, unsigned code) {
  if (code != 0) detector.volatiles[code] = true;
  CheckedThread& thread = ThisThread();
  if (access.writes()) {
    if (ThisThread().fence + 1 == ThisBlock().current) detector.release_writes[code] = true;
    NoteUpdate(access, code);
    return;
  }
  if (VolatileRead* const known = FindRead(access.address)) {
    ++known->times;
    known->code = code;
    return;
  }
  thread.volatile_reads[thread.next_volatile_read] = {access.address, code, ThisBlock().current, 1};
  thread.next_volatile_read = (thread.next_volatile_read + 1) % CheckedThread::kVolatileReads;
}

bool IsVolatileRace(const WordAccess& what, ShadowCell earlier) {
  if (NeedsSyncwarp(what, earlier)) return true;
  const Access& access = what.access;
  const unsigned code = CodeFor(access.pc);
  const unsigned earlier_code = CodeOf(earlier);
  const bool earlier_wrote = (earlier & kWrote) != 0;
  if (access.is_volatile && access.writes() && earlier_wrote) {
    CheckWriteOverWrite(what, earlier, code);
    return false;
  }
  if (!access.is_volatile || !detector.volatiles[earlier_code]) return false;
  const unsigned write = earlier_wrote ? earlier_code : code;
  const unsigned read = earlier_wrote ? code : earlier_code;
  if (IsLockstep(what, write, read)) return true;
  return detector.now.fences && !detector.release_writes[write] &&
         IsHandedOver({access, ThisThreadId(), earlier, what.word, what.shared});
}

void ReportHeldWrite() {
  const Race race = detector.held_write;
  const unsigned bytes = detector.held_write_bytes;
  detector.held_write_bytes = 0;
  if (std::memcmp(&detector.held_value, race.access.address, bytes) != 0) ReportRace(race);
}

}  // namespace cudasim
