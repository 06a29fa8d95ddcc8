// Check mode's side of instrument/callbacks.h: the fast path of an access, inlined into the
// compiler's callbacks.
//
// An access ends here if the word's bytes are known to be allocated and initialised, and
//
//   * the same thread made the same access in this epoch (FastTrack's same-epoch case), or
//   * all earlier accesses happened before this one: its cell replaces theirs, or
//   * cells of enough other threads make one more cell redundant, or
//   * the thread before has read the byte before, at the same place in the same epoch: one cell
//     stands for both reads.
//
// So does one to the thread's own stack.
// Everything else takes the slow path in check_access.cc.
#pragma once

#include <bit>

#include "common/cudasim/check/check_access.h"
#include "common/cudasim/check/code_table.h"
#include "common/cudasim/check/now.h"
#include "common/cudasim/check/races.h"
#include "common/cudasim/check/schedule.h"
#include "common/cudasim/check/shadow.h"
#include "common/cudasim/include/cuda_runtime.h"
#include "common/cudasim/instrument/call_account.h"
#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/scheduler/block.h"

namespace cudasim {

// The latest cells of device memory, or of the running block's shared memory.
struct Words {
  ShadowCell* first;
  // Accesses in cells of [begin, begin + span) happened before the running thread's next one.
  ShadowCell begin;
  ShadowCell span;
};

// True if the cells make a cell for this read redundant.
inline __attribute__((always_inline)) bool IsRedundantRead(ShadowCell known, ShadowCell mask) {
  const ShadowCell touched = mask << kTouchedShift;
  const ShadowCell read = touched | mask;
  if (SameEpoch(known, running.stamp)) {
    constexpr ShadowCell kInBlock = kRedundantInWarp | kRedundantInBlock;
    if ((known & (kInBlock | kWrote | read)) == (kInBlock | read)) return true;
    const bool same_warp = SameWarpNow(known, running.stamp);
    if (same_warp && (known & (kInBlock | kWrote | read)) == (kRedundantInWarp | read)) return true;
    const bool same_thread = SameStamp(known, running.stamp);
    if (same_thread && (known & (kHasOthers | kRedundantInBlock | read)) == read) return true;
  }
  return (known & (kRedundantInGrid | kWrote | read)) == (kRedundantInGrid | read) &&
         !running.fences;
}

// True if only the running thread has accessed the word in this epoch.
inline __attribute__((always_inline)) bool IsExclusive(ShadowCell known, ShadowCell mask) {
  return SameStamp(known, running.stamp) &&
         (known & (kHasOthers | kRedundantInBlock | kBytes << kTouchedShift)) ==
             mask << kTouchedShift;
}

// Lets the cell of a read of one byte, or of a run of such reads, stand for the running thread's
// read of the next byte as well, if that is the next thread and the code is the same.
inline __attribute__((always_inline)) bool ExtendRun(ShadowCell& cell, ShadowCell mask,
                                                     const void* pc) {
  const ShadowCell known = cell;
  const ShadowCell touched = Touched(known);
  const bool next_byte = touched + (touched & -touched) == mask;
  const bool one_each = (touched & (touched - 1)) == 0 || IsRun(known);
  if (!next_byte || !one_each || (known & (kWrote | kSynchronised | kHasOthers)) != 0) return false;
  const int count = std::countr_zero(mask) - std::countr_zero(touched);
  const ShadowCell next = (known & kStampBits) + (static_cast<ShadowCell>(count) << kThreadShift);
  if (next != running.stamp || !SameEpoch(known, next)) return false;
  if ((known & mask) != mask || codes.places[CodeOf(known)] != pc) return false;
  cell = known | mask << kTouchedShift | kRedundantInBlock;
  return true;
}

template <bool kWrites>
inline __attribute__((always_inline)) bool NoteWord(ShadowCell& cell, ShadowCell mask,
                                                    const Words& words, const void* pc) {
  const ShadowCell known = cell;
  if (known - words.begin >= words.span) {
    if (!kWrites) return IsRedundantRead(known, mask);
    if (!IsExclusive(known, mask)) return false;
  }
  if ((known & mask) != mask) return false;
  const unsigned code = FirstCode(pc);
  if (codes.places[code] != pc) return false;
  cell = running.stamp | ShadowCell{code} << kCodeShift | (kWrites ? kWrote | mask : 0) |
         mask << kTouchedShift | (known & kBytes);
  return true;
}

// `offset` is the access's offset in the memory that `words` describes, `limit` that memory's size.
template <bool kWrites>
inline __attribute__((always_inline)) bool NoteWords(const Words& words, std::uintptr_t offset,
                                                     std::uintptr_t limit, unsigned bytes,
                                                     const void* pc) {
  if (bytes < kWordBytes) {
    if (offset >= limit || offset % bytes != 0) return false;
    const ShadowCell mask = ((1u << bytes) - 1) << offset % kWordBytes;
    ShadowCell& cell = words.first[offset / kWordBytes];
    if (NoteWord<kWrites>(cell, mask, words, pc)) return true;
    return !kWrites && bytes == 1 && ExtendRun(cell, mask, pc);
  }
  // The rotation turns the low bits of a misaligned offset into high bits, so one comparison finds
  // accesses that are out of range or misaligned.
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
  const std::uintptr_t in_arena = at - running.arena_begin;
  if (in_arena < kArenaBytes) {
    const Words words{running.arena, running.block_begin, running.before_barrier};
    return NoteWords<kWrites>(words, in_arena, kArenaBytes, bytes, pc);
  }
  const std::uintptr_t in_heap = at - running.heap_begin;
  if (kWrites) NoteKernelWrite(in_heap, bytes);
  const Words words{running.heap, 0, running.launch};
  return NoteWords<kWrites>(words, in_heap, DeviceHeap::kRangeBytes, bytes, pc);
}

// True if the running thread's own variables lie there, which no other thread may use.
inline __attribute__((always_inline)) bool IsOnOwnStack(const char* address) {
  return address >= current_fiber->stack_low && address < current_fiber->stack_high;
}

template <bool kWrites>
inline __attribute__((always_inline)) bool IsDoneQuickly(const Access& access) {
  return in_kernel && (NoteQuickly<kWrites>(access.address, access.bytes, access.pc) ||
                       IsOnOwnStack(access.address));
}

inline __attribute__((always_inline)) void OnAccess(const Access& access) {
  if (access.synchronises) {
    // A plain or volatile store replaces what is there, as an exchange does.
    if (in_kernel) BeforeWrite(access, AtomicKind::kExchange);
    OnStrongAccess(access, access.operation != Operation::kWrite);
    if (in_kernel) AfterLook(access);
  } else if (access.operation == Operation::kRead) {
    if (IsDoneQuickly<false>(access)) return;
    OnPlainRead(access.address, access.pc, access.bytes);
  } else {
    if (IsDoneQuickly<true>(access)) return;
    OnPlainWrite(access.address, access.pc, access.bytes);
  }
}

// True if several threads have updated the word in this epoch, which makes a cell for this atomic
// update redundant.
inline bool NoteAtomicQuickly(const Access& access) {
  const std::uintptr_t in_arena =
      reinterpret_cast<std::uintptr_t>(access.address) - running.arena_begin;
  if (in_arena >= kArenaBytes || access.bytes != kWordBytes || in_arena % kWordBytes != 0) {
    return false;
  }
  const ShadowCell known = running.arena[in_arena / kWordBytes];
  const ShadowCell redundant =
      SameWarpNow(known, running.stamp) ? kRedundantInWarp : kRedundantInBlock;
  const ShadowCell wanted = redundant | kWrote | kSynchronised | kBytes << kTouchedShift | kBytes;
  return SameEpoch(known, running.stamp) && (known & wanted) == wanted;
}

inline void OnAtomic(const Access& access, AtomicKind kind) {
  if (in_kernel) BeforeWrite(access, kind);
  if (in_kernel && kind == AtomicKind::kCompareAndSwap) NoteCompareAndSwap(access);
  if (!in_kernel || running.fences || !NoteAtomicQuickly(access)) {
    OnStrongAccess(access, kind != AtomicKind::kExchange);
  }
  if (in_kernel) AfterLook(access);
}

inline void OnWait(const Access& access) { OnStrongAccess(access, true); }
inline Polls& RunningPolls() { return *running.polls; }
inline void OnTexture(const char* address, std::size_t bytes, const void* pc) {
  OnFetch(address, bytes, pc);
}
inline void OnResultUnused() { NoteResultUnused(); }
inline void OnFunctionEntry(const void*) {}
inline void OnFunctionExit() {}
inline void OnBasicBlock(const void*) {}

}  // namespace cudasim
