// Device memory that the host has written: by cudaMemcpy, cudaMemset and their relatives.  What
// kernels write is noted in the shadow.  Thread-safe.
#pragma once

#include <cstddef>

#include "common/cudasim/check/shadow_cell.h"

namespace cudasim {

// [begin, begin + bytes) holds values from now on.
void NoteInitialised(const void* begin, std::size_t bytes);

// The memory is freed: whoever gets it next finds nothing in it.
void ForgetInitialised(const void* begin, std::size_t bytes);

// Adds to each of the cells, of as many words from `begin` on, which bytes the host has written.
void MarkInitialised(const char* begin, std::size_t words, ShadowCell* cells);

}  // namespace cudasim
