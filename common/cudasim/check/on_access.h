// Check mode's side of instrument/callbacks.h: what most accesses come down to, inlined into the
// compiler's callbacks.
//
// An access is done here if nothing can be wrong with it and its record is all that matters from
// now on, that is if the word's bytes are known to exist and, for a read, to be initialised, and
//
//   * the same thread made the same access in this serial: nothing is to do, or
//   * all earlier accesses are ordered before whatever comes: its record takes their place, or
//   * enough threads have read the word that one more makes no difference.
//
// Everything else is decided in access.cc.
#pragma once

#include <bit>

#include "common/cudasim/check/access.h"
#include "common/cudasim/check/code_table.h"
#include "common/cudasim/check/now.h"
#include "common/cudasim/check/races.h"
#include "common/cudasim/check/shadow.h"
#include "common/cudasim/include/cuda_runtime.h"
#include "common/cudasim/instrument/call_account.h"
#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/scheduler/block.h"

namespace cudasim {

// Records of one kind of memory.
struct Cells {
  Record* first;
  // Records in [begin, begin + span) order nothing.
  Record begin;
  Record span;
};

// True if one more read of a word that is read again makes no difference.
inline __attribute__((always_inline)) bool IsFreeToRead(Record known, Record mask) {
  const Record touched = mask << kTouchedShift;
  const Record read = touched | mask;
  if (SameSerial(known, now.stamp)) {
    if (SameStamp(known, now.stamp) && (known & (kMore | read)) == read) return true;
    const Record free = SameWarpNow(known, now.stamp) ? kFreeInWarp : kFree;
    if ((known & (free | kWrote | read)) == (free | read)) return true;
  }
  return (known & (kFreeInGrid | kWrote | read)) == (kFreeInGrid | read) && !now.fences;
}

// True if the word was last accessed by the running thread in this serial, and by it alone.
inline __attribute__((always_inline)) bool IsMineToWrite(Record known, Record mask) {
  return SameStamp(known, now.stamp) &&
         (known & (kMore | kBytes << kTouchedShift)) == mask << kTouchedShift;
}

template <bool kWrites>
inline __attribute__((always_inline)) bool NoteWord(Record& cell, Record mask, const Cells& cells,
                                                    const void* pc) {
  const Record known = cell;
  if (known - cells.begin >= cells.span) {
    if (!kWrites) return IsFreeToRead(known, mask);
    if (!IsMineToWrite(known, mask)) return false;
  }
  if ((known & mask) != mask) return false;
  const unsigned code = FirstCode(pc);
  if (code_table[code] != pc) return false;
  cell = now.stamp | Record{code} << kCodeShift | (kWrites ? kWrote | mask : 0) |
         mask << kTouchedShift | (known & kBytes);
  return true;
}

// `offset` is that of the access in the memory that `cells` describes, `limit` its size.
template <bool kWrites>
inline __attribute__((always_inline)) bool NoteWords(const Cells& cells, std::uintptr_t offset,
                                                     std::uintptr_t limit, unsigned bytes,
                                                     const void* pc) {
  if (bytes < kWordBytes) {
    if (offset >= limit || offset % bytes != 0) return false;
    const Record mask = ((1u << bytes) - 1) << offset % kWordBytes;
    return NoteWord<kWrites>(cells.first[offset / kWordBytes], mask, cells, pc);
  }
  // Odd bytes become high bits: one comparison finds what is out of range or not aligned.
  const std::uintptr_t word = std::rotr(offset, 2);
  if (word >= limit / kWordBytes) return false;
  for (unsigned i = 0; i < bytes / kWordBytes; ++i) {
    if (!NoteWord<kWrites>(cells.first[word + i], kBytes, cells, pc)) return false;
  }
  return true;
}

template <bool kWrites>
inline __attribute__((always_inline)) bool NoteQuickly(const void* address, unsigned bytes,
                                                       const void* pc) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const std::uintptr_t in_arena = at - now.arena_begin;
  if (in_arena < kArenaBytes) {
    const Cells cells{now.arena, now.block_begin, now.before_barrier};
    return NoteWords<kWrites>(cells, in_arena, kArenaBytes, bytes, pc);
  }
  const std::uintptr_t in_heap = at - now.heap_begin;
  if (kWrites) NoteKernelWrite(in_heap, bytes);
  const Cells cells{now.heap, 0, now.launch};
  return NoteWords<kWrites>(cells, in_heap, DeviceHeap::kRangeBytes, bytes, pc);
}

inline __attribute__((always_inline)) void OnAccess(const Access& access) {
  if (access.synchronises) {
    OnAnyAccess(access.address, access.pc, access.bytes, access.operation, true,
                access.operation != Operation::kWrite);
  } else if (access.operation == Operation::kRead) {
    if (in_kernel && NoteQuickly<false>(access.address, access.bytes, access.pc)) return;
    OnPlainRead(access.address, access.pc, access.bytes);
  } else {
    if (in_kernel && NoteQuickly<true>(access.address, access.bytes, access.pc)) return;
    OnPlainWrite(access.address, access.pc, access.bytes);
  }
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
  if (in_kernel && kind == AtomicKind::kCompareAndSwap) NoteCompareAndSwap(access);
  if (!in_kernel || now.fences || !NoteAtomicQuickly(access)) {
    OnAnyAccess(access.address, access.pc, access.bytes, access.operation, true,
                kind != AtomicKind::kExchange);
  }
}

inline Polls& RunningPolls() { return *now.polls; }
inline void OnTexture(const char*, std::size_t, const void*) {}
inline void OnResultUnused() {}
inline void OnFunctionEntry(const void*) {}
inline void OnFunctionExit() {}
inline void OnBasicBlock(const void*) {}

}  // namespace cudasim
