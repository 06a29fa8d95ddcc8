// A texture object, as the host made it and kernels fetch from it.
#pragma once

#include <cstddef>

#include "common/cudasim/include/cuda_runtime.h"

namespace cudasim {

struct Texture {
  const char* data = nullptr;
  cudaChannelFormatDesc format{};
  std::size_t size[3] = {1, 1, 1};  // in elements
  std::size_t pitch = 0;            // bytes
  std::size_t slice_bytes = 0;
  std::size_t element_bytes = 0;
  cudaTextureDesc description{};
  const cudaArray* array = nullptr;  // whose memory it is; null for linear memory
  bool alive = true;                 // records are kept, so that use after destruction is noticed
};

// True if the texture gives floats: by its format or by its read mode.
inline bool ReadsFloat(const Texture& t) {
  return t.format.f == cudaChannelFormatKindFloat ||
         t.description.readMode == cudaReadModeNormalizedFloat;
}

// Ends the launch if the texture is an array that functions for the shape cannot fetch from.
void RequireShape(const Texture& texture, const ArrayShape& shape, const void* caller);

// The texture of a handle that a kernel uses.  In check mode a handle that is no live texture
// object, or whose memory is freed, ends the launch; `caller` is the return address in the kernel.
const Texture& UseTexture(cudaTextureObject_t handle, const void* caller);

}  // namespace cudasim
