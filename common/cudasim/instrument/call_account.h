// Records what the measured call does with its arguments and the host's memory: the implementation
// of cudasim/call_account.h.
//
// Each byte of device memory that the host has written in the call has a mark, the number of the
// operation that wrote it, in a shadow table that takes memory only where there are marks.  A
// kernel's store clears marks.  The inline functions below cost kernels one comparison: loads are
// compared with the span of the inputs that no kernel has read yet, stores with the span of marked
// bytes; both spans are mostly empty.  Check mode compares only loads that leave its own fast path.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/cudasim/instrument/access.h"

namespace cudasim {

struct Allocation;

// Offsets in device memory, [begin, begin + bytes).
struct OffsetSpan {
  std::uintptr_t begin = 0;
  std::uintptr_t bytes = 0;

  bool Contains(std::uintptr_t offset) const { return offset - begin < bytes; }
  bool Touches(std::uintptr_t offset, std::size_t count) const {
    return offset < begin + bytes && offset + count > begin;
  }
};

// Number of the host operation that wrote a byte last in this call; 0: none, or a kernel did.
using Mark = std::uint16_t;
// Set in a byte's mark: a kernel's read of it has been compared with the inputs.
constexpr Mark kCompared = 0x8000;

struct AccountSpans {
  OffsetSpan unread;        // all inputs that no kernel has read in this call
  OffsetSpan marked;        // all that the host has written; whole multiples of 16 bytes
  Mark* marks = nullptr;    // by offset
  OffsetSpan host_visible;  // all managed and pinned memory; kept in profile mode only
  OffsetSpan host_data;     // `marked`, in profile mode and if kernels' reads of it are compared
};

extern AccountSpans account_spans __attribute__((visibility("hidden")));

// A kernel reads or writes device memory at these offsets: 1, 2, 4, 8 or 16 bytes, aligned.
void AccountRead(std::uintptr_t offset, std::size_t bytes);
inline __attribute__((always_inline)) void NoteKernelRead(std::uintptr_t offset, unsigned bytes) {
  if (__builtin_expect(account_spans.unread.Contains(offset), 0)) AccountRead(offset, bytes);
}
inline __attribute__((always_inline)) void NoteKernelWrite(std::uintptr_t offset, unsigned bytes) {
  if (__builtin_expect(account_spans.marked.Contains(offset), 0)) {
    __builtin_memset(account_spans.marks + offset, 0, bytes * sizeof(Mark));
  }
}

// Profile mode: a kernel reads device memory that the host may have written.
void AccountHostData(std::uintptr_t offset, std::size_t bytes);
inline void NoteKernelReadOfHostData(std::uintptr_t offset, unsigned bytes) {
  if (__builtin_expect(account_spans.host_data.Contains(offset), 0)) {
    AccountHostData(offset, bytes);
  }
}

// Any access of a kernel to device memory: an atomic update does both.
void AccountAnyAccess(std::uintptr_t offset, std::size_t bytes, Operation operation);
inline void NoteKernelAccess(std::uintptr_t offset, std::size_t bytes, Operation operation) {
  if (account_spans.unread.Touches(offset, bytes) || account_spans.marked.Touches(offset, bytes)) {
    AccountAnyAccess(offset, bytes, operation);
  }
}

// A kernel writes a __device__ variable.
void AccountVariableWrite(const char* address, std::size_t bytes);

// Host code reads or writes managed or pinned memory at `pc`.
void AccountHostAccess(const char* address, std::size_t bytes, bool writes, const void* pc);

// A kernel reads or writes memory of the host, or managed memory; `moved` bytes cross the bus.
void AccountHostMemory(const Access& access, bool is_managed, std::size_t moved);

// Profile mode: managed memory is about to be freed.
void AccountManagedFree(const Allocation& allocation);

// Defined by each mode: from now on the first read of the input by a kernel must be reported to
// AccountRead().
void OnWatchInput(const Allocation& input);

// Defined by each mode: a call begins; its work is over, and its outputs are live; the host copies
// or, from null, fills memory.
void OnCallBegin();
void OnCallEnd();
void OnCopied(const void* to, const void* from, std::size_t bytes);

// The memory is freed: clears its marks.  Called with the heap locked; takes no lock.
void AccountFree(const char* begin, std::size_t bytes);

// Bytes that the call has moved between host and device.
std::uint64_t HostDeviceBytes();
// Its allocations of device memory, without those of its arguments.
std::uint64_t Allocations();
void CountAllocation();
void ForgetHostDeviceBytes();

}  // namespace cudasim
