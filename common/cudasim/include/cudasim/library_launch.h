// How the algorithms of Thrust and CUB run: as kernels, with all that check mode knows of kernels.
//
// Reports and profiles name the line of the program that calls the algorithm.  What lies between is
// always inlined, so that calls of the runtime return to that line.
#pragma once

#include <cstddef>

#include "cudasim/instrumented.h"
#include "cudasim/launch.h"
#include "cudasim/library_algorithms.h"
#include "cudasim/library_radix_sort.h"
#include "cudasim/registers.h"
#include "cudasim/switch.h"

extern "C" {
// Reports temporary storage that is too small for the call.  Returns cudaErrorInvalidValue.
cudaError_t cudasim_small_storage(const char* call, std::size_t bytes, std::size_t needed);
}

namespace cudasim {

// Configure() for a library's algorithm, whose place is that of the call; `name` lives as long as
// the program.  Profile mode counts one that is sequential here as a parallel one: see OnSweep().
KernelSource ConfigureAlgorithm(const char* name, bool sequential, unsigned blocks,
                                unsigned threads, cudaStream_t stream);

namespace library {

// A kernel's name as a template argument.
template <std::size_t kLength>
struct Name {
  char text[kLength];
  consteval Name(const char (&name)[kLength]) {
    for (std::size_t i = 0; i < kLength; ++i) text[i] = name[i];
  }
};

CUDASIM_UNSEEN bool InKernel() { return current_fiber != nullptr; }

// Launches body(i) for each i below `count`, which is not 0: a thread for each.
template <Name kName, class Body>
CUDASIM_INLINE void LaunchForEach(cudaStream_t stream, std::size_t count, Body body) {
  constexpr unsigned kBlock = 256;
  const auto blocks = static_cast<unsigned>((count + kBlock - 1) / kBlock);
  const KernelSource source = ConfigureAlgorithm(kName.text, false, blocks, kBlock, stream);
  Enter(source, [=]() mutable CUDASIM_INLINE_LAMBDA {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < count) body(i);
  });
}

// Launches body() in one thread.
template <Name kName, class Body>
CUDASIM_INLINE void LaunchOnce(cudaStream_t stream, Body body) {
  Enter(ConfigureAlgorithm(kName.text, true, 1, 1, stream), body);
}

}  // namespace library
}  // namespace cudasim
