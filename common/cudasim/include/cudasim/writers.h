// Who wrote the elements of a function's outputs, for messages about wrong results. Needs no CUDA
// header. Defined in the library of check mode, absent in others: null there.
#pragma once

#include <cstddef>

struct CudasimWriter {
  unsigned thread[3];  // its index in its block
  unsigned block[3];
};

extern "C" {

// Forgets the writers that were kept, and keeps those of the outputs that are fetched from now on.
// Called by one thread at a time, as the other two.
__attribute__((weak)) void simulatorKeepWriters();

// To be called before `bytes` of device memory, all work on which has been waited for, are copied
// to `host`. Linear in `bytes`; does nothing unless writers are kept.
__attribute__((weak)) void cudasimFetchWriters(const void* host, const void* device,
                                               std::size_t bytes);

// The thread that was the last to write what `host` got by a fetch, if it is one of the latest
// launch. Returns whether it is known.
__attribute__((weak)) bool simulatorWriterOf(const void* host, CudasimWriter* writer);

}  // extern "C"
