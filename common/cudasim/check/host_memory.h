// What lies at an address that is neither device nor shared memory.
#pragma once

#include <string>

namespace cudasim {

// threadIdx, blockIdx, blockDim or gridDim of this OS thread.
bool IsRegister(const void* address);

// A segment of the program or its libraries that is never written: literals, constant tables,
// virtual tables.
bool IsReadOnlyData(const void* address);

// "a null pointer", "a pointer to a host global variable", ...
std::string DescribeHostPointer(const void* address);

}  // namespace cudasim
