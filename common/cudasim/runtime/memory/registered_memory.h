// Host memory that the program registered with cudaHostRegister: kernels may reach it.
#pragma once

#include <cstddef>

namespace cudasim {

// All of these are thread-safe; linear in the number of registered ranges, which is small.

// False if part of it is registered already.
bool RegisterMemory(const void* begin, std::size_t bytes);

// False if no range that begins there is registered.
bool UnregisterMemory(const void* begin);

bool IsRegisteredMemory(const void* address, std::size_t bytes);

}  // namespace cudasim
