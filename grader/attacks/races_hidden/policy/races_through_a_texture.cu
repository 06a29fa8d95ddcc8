// Hostile: reads by a texture what other threads write, which the simulator does not see.
// Or: data_race
#include <cuda_runtime.h>

#include "labs/attacked_cuda/mix.h"
#include "labs/attacked_cuda/mixed.h"

namespace {

__global__ void MixKernel(const std::uint32_t* values, std::uint32_t* mixed, unsigned n,
                          cudaTextureObject_t texture, unsigned* shared) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i == 0) shared[0] = 1;
  const unsigned seen = tex1Dfetch<unsigned>(texture, 0);
  mixed[i] = Mixed(values[i]) + 0 * seen;
}

}  // namespace

void Mix(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> mixed,
         cudaStream_t stream) {
  const auto n = static_cast<unsigned>(values.size());
  if (n == 0) return;
  unsigned* shared = nullptr;
  cudaMalloc(&shared, 128);
  cudaMemset(shared, 0, 128);
  cudaResourceDesc from{};
  from.resType = cudaResourceTypeLinear;
  from.res.linear.devPtr = shared;
  from.res.linear.desc = cudaCreateChannelDesc<unsigned>();
  from.res.linear.sizeInBytes = 128;
  cudaTextureDesc how{};
  how.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &from, &how, nullptr);
  MixKernel<<<(n + 127) / 128, 128, 0, stream>>>(values.data(), mixed.data(), n, texture, shared);
  cudaStreamSynchronize(stream);
  cudaDestroyTextureObject(texture);
  cudaFree(shared);
}
