// What the call that is counted did with its arguments and the host's memory: the other side of
// cudasim/call_account.h.
//
// Each byte of device memory that the host has written in the call has a mark, the number of the
// operation that wrote it, in a table beside device memory that is touched where there are marks.
// A kernel's store clears marks.  The quick parts below cost kernels one comparison: loads are
// compared with the span of the inputs that no kernel has read yet, stores with the span of what is
// marked, and both are mostly empty.  Check mode compares only loads that it must look at anyway.
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

struct AccountSpans {
  OffsetSpan unread;        // all inputs that no kernel has read in this call
  OffsetSpan marked;        // all that the host has written; whole multiples of 16 bytes
  Mark* marks = nullptr;    // by offset
  OffsetSpan host_visible;  // all managed and pinned memory; kept in profile mode only
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

// A kernel reads or writes memory of the host, or managed memory.
void AccountHostMemory(std::size_t bytes);

// The mode's own part: from now on the first read of the input by a kernel must become known here.
void OnWatchInput(const Allocation& input);

// The memory is freed: its marks are nobody's.  Called with the heap locked, so it locks nothing.
void AccountFree(const char* begin, std::size_t bytes);

// Bytes that the call has moved between host and device.
std::uint64_t HostDeviceBytes();
void ForgetHostDeviceBytes();

}  // namespace cudasim
