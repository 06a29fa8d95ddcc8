#include "common/cudasim/check/check_access.h"

#include <algorithm>

#include "common/cudasim/check/bad_access.h"
#include "common/cudasim/check/cluster_order.h"
#include "common/cudasim/check/code_table.h"
#include "common/cudasim/check/global_shadow.h"
#include "common/cudasim/check/host_order.h"
#include "common/cudasim/check/initialised.h"
#include "common/cudasim/check/livelock.h"
#include "common/cudasim/check/now.h"
#include "common/cudasim/check/on_access.h"
#include "common/cudasim/check/races.h"
#include "common/cudasim/check/state.h"
#include "common/cudasim/check/stream_order.h"
#include "common/cudasim/check/survive.h"
#include "common/cudasim/check/sync_order.h"
#include "common/cudasim/check/uncontested.h"
#include "common/cudasim/check/uninitialised.h"
#include "common/cudasim/check/volatile_order.h"
#include "common/cudasim/instrument/call_account.h"
#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/memory/symbols.h"
#include "common/cudasim/runtime/scheduler/shared_memory.h"

namespace cudasim {
namespace {

constexpr unsigned kMaxAccessBytes = 16;

enum class Space { kGlobal, kVariable, kShared };

// The memory that an access is to.
struct Memory {
  Space space;
  Shadow& shadow;
  ShadowCell floor;      // accesses in cells below it happened before
  ShadowCell begin = 0;  // of the block that owns shared memory; bytes written below it are void
};

struct Step {
  const Access& access;
  bool uses_value;           // the bytes that it reads must be initialised
  bool has_padding = false;  // may have padding, which is never initialised
};

// Marks the bytes that the host has written, in all words of the word's granule: they belong to one
// allocation.
void LearnInitialised(Shadow& shadow, std::size_t word) {
  constexpr std::size_t kWords = DeviceHeap::kGranule / kWordBytes;
  const std::size_t first = word / kWords * kWords;
  MarkInitialised(DeviceHeap::Begin() + first * kWordBytes, kWords, shadow.latest + first);
}

// The bytes of `mask` that were initialised before the running thread's access.
ShadowCell KnownBytes(const Step& step, const Memory& memory, std::size_t word, unsigned mask) {
  ShadowCell& cell = memory.shadow.latest[word];
  if (memory.space == Space::kShared) {
    if (cell < memory.begin) cell = 0;
  } else if (memory.space == Space::kVariable) {
    cell |= kBytes;
  } else if ((cell & mask) != mask && step.uses_value &&
             !(step.has_padding && (cell & mask) != 0)) {
    LearnInitialised(memory.shadow, word);
  }
  return cell & mask;
}

inline __attribute__((always_inline)) bool IsUncontested(std::size_t offset, bool writes) {
  const std::size_t granule = offset / DeviceHeap::kGranule;
  std::uint32_t known = uncontested.granules[granule];
  if (__builtin_expect(known >> 2 != uncontested.launch, 0)) {
    known = ExamineGranule(granule);
  }
  return (known & (writes ? kMayWrite : kMayRead)) != 0;
}

// Checks each word of the access against its shadow cells.
void CheckWords(const Step& step, const Memory& memory, std::size_t offset) {
  const Access& access = step.access;
  Shadow& shadow = memory.shadow;
  const bool shared = memory.space == Space::kShared;
  const auto each = [&](auto&& visit) {
    for (unsigned done = 0; done < access.bytes;) {
      const std::size_t at = offset + done;
      const auto in_word = static_cast<unsigned>(at % kWordBytes);
      const unsigned count = std::min<unsigned>(access.bytes - done, kWordBytes - in_word);
      visit(at / kWordBytes, ((1u << count) - 1) << in_word);
      done += count;
    }
  };
  if (access.is_volatile) NoteVolatile(access, CodeFor(access.pc));
  ShadowCell known = 0;
  each([&](std::size_t word, unsigned mask) {
    if (shadow.latest[word] == 0) shadow.Count(word);
    known |= KnownBytes(step, memory, word, mask);
  });
  if (known == 0 && step.uses_value) NoteUninitialisedRead(access);
  each([&](std::size_t word, unsigned mask) {
    if (watch_streams && !shared) {
      const bool free =
          memory.space == Space::kGlobal && IsUncontested(word * kWordBytes, access.writes());
      if (!free) CheckStreamOrder(access, shadow, word, mask);
    }
    CheckRace({access, mask, shadow, word, shared, memory.floor});
    if (access.writes()) shadow.latest[word] |= mask;
  });
}

void OnGlobalAccess(const Step& step) {
  const Access& access = step.access;
  const std::size_t offset = DeviceHeap::Offset(access.address);
  const Allocation* const owner = DeviceHeap::Get().GranuleOwner(offset / DeviceHeap::kGranule);
  if (__builtin_expect(
          owner == nullptr || owner->freed || access.address + access.bytes > owner->end(), 0)) {
    ReportBadDeviceAccess(access);
    return;
  }
  NoteKernelAccess(offset, access.bytes, access.operation);
  if (access.synchronises) SynchroniseThrough(access);
  CheckWords(step, {Space::kGlobal, GlobalShadow(), running.launch}, offset);
}

void OnSharedAccess(const Step& step, const SharedAddress& shared) {
  const Access& access = step.access;
  const std::size_t offset = shared.offset;
  if (__builtin_expect(!IsInSharedVariable(offset, access.bytes), 0)) {
    ReportBadSharedAccess(access, shared);
    return;
  }
  CheckedBlock& block = *shared.owner->checked;
  const bool outside = &block != &ThisBlock();
  if (outside) {
    if (!block.copies.empty()) CheckAgainstCopies(access, block.copies);
    NoteOutsideAccess(access, *shared.owner);
  }
  if (access.synchronises) SynchroniseThrough(access);
  const ShadowCell begin = Stamp(block.begin, 0);
  // What other blocks did there is not ordered by the owner's __syncthreads().
  const ShadowCell floor = block.is_shared_outside ? begin : Stamp(block.last_barrier, 0);
  CheckWords(step, {Space::kShared, block.shadow, floor, begin}, offset);
}

// Fast path of a read of words that threads have only read since the last barrier or launch, by the
// floor. False if the full check must decide.
bool AddReaders(Shadow& shadow, std::uintptr_t offset, unsigned bytes, ShadowCell floor,
                const void* pc) {
  const unsigned step = std::min<unsigned>(bytes, kWordBytes);
  if (offset % step != 0) return false;
  const unsigned mask = ((1u << step) - 1) << offset % kWordBytes;
  for (unsigned done = 0; done < bytes; done += step) {
    if (!AddReader(shadow, (offset + done) / kWordBytes, mask, floor, pc)) return false;
  }
  return true;
}

void OnVariableAccess(const Step& step, const ShadowPlace& variable) {
  const Access& access = step.access;
  Shadow& shadow = *variable.shadow;
  const ShadowCell floor = running.launch;
  if (IsConstantVariable(access.address, access.bytes)) {
    if (access.writes()) {
      ReportConstantWrite(access);
      return;
    }
    if (!watch_streams && AddReaders(shadow, variable.offset, access.bytes, floor, access.pc)) {
      return;
    }
  }
  if (access.synchronises) SynchroniseThrough(access);
  if (access.writes() && IsDeviceVariable(access.address, access.bytes)) {
    AccountVariableWrite(access.address, access.bytes);
  }
  CheckWords(step, {Space::kVariable, shadow, floor}, variable.offset);
}

void OnKernelAccess(const Step& step) {
  const Access& access = step.access;
  if (IsOnOwnStack(access.address)) return;
  if (__builtin_expect(invalid_write.bytes != 0, 0)) UndoInvalidWrite();
  const AsyncCopies& copies = ThisBlock().copies;
  if (__builtin_expect(!copies.empty(), 0)) CheckAgainstCopies(access, copies);
  if (DeviceHeap::Contains(access.address)) {
    OnGlobalAccess(step);
    return;
  }
  if (IsNull(access.address)) ReportNullAccess(access);
  const SharedAddress shared = FindShared(access.address);
  if (shared.owner != nullptr) {
    OnSharedAccess(step, shared);
    return;
  }
  const ShadowPlace variable = FindVariableShadow(access.address, access.bytes);
  if (variable.shadow != nullptr) {
    OnVariableAccess(step, variable);
  } else {
    CheckOtherMemory(access);
  }
}

void OnHostAccess(const Access& access) {
  const std::size_t granule = DeviceHeap::Offset(access.address) / DeviceHeap::kGranule;
  const Allocation* const owner = DeviceHeap::Get().GranuleOwner(granule);
  const bool inside = owner != nullptr && access.address + access.bytes <= owner->end();
  if (inside && owner->host_may_use()) {
    AccountHostAccess(access.address, access.bytes, access.writes(), access.pc);
    CheckHostOrder(access, owner->pinned);
  } else {
    ReportHostAccess(access);
  }
}

void OnStep(const Step& step) {
  if (!in_kernel) {
    const Access& access = step.access;
    if (__builtin_expect(DeviceHeap::Contains(access.address), 0)) OnHostAccess(access);
    return;
  }
  if (__builtin_expect(running.watch_reads, 0)) WatchPlainAccess(step.access);
  // The linker may keep the student's instrumented copy of a template that the simulator uses, too,
  // such as std::string: what it does for the simulator is not an access of the kernel.
  in_kernel = false;
  OnKernelAccess(step);
  in_kernel = true;
}

// Fast path of an access to device memory while other streams' work is unordered with the launch.
template <bool kWrites>
inline __attribute__((always_inline)) bool NoteUncontested(const void* address, unsigned bytes,
                                                           const void* pc) {
  const std::uintptr_t in_heap =
      reinterpret_cast<std::uintptr_t>(address) - running.watched_heap_begin;
  // An aligned access lies in one granule.
  if (in_heap >= DeviceHeap::kRangeBytes || (in_heap & (bytes - 1)) != 0) return false;
  if (!IsUncontested(in_heap, kWrites)) return false;
  if (kWrites) NoteKernelWrite(in_heap, bytes);
  const Words words{running.heap, 0, running.launch};
  if (NoteWords<kWrites>(words, in_heap, DeviceHeap::kRangeBytes, bytes, pc)) return true;
  return !kWrites && AddReaders(*running.heap_shadow, in_heap, bytes, running.launch, pc);
}

// Fast path of a kernel's read of device or shared memory. False if the full check must decide.
bool NoteReader(const void* address, unsigned bytes, const void* pc) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const std::uintptr_t in_heap = at - running.heap_begin;
  if (in_heap < DeviceHeap::kRangeBytes) {
    return AddReaders(*running.heap_shadow, in_heap, bytes, running.launch, pc);
  }
  const std::uintptr_t in_arena = at - running.arena_begin;
  const ShadowCell floor = running.block_begin + running.before_barrier;
  return in_arena < kArenaBytes && AddReaders(*running.arena_shadow, in_arena, bytes, floor, pc);
}

}  // namespace

