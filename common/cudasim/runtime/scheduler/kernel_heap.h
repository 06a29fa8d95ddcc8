// malloc, free, new and delete in kernels.
#pragma once

#include <atomic>
#include <cstddef>

namespace cudasim {

// Bytes that malloc() in kernels may hand out in all: cudaLimitMallocHeapSize.
std::atomic<std::size_t>& KernelHeapLimit();

}  // namespace cudasim

extern "C" {
// operator new and delete, called from `caller`.
void* cudasim_new(std::size_t bytes, const void* caller);
void cudasim_delete(void* pointer, const void* caller);
}
