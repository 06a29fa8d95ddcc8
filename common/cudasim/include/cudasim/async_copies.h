// Asynchronous copies: what cp.async does, and what the interfaces to it have in common.
//
// The bytes are copied at once.  Check mode treats them as in flight until they are waited for: any
// access to the destination, and any write to the source, is a race with the copy.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cudasim/phases.h"

namespace cudasim {

#ifdef CUDASIM_CHECK

CUDASIM_UNSEEN void CopyAsync(void* to, const void* from, std::size_t bytes, const void* barrier) {
  CheckCopy(to, from, bytes, barrier, __builtin_return_address(0));
}

#else

CUDASIM_INLINE void CopyAsync(void* to, const void* from, std::size_t bytes, const void*) {
  __builtin_memcpy(to, from, bytes);
}

#endif

// The pieces that a GPU copies one by one: of 16, 8 or 4 bytes as the addresses allow.
CUDASIM_INLINE std::size_t PieceOf(const void* to, const void* from, std::size_t bytes) {
  const std::size_t all =
      reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) | bytes;
  const std::size_t lowest = all & -all;
  return lowest == 0 || lowest > 16 ? 16 : lowest;
}

// The share of thread `rank` of `threads` in a copy that all of them make.
CUDASIM_INLINE void CopyShare(void* to, const void* from, std::size_t bytes, std::size_t rank,
                              std::size_t threads, const void* barrier) {
  const std::size_t piece = PieceOf(to, from, bytes);
  for (std::size_t at = rank * piece; at < bytes; at += threads * piece) {
    CopyAsync(static_cast<char*>(to) + at, static_cast<const char*>(from) + at, piece, barrier);
  }
}

// One cp.async, with zeros in place of the last `zeros` bytes.
CUDASIM_INLINE void CopyOnePiece(void* to, const void* from, std::size_t bytes, std::size_t zeros,
                                 const char* file, int line) {
  if ((bytes != 4 && bytes != 8 && bytes != 16) || zeros > bytes) {
    cudasim_misuse("invalid_copy", file, line,
                   "an asynchronous copy of a size that is not possible",
                   "it copies 4, 8 or 16 bytes");
  }
  if ((reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from)) % bytes !=
      0) {
    cudasim_misuse("invalid_copy", file, line, "an asynchronous copy between misaligned addresses",
                   "both must be multiples of the number of bytes");
  }
  constexpr char kZeros[16] = {};
  if (zeros < bytes) CopyAsync(to, from, bytes - zeros, nullptr);
  if (zeros > 0) CopyAsync(static_cast<char*>(to) + bytes - zeros, kZeros, zeros, nullptr);
}

}  // namespace cudasim

namespace cuda {

// A number of bytes, of which the addresses and the number are multiples of the alignment.
template <::std::size_t kAlignment>
struct aligned_size_t {
  static constexpr ::std::size_t align = kAlignment;
  CUDASIM_INLINE explicit aligned_size_t(::std::size_t size) : value(size) {}
  CUDASIM_INLINE operator ::std::size_t() const { return value; }
  ::std::size_t value;
};

}  // namespace cuda