void OnPlainRead(char* address, const void* pc, unsigned bytes) {
  if (in_kernel && NoteUncontested<false>(address, bytes, pc)) return;
  if (in_kernel ? NoteReader(address, bytes, pc) : !DeviceHeap::Contains(address)) return;
  OnStep({{address, bytes, Operation::kRead, false, pc}, true});
}

void OnPlainWrite(char* address, const void* pc, unsigned bytes) {
  if (in_kernel && NoteUncontested<true>(address, bytes, pc)) return;
  if (!in_kernel && !DeviceHeap::Contains(address)) return;
  OnStep({{address, bytes, Operation::kWrite, false, pc}, false});
}

void OnStrongAccess(const Access& access, bool uses_value) {
  if (in_kernel && held_write.bytes != 0) {
    in_kernel = false;  // the report allocates memory for the simulator, not for the kernel
    ReportHeldWrite();
    in_kernel = true;
  }
  OnStep({access, uses_value});
}

void OnRange(char* address, std::size_t bytes, Operation operation, const void* pc) {
  for (std::size_t done = 0; done < bytes;) {
    const auto count = static_cast<unsigned>(std::min<std::size_t>(bytes - done, kMaxAccessBytes));
    OnStep({{address + done, count, operation, false, pc}, false});
    done += count;
  }
}

void OnStruct(char* address, std::size_t bytes, Operation operation, const void* pc) {
  const bool reads = operation == Operation::kRead;
  OnStep({{address, static_cast<unsigned>(bytes), operation, false, pc}, reads, true});
}

}  // namespace cudasim
