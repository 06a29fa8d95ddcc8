// Check mode's side of instrument/callbacks.h: what most accesses come down to, inlined into the
// compiler's callbacks.
//
// An access is done here if nothing can be wrong with it and its cell is all that matters from
// now on, that is if the word's bytes are known to exist and, for a read, to be initialised, and
//
//   * the same thread made the same access in this epoch: nothing is to do, or
//   * all earlier accesses are ordered before whatever comes: its cell takes their place, or
//   * enough threads have read the word that one more makes no difference.
//
// Everything else is decided in access.cc.
#pragma once

#include <bit>

#include "common/cudasim/check/access.h"
#include "common/cudasim/check/code_table.h"
#include "common/cudasim/check/detector.h"
#include "common/cudasim/check/races.h"
#include "common/cudasim/check/shadow.h"
#include "common/cudasim/include/cuda_runtime.h"
#include "common/cudasim/instrument/call_account.h"
#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/scheduler/block.h"

namespace cudasim {

// The latest cells of one kind of memory.
struct Words {
  ShadowCell* first;
  // Cells in [begin, begin + span) order nothing.
  ShadowCell begin;
  ShadowCell span;
};

// True if one more read of a word that is read again makes no difference.
inline __attribute__((always_inline)) bool IsFreeToRead(ShadowCell known, ShadowCell mask) {
  const ShadowCell touched = mask << kTouchedShift;
  const ShadowCell read = touched | mask;
  if (SameEpoch(known, detector.now.stamp)) {
    if (SameStamp(known, detector.now.stamp) && (known & (kMore | read)) == read) return true;
    const ShadowCell free = SameWarpNow(known, detector.now.stamp) ? kFreeInWarp : kFree;
    if ((known & (free | kWrote | read)) == (free | read)) return true;
  }
  return (known & (kFreeInGrid | kWrote | read)) == (kFreeInGrid | read) && !detector.now.fences;
}

// True if the word was last accessed by the running thread in this epoch, and by it alone.
inline __attribute__((always_inline)) bool IsMineToWrite(ShadowCell known, ShadowCell mask) {
  return SameStamp(known, detector.now.stamp) &&
         (known & (kMore | kBytes << kTouchedShift)) == mask << kTouchedShift;
}

template <bool kWrites>
inline __attribute__((always_inline)) bool NoteWord(ShadowCell& cell, ShadowCell mask,
                                                    const Words& words, const void* pc) {
  const ShadowCell known = cell;
  if (known - words.begin >= words.span) {
    if (!kWrites) return IsFreeToRead(known, mask);
    if (!IsMineToWrite(known, mask)) return false;
  }
  if ((known & mask) != mask) return false;
  const unsigned code = FirstCode(pc);
  if (detector.places[code] != pc) return false;
  cell = detector.now.stamp | ShadowCell{code} << kCodeShift | (kWrites ? kWrote | mask : 0) |
         mask << kTouchedShift | (known & kBytes);
  return true;
}

// `offset` is that of the access in the memory that `words` describes, `limit` its size.
template <bool kWrites>
inline __attribute__((always_inline)) bool NoteWords(const Words& words, std::uintptr_t offset,
                                                     std::uintptr_t limit, unsigned bytes,
                                                     const void* pc) {
  if (bytes < kWordBytes) {
    if (offset >= limit || offset % bytes != 0) return false;
    const ShadowCell mask = ((1u << bytes) - 1) << offset % kWordBytes;
    return NoteWord<kWrites>(words.first[offset / kWordBytes], mask, words, pc);
  }
  // Odd bytes become high bits: one comparison finds what is out of range or not aligned.
  const std::uintptr_t word = std::rotr(offset, 2);
  if (word >= limit / kWordBytes) return false;
  for (unsigned i = 0; i < bytes / kWordBytes; ++i) {
    if (!NoteWord<kWrites>(words.first[word + i], kBytes, words, pc)) return false;
  }
  return true;
}

template <bool kWrites>
inline __attribute__((always_inline)) bool NoteQuickly(const void* address, unsigned bytes,
                                                       const void* pc) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const std::uintptr_t in_arena = at - detector.now.arena_begin;
  if (in_arena < kArenaBytes) {
    const Words words{detector.now.arena, detector.now.block_begin, detector.now.before_barrier};
    return NoteWords<kWrites>(words, in_arena, kArenaBytes, bytes, pc);
  }
  const std::uintptr_t in_heap = at - detector.now.heap_begin;
  if (kWrites) NoteKernelWrite(in_heap, bytes);
  const Words words{detector.now.heap, 0, detector.now.launch};
  return NoteWords<kWrites>(words, in_heap, DeviceHeap::kRangeBytes, bytes, pc);
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

// One more atomic update of a word that several threads have updated in this epoch.
inline bool NoteAtomicQuickly(const Access& access) {
  const std::uintptr_t in_arena =
      reinterpret_cast<std::uintptr_t>(access.address) - detector.now.arena_begin;
  if (in_arena >= kArenaBytes || access.bytes != kWordBytes || in_arena % kWordBytes != 0) {
    return false;
  }
  const ShadowCell known = detector.now.arena[in_arena / kWordBytes];
  const ShadowCell free = SameWarpNow(known, detector.now.stamp) ? kFreeInWarp : kFree;
  const ShadowCell wanted = free | kWrote | kSynchronised | kBytes << kTouchedShift | kBytes;
  return SameEpoch(known, detector.now.stamp) && (known & wanted) == wanted;
}

inline void OnAtomic(const Access& access, AtomicKind kind) {
  if (in_kernel && kind == AtomicKind::kCompareAndSwap) NoteCompareAndSwap(access);
  if (!in_kernel || detector.now.fences || !NoteAtomicQuickly(access)) {
    OnAnyAccess(access.address, access.pc, access.bytes, access.operation, true,
                kind != AtomicKind::kExchange);
  }
}

inline Polls& RunningPolls() { return *detector.now.polls; }
inline void OnTexture(const char*, std::size_t, const void*) {}
inline void OnResultUnused() {}
inline void OnFunctionEntry(const void*) {}
inline void OnFunctionExit() {}
inline void OnBasicBlock(const void*) {}

}  // namespace cudasim
