// malloc, free, new and delete in kernels.
#pragma once

#include <atomic>
#include <cstddef>

namespace cudasim {

// Bytes that malloc() in kernels may hand out in all: cudaLimitMallocHeapSize.
std::atomic<std::size_t>& KernelHeapLimit();

}  // namespace cudasim
