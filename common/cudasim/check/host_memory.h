// Classifies addresses that are neither device nor shared memory.
#pragma once

#include <string>

namespace cudasim {

// threadIdx, blockIdx, blockDim or gridDim of this OS thread.
bool IsRegister(const void* address);

// True for read-only segments of the program and its libraries: literals, constant tables, virtual
// tables.
bool IsReadOnlyData(const void* address);

// "a pointer to a host global variable", ...
std::string DescribeHostPointer(const void* address);

}  // namespace cudasim
