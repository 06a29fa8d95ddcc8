// Device memory that the host has initialised, by cudaMemcpy, cudaMemset and similar functions.
// The shadow cells record what kernels initialise.  Thread-safe.
#pragma once

#include <cstddef>

#include "common/cudasim/check/shadow_cell.h"

namespace cudasim {

// Marks [begin, begin + bytes) as initialised.
void NoteInitialised(const void* begin, std::size_t bytes);

// Marks freed memory as uninitialised.
void ForgetInitialised(const void* begin, std::size_t bytes);

// Sets in each of the `words` cells, of the words from `begin` on, the bits of the bytes that the
// host has initialised.
void MarkInitialised(const char* begin, std::size_t words, ShadowCell* cells);

}  // namespace cudasim
