// Check mode's side of instrument/on_access.h: what most accesses come down to, inlined into the
// compiler's callbacks.
//
// An access is done here if nothing can be wrong with it and its record is all that matters from
// now on, that is if the word's bytes are known to exist and, for a read, to be initialised, and
//
//   * the same thread made the same access in this serial: nothing is to do, or
//   * all earlier accesses are ordered before whatever comes: its record takes their place, or
//   * several threads have read the word in this serial: one more makes no difference.
//
// Everything else is decided in access.cc.
#pragma once

#include "common/cudasim/check/access.h"
#include "common/cudasim/check/code_table.h"
#include "common/cudasim/check/livelock.h"
#include "common/cudasim/check/now.h"
#include "common/cudasim/check/shadow.h"
#include "common/cudasim/include/cuda_runtime.h"
#include "common/cudasim/runtime/block.h"
#include "common/cudasim/runtime/heap.h"

namespace cudasim {

template <bool kWrites>
inline __attribute__((always_inline)) bool NoteWord(Record& cell, Record mask, Record begin,
                                                    Record span, const void* pc) {
  const Record known = cell;
  const Record touched = mask << kTouchedShift;
  const bool mine = SameStamp(known, now.stamp);
  if (kWrites) {
    if (mine && (known & (kMore | kSynchronised | kWrote | touched)) == (kWrote | touched)) {
      return true;
    }
    const bool replaces = mine && (known & (kMore | (kBytes << kTouchedShift))) == touched;
    if (!replaces && known - begin >= span) return false;
  } else {
    if (mine && (known & (kMore | touched | mask)) == (touched | mask)) return true;
    if (known - begin >= span) {
      const Record free = SameWarpNow(known, now.stamp) ? kFreeInWarp : kFree;
      return SameSerial(known, now.stamp) &&
             (known & (free | kWrote | touched | mask)) == (free | touched | mask);
    }
  }
  if ((known & mask) != mask) return false;
  const unsigned code = FirstCode(pc);
  if (code_table[code] != pc) return false;
  cell = now.stamp | Record{code} << kCodeShift | (kWrites ? kWrote | mask : 0) | touched |
         (known & kBytes);
  return true;
}

template <bool kWrites>
inline __attribute__((always_inline)) bool NoteWords(Record* cells, std::uintptr_t offset,
                                                     unsigned bytes, Record begin, Record span,
                                                     const void* pc) {
  const unsigned step = bytes < 4 ? bytes : 4;
  if ((offset & (step - 1)) != 0) return false;
  Record* const first = cells + offset / 4;
  if (bytes <= 4) {
    return NoteWord<kWrites>(*first, ((1u << bytes) - 1) << (offset & 3), begin, span, pc);
  }
  for (unsigned i = 0; i < bytes / 4; ++i) {
    if (!NoteWord<kWrites>(first[i], kBytes, begin, span, pc)) return false;
  }
  return true;
}

template <bool kWrites>
inline __attribute__((always_inline)) bool NoteQuickly(const void* address, unsigned bytes,
                                                       const void* pc) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const std::uintptr_t in_heap = at - now.heap_begin;
  if (in_heap < DeviceHeap::kRangeBytes) {
    return NoteWords<kWrites>(now.heap, in_heap, bytes, 0, now.launch, pc);
  }
  const std::uintptr_t in_arena = at - now.arena_begin;
  if (in_arena < kArenaBytes) {
    return NoteWords<kWrites>(now.arena, in_arena, bytes, now.block_begin, now.before_barrier, pc);
  }
  return false;
}

inline __attribute__((always_inline)) void OnAccess(const Access& access) {
  if (in_kernel && !access.synchronises) {
    const bool done = access.operation == Operation::kRead
                          ? NoteQuickly<false>(access.address, access.bytes, access.pc)
                          : NoteQuickly<true>(access.address, access.bytes, access.pc);
    if (__builtin_expect(done, 1)) return;
  }
  if (access.synchronises && access.operation == Operation::kRead && in_kernel) {
    NotePoll(access.address, access.bytes, access.pc);
  }
  OnAnyAccess(access.address, access.pc, access.bytes, access.operation, access.synchronises,
              access.operation != Operation::kWrite);
}

// One more atomic update of a word that several threads have updated in this serial.
inline bool NoteAtomicQuickly(const Access& access) {
  const std::uintptr_t in_arena =
      reinterpret_cast<std::uintptr_t>(access.address) - now.arena_begin;
  if (in_arena >= kArenaBytes || access.bytes != kWordBytes || in_arena % kWordBytes != 0) {
    return false;
  }
  const Record known = now.arena[in_arena / kWordBytes];
  const Record free = SameWarpNow(known, now.stamp) ? kFreeInWarp : kFree;
  const Record wanted = free | kWrote | kSynchronised | kBytes << kTouchedShift | kBytes;
  return SameSerial(known, now.stamp) && (known & wanted) == wanted;
}

inline void OnAtomic(const Access& access, AtomicKind kind) {
  if (in_kernel) NotePoll(access.address, access.bytes, access.pc);
  if (!in_kernel || now.fences || !NoteAtomicQuickly(access)) {
    OnAnyAccess(access.address, access.pc, access.bytes, access.operation, true,
                kind != AtomicKind::kExchange);
  }
}

inline void OnResultUnused() {}
inline void NoticePolling(const void*) {}  // OnAccess and OnAtomic do
inline void OnFunctionEntry(const void*) {}
inline void OnFunctionExit() {}
inline void OnBasicBlock(const void*) {}

}  // namespace cudasim
