// Profile mode's side of instrument/callbacks.h: every access of a kernel becomes an event of its
// lane.
#pragma once

#include <algorithm>
#include <cstddef>

#include "common/cudasim/instrument/access.h"
#include "common/cudasim/instrument/call_account.h"
#include "common/cudasim/profile/block_chain.h"
#include "common/cudasim/profile/code.h"
#include "common/cudasim/profile/lanes.h"
#include "common/cudasim/profile/memory_barriers.h"
#include "common/cudasim/profile/tally.h"
#include "common/cudasim/profile/useful_work.h"
#include "common/cudasim/profile/waits.h"
#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/memory/symbols.h"
#include "common/cudasim/runtime/scheduler/leave_kernel.h"

namespace cudasim {

// Counts a kernel's access as bytes moved between host and device if the memory is managed, pinned
// or registered.
void NoteHostVisible(const Access& access);

// Host code accesses device memory's range of addresses: managed or pinned memory.
void NoteHostAccess(const Access& access);

__attribute__((noinline, cold)) inline void AddEventToFullBuffer(CheckedThread& thread,
                                                                 const Event& event) {
  memory_waits.Restore();
  if (thread.next == thread.end) MakeRoom(thread);
  *thread.next++ = event;
}

inline __attribute__((always_inline)) void AddEvent(CheckedThread& thread, const Event& event) {
  ++thread.operations;
  if (__builtin_expect(thread.next == thread.end, 0)) return AddEventToFullBuffer(thread, event);
  *thread.next++ = event;
}

inline __attribute__((always_inline)) void AddEvent(const Access& access, EventType type,
                                                    AtomicKind kind) {
  CheckedThread& thread = *current_fiber->checked;
  AddEvent(thread, Event{reinterpret_cast<std::uint64_t>(access.address), ToCodeOffset(access.pc),
                         thread.path, static_cast<std::uint8_t>(access.bytes), type,
                         access.operation, kind, true});
}

inline bool IsOwnVariable(const char* address) {
  return address >= current_fiber->stack_low && address < current_fiber->stack_high;
}

inline __attribute__((always_inline)) void AccountHeap(const Access& access, std::size_t offset) {
  CheckedThread& thread = *current_fiber->checked;
  if (access.operation != Operation::kWrite) {
    NoteKernelRead(offset, access.bytes);
    NoteKernelReadOfHostData(offset, access.bytes);
  }
  if (access.operation == Operation::kRead) return useful_work.Read(thread, offset, access.bytes);
  NoteKernelWrite(offset, access.bytes);
  if (access.operation == Operation::kWrite) {
    useful_work.Store(thread, offset, access.bytes);
  } else {
    useful_work.Update(thread, offset, access.bytes);
  }
}

// Accounts for an access outside shared memory.  True if it is to global memory; accesses to
// registers, constants and the thread's own variables are not counted as memory instructions.
inline bool AccountGlobal(const Access& access) {
  if (DeviceHeap::Contains(access.address)) {
    const std::size_t offset = DeviceHeap::Offset(access.address);
    AccountHeap(access, offset);
    if (account_spans.host_visible.Contains(offset)) NoteHostVisible(access);
    return true;
  }
  if (IsOwnVariable(access.address)) return false;
  if (IsDeviceVariable(access.address, access.bytes)) {
    if (access.writes()) {
      AccountVariableWrite(access.address, access.bytes);
      useful_work.NoteUseful(*current_fiber->checked);
    }
    return true;
  }
  NoteHostVisible(access);
  return false;
}

inline EventType TypeOf(const char* address) {
  if (static_cast<std::size_t>(address - shared_arena) < kArenaBytes) return EventType::kShared;
  const bool alone = current_block == nullptr || CurrentBlock()->cluster->blocks.size() == 1;
  if (alone || FindShared(address).owner == nullptr) return EventType::kGlobal;
  return EventType::kDistributed;
}

// A read of constant memory is no operation of the thread: work and span do not count it.
inline void AddConstantRead(const Access& access) {
  AddEvent(access, EventType::kConstant, AtomicKind::kAdd);
  --current_fiber->checked->operations;
}

// An atomic or volatile access.  True if it is a load that waits.
inline bool FollowOrder(const Access& access, EventType type) {
  CheckedThread& thread = *current_fiber->checked;
  const std::uint64_t block = CurrentBlock()->linear;
  {
    const LeaveKernel leave;
    memory_waits.HoldUp(access);
    if (type == EventType::kGlobal) memory_waits.TakeTurns(access, thread);
  }
  in_kernel = false;  // the maps' memory is not the kernel's heap
  if (type == EventType::kGlobal) launch_block_chain.Add(access, block, thread);
  const bool waits =
      memory_waits.Follow(access, type == EventType::kShared ? block + 1 : 0, thread);
  in_kernel = true;
  return waits;
}

__attribute__((noinline)) inline void AddAccess(const Access& access, AtomicKind kind) {
  if (!in_kernel) {
    if (__builtin_expect(DeviceHeap::Contains(access.address), 0)) NoteHostAccess(access);
    return;
  }
  EventType type = TypeOf(access.address);
  if (type == EventType::kGlobal && !AccountGlobal(access)) {
    if (IsConstantVariable(access.address, access.bytes)) AddConstantRead(access);
    return;
  }
  if (__builtin_expect(access.synchronises, 0) && FollowOrder(access, type)) {
    type = EventType::kWait;
  }
  AddEvent(access, type, kind);
  // The next event must not be added before the word has its value back.
  if (memory_waits.is_showing()) current_fiber->checked->end = current_fiber->checked->next;
}

// The usual cases of AddAccess(), without a call.
inline __attribute__((always_inline)) void OnAccess(const Access& access) {
  const std::size_t offset = DeviceHeap::Offset(access.address);
  if (!in_kernel || access.synchronises) return AddAccess(access, AtomicKind::kAdd);
  if (static_cast<std::size_t>(access.address - shared_arena) < kArenaBytes) {
    AddEvent(access, EventType::kShared, AtomicKind::kAdd);
  } else if (DeviceHeap::Contains(access.address) && !account_spans.host_visible.Contains(offset)) {
    AccountHeap(access, offset);
    AddEvent(access, EventType::kGlobal, AtomicKind::kAdd);
  } else {
    AddAccess(access, AtomicKind::kAdd);
  }
}

// What tells words of shared memory apart: 0 in global memory.
inline std::uint64_t BlockOfWord(const void* address) {
  const Block* const owner = FindShared(static_cast<const char*>(address)).owner;
  return owner == nullptr ? 0 : owner->linear + std::uint64_t{1};
}

// A GPU has instructions of their own for barriers in memory, which no counter counts.
inline void OnAtomic(const Access& access, AtomicKind kind) {
  if (kind != AtomicKind::kPhase) return AddAccess(access, kind);
  if (!in_kernel) return;
  const LeaveKernel leave;
  memory_barriers.Arrive(access.address, BlockOfWord(access.address), *current_fiber->checked);
}
inline void OnWait(const Access& access) {
  if (!in_kernel || (access.order & kOfPhase) == 0) return;
  const LeaveKernel leave;
  current_profile->copied_byte_operations +=
      memory_barriers.Wait(access.address, BlockOfWord(access.address), *current_fiber->checked);
}

inline Polls& RunningPolls() {
  memory_waits.Restore();
  return current_fiber->checked->polls;
}

// A texture fetch counts as a global load: a GPU's texture units read sectors through the L1 cache.
inline void OnTexture(const char* address, std::size_t bytes, const void* pc) {
  if (DeviceHeap::Contains(address)) {
    useful_work.Read(*current_fiber->checked, DeviceHeap::Offset(address),
                     static_cast<unsigned>(bytes));
  }
  ++current_profile->texture_reads;
  AddEvent({const_cast<char*>(address), static_cast<unsigned>(bytes), Operation::kRead, false, pc},
           EventType::kGlobal, AtomicKind::kAdd);
}

// Marks the thread's last atomic operation as one whose result is not used. A GPU has no other
// instruction for an exchange then.
inline void OnResultUnused() {
  if (!in_kernel) return;
  CheckedThread& thread = *current_fiber->checked;
  const Event* const begin = thread.warp->Begin(thread.lane);
  Event* last = thread.next;
  while (last > begin && (--last)->type == EventType::kBlock) {
  }
  if (last->operation != Operation::kAtomic || last->kind == AtomicKind::kExchange) return;
  last->result_used = false;
}

constexpr std::size_t kMaxAccessBytes = 16;

inline void InPieces(char* address, std::size_t bytes, std::size_t piece, Operation operation,
                     const void* pc) {
  // The whole range at once, because a piece may lie across the end of the marked range.
  if (in_kernel && DeviceHeap::Contains(address)) {
    NoteKernelAccess(DeviceHeap::Offset(address), bytes, operation);
  }
  for (std::size_t done = 0; done < bytes;) {
    const auto count = static_cast<unsigned>(std::min(bytes - done, piece));
    OnAccess({address + done, count, operation, false, pc});
    done += count;
  }
}

inline void OnRange(char* address, std::size_t bytes, Operation operation, const void* pc) {
  InPieces(address, bytes, kMaxAccessBytes, operation, pc);
}

// nvcc copies a struct in pieces of its members' alignment, assumed to be 4 bytes, and a __shared__
// one in the largest pieces that divide its size: measured on an H100.
inline void OnStruct(char* address, std::size_t bytes, Operation operation, const void* pc) {
  const bool shared = static_cast<std::size_t>(address - shared_arena) < kArenaBytes;
  const std::size_t whole = bytes & -bytes;
  const std::size_t limit = shared ? kMaxAccessBytes : sizeof(int);
  InPieces(address, bytes, std::min(whole, limit), operation, pc);
}

// Updates the hash of the call stack, which keeps lanes apart that reached a function by different
// calls.
inline void SetPath(CheckedThread& thread, std::uint32_t hash) {
  constexpr unsigned kDeepest = 31;
  thread.path = static_cast<std::uint16_t>(std::min(thread.depth, kDeepest) << 11 | hash >> 21);
}

inline void OnFunctionEntry(const void* return_address) {
  if (!in_kernel) return;
  constexpr std::uint32_t kGoldenRatio = 2654435761u;
  CheckedThread& thread = *current_fiber->checked;
  const unsigned depth = ++thread.depth;
  const std::uint32_t before = thread.hashes[(depth - 1) % CheckedThread::kMaxDepth];
  const std::uint32_t hash = (before + ToCodeOffset(return_address)) * kGoldenRatio;
  thread.hashes[depth % CheckedThread::kMaxDepth] = hash;
  SetPath(thread, hash);
}

inline void OnFunctionExit() {
  if (!in_kernel) return;
  CheckedThread& thread = *current_fiber->checked;
  if (thread.depth > 0) --thread.depth;
  SetPath(thread, thread.depth == 0 ? 0 : thread.hashes[thread.depth % CheckedThread::kMaxDepth]);
}

inline void OnBasicBlock(const void* pc) {
  if (!in_kernel) return;
  CheckedThread& thread = *current_fiber->checked;
  AddEvent(thread, Event{0, ToCodeOffset(pc), thread.path, 0, EventType::kBlock, Operation::kRead,
                         AtomicKind::kAdd, true});
}

}  // namespace cudasim
