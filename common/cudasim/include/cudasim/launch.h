// What the rewriter makes of `kernel<<<...>>>(...)` and of a kernel's body.
//
//   kernel<<<config>>>(arguments)   ->  (::cudasim::Configure("file", line, config),
//   kernel(arguments))
//   __global__ void kernel(...) {}  ->  void kernel(...) { ::cudasim::Enter({...}, [=]() mutable
//   {}); }
//
// so overload resolution, template deduction and conversions are those of C++ itself.
#pragma once

#ifndef CUDASIM_INCLUDED_BY_CUDA_RUNTIME_H
#error "this header is private to the simulator: include <cuda_runtime.h>"
#endif

#include <cstddef>

#include "cudasim/driver_types.h"
#include "cudasim/run_threads.h"
#include "cudasim/vector_types.h"

namespace cudasim {

// Where a kernel is defined.  The strings live as long as the program.
struct KernelSource {
  const char* name;
  const char* file;
  int line;
};

// Remembers the configuration of the launch that the same expression makes next.
void Configure(const char* file, int line, dim3 grid, dim3 block, std::size_t shared_bytes = 0,
               cudaStream_t stream = nullptr);

// Runs the configured grid to its end.  Errors go where CUDA puts them: cudaGetLastError().
void Launch(const KernelSource& source, const void* body, ThreadLoop loop);

template <class Body>
CUDASIM_INLINE void Enter(const KernelSource& source, Body body) {
  Launch(source, &body, RunThreads<Body>);
}

}  // namespace cudasim
