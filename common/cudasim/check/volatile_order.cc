#include "common/cudasim/check/volatile_order.h"

#include <algorithm>
#include <cstring>

#include "common/cudasim/check/code_table.h"
#include "common/cudasim/check/now.h"
#include "common/cudasim/check/order_report.h"
#include "common/cudasim/check/race_report.h"
#include "common/cudasim/check/state.h"
#include "common/cudasim/check/sync_order.h"
#include "common/cudasim/runtime/diagnostics/symbolizer.h"

namespace cudasim {

constinit HeldWrite held_write;
namespace {

// True if lanes of one warp rely on lockstep: since Volta only __syncwarp() orders them.  In a
// launch with fences the memory may be a flag.
bool NeedsSyncwarp(const WordAccess& what, ShadowCell earlier) {
  return what.shared && !running.fences && what.access.is_volatile &&
         codes.volatiles[CodeOf(earlier)] &&
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
  return Locate(codes.places[code]).ToString() == Locate(codes.places[other]).ToString();
}

// The thread has read the word once and writes it back.
void NoteUpdate(const Access& access, unsigned code) {
  CheckedThread& thread = ThisThread();
  const VolatileRead* const own = FindRead(access.address);
  if (own != nullptr && own->times == 1 && code != 0) {
    codes.updates[code] = own->code;
    for (const VolatileRead& read : thread.volatile_reads) {
      if (read.epoch == ThisBlock().current && read.address != access.address) {
        codes.feeds[read.code] = code;
      }
    }
  }
  for (VolatileRead& read : thread.volatile_reads) read = {};
}

// True if a write and the two reads that it follows are one statement, v[t] += v[t + 1].  A read in
// a condition may be on the same line, but it is repeated, or all words are read there.
bool IsOneStatement(unsigned write, unsigned read) {
  const unsigned own = codes.updates[write];
  return own != read && !codes.repeats[read] && SameLine(own, write) && SameLine(read, write);
}

// An update of the word, and a read of it for the update of another one in the same place.  In
// device memory, where threads may look at each other's progress, both must be in one statement.
bool IsLockstep(const WordAccess& what, unsigned write, unsigned read) {
  if (write == 0 || read == 0 || codes.updates[write] == 0) return false;
  if (codes.feeds[read] != write) return false;
  return what.shared || IsOneStatement(write, read);
}

bool HasPolled(const void* address) {
  const Polls& polls = ThisThread().polls;
  return std::find(polls.addresses, polls.addresses + Polls::kWords, address) !=
         polls.addresses + Polls::kWords;
}

void HoldWrite(const WordAccess& what, ShadowCell earlier) {
  if (held_write.bytes != 0) return;
  const Access& access = what.access;
  held_write.race = {access, ThisThreadId(), earlier, what.word, what.shared};
  held_write.bytes = std::min<unsigned>(access.bytes, sizeof(held_write.value));
  std::memcpy(&held_write.value, access.address, held_write.bytes);
}

void CheckWriteOverWrite(const WordAccess& what, ShadowCell earlier, unsigned code) {
  const unsigned earlier_code = CodeOf(earlier);
  const bool lost_update = codes.updates[code] != 0 && codes.updates[earlier_code] != 0;
  const bool unread = !HasPolled(what.access.address) && !codes.compares[earlier_code];
  if (lost_update || unread) HoldWrite(what, earlier);
}

}  // namespace

void NoteVolatile(const Access& access, unsigned code) {
  if (code != 0) codes.volatiles[code] = true;
  CheckedThread& thread = ThisThread();
  if (access.writes()) {
    if (thread.fence + 1 == ThisBlock().current) codes.release_writes[code] = true;
    thread.volatile_write = access.address;
    NoteUpdate(access, code);
    return;
  }
  for (const VolatileRead& read : thread.volatile_reads) {
    if (read.code == code && read.epoch == ThisBlock().current) codes.repeats[code] = true;
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
  if (!access.is_volatile || !codes.volatiles[earlier_code]) return false;
  const unsigned write = earlier_wrote ? earlier_code : code;
  const unsigned read = earlier_wrote ? code : earlier_code;
  if (IsLockstep(what, write, read)) return true;
  if (codes.release_writes[write]) return false;
  const Race race{access, ThisThreadId(), earlier, what.word, what.shared};
  return running.fences ? IsHandedOver(race) : IsAwaited(race);
}

void ReportHeldWrite() {
  const Race race = held_write.race;
  const unsigned bytes = held_write.bytes;
  held_write.bytes = 0;
  if (std::memcmp(&held_write.value, race.access.address, bytes) != 0) ReportRace(race);
}

}  // namespace cudasim
