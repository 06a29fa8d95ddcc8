// Check mode's reports of pointers that the API refuses.  In plain mode these do nothing: the
// program gets CUDA's error code.
#pragma once

#include <cstddef>

namespace cudasim {

// One pointer argument of an API call.
struct ApiRange {
  const char* call;  // "cudaMemcpy"
  const char* role;  // "destination"
  const void* pointer;
  std::size_t bytes;
  const void* caller;  // return address
};

// `function`: "cudaFree", "cudaFreeHost", or "free" for one in a kernel.
void ReportBadFree(const char* function, const void* pointer, const void* caller);
void ReportBadDeviceRange(const ApiRange& range);
void ReportDevicePointerAsHost(const ApiRange& range);
// The pointer is the name of a __device__ or __constant__ variable.
void ReportNameOfSymbol(const ApiRange& range);
// In all modes: the range is longer than the host's memory at its beginning.  `made_at`: where that
// was allocated, a return address; null for a variable.
void ReportShortHostMemory(const ApiRange& range, std::size_t memory_bytes, const void* made_at);

}  // namespace cudasim
