// What CUB's device-wide functions share: each is called twice, first with a null pointer to learn
// how much temporary storage it needs.  Errors are returned; the host does not wait.
#pragma once

#include "../cuda_runtime.h"

#ifndef __CUDACC__
#error "cudasim: cub in a host file is not simulated: compile it as CUDA (.cu, or -x cu)"
#endif

#include <cstddef>
#include <cstdint>

#include "cudasim/library_launch.h"

namespace cub {

struct Sum {
  template <class A, class B>
  CUDASIM_INLINE auto operator()(const A& a, const B& b) const {
    return a + b;
  }
};
struct Min {
  template <class A, class B>
  CUDASIM_INLINE auto operator()(const A& a, const B& b) const {
    return b < a ? b : a;
  }
};
struct Max {
  template <class A, class B>
  CUDASIM_INLINE auto operator()(const A& a, const B& b) const {
    return a < b ? b : a;
  }
};
struct Equality {
  template <class A, class B>
  CUDASIM_INLINE bool operator()(const A& a, const B& b) const {
    return a == b;
  }
};

namespace two_phase {

constexpr std::size_t kAlignment = 256;

constexpr std::size_t Aligned(std::size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

// Storage for `count` items of T, at any address.
template <class T>
constexpr std::size_t BytesFor(std::size_t count) {
  return count * sizeof(T) + kAlignment;
}

// A GPU's algorithm keeps about one value for each of its blocks' tiles.
template <class T>
constexpr std::size_t BytesForTiles(std::size_t count) {
  constexpr std::size_t kTile = 2048;
  return BytesFor<T>(count / kTile + 1);
}

// Runs body(begin of the storage, aligned) as a kernel, or answers how much storage it needs.  The
// kernel writes the storage's ends: it must be device memory that nothing else uses at that time.
template <cudasim::library::Name kName, class Body>
CUDASIM_INLINE cudaError_t Run(void* storage, std::size_t& bytes, std::size_t needed,
                               cudaStream_t stream, Body body) {
  if (storage == nullptr) {
    bytes = needed;
    return cudaSuccess;
  }
  if (cudasim::library::InKernel()) return cudaErrorNotSupported;
  if (bytes < needed) return cudasim_small_storage(kName.text, bytes, needed);
  auto* const begin = static_cast<char*>(storage);
  cudasim::library::LaunchOnce<kName>(stream, [=]() mutable CUDASIM_INLINE_LAMBDA {
    begin[0] = begin[needed - 1] = 0;
    const auto address = reinterpret_cast<std::uintptr_t>(begin) + kAlignment - 1;
    body(reinterpret_cast<void*>(address / kAlignment * kAlignment));
  });
  return cudaPeekAtLastError();
}

}  // namespace two_phase
}  // namespace cub

// A static member function that the simulator lacks: a call is an error that names it.
#define CUDASIM_REFUSE_CUB(owner, name)                                                          \
  template <class... Arguments>                                                                  \
  static cudaError_t name(Arguments...) {                                                        \
    static_assert(sizeof...(Arguments) > 99, "cudasim: cub::" #owner "::" #name                  \
                                             " is not simulated; see common/cudasim/README.md"); \
    return cudaSuccess;                                                                          \
  }
