// Programs with invalid accesses by 2D and 3D copies and by textures.
#include <vector>

#include "common/cudasim/tests/bugs/bugs.h"

namespace memory_2d {

constexpr int kWidth = 10;
constexpr int kHeight = 4;

struct Pitched {
  float* data = nullptr;
  size_t pitch = 0;
};

Pitched AllocatePitched() {
  Pitched p;
  cudaMallocPitch(&p.data, &p.pitch, kWidth * sizeof(float), kHeight);
  return p;
}

PROGRAM(CopyOneRowTooMany) {
  const Pitched p = AllocatePitched();
  const std::vector<float> host(kWidth * (kHeight + 1));
  const size_t row = kWidth * sizeof(float);
  cudaMemcpy2D(p.data, p.pitch, host.data(), row, row, kHeight + 1, cudaMemcpyHostToDevice);
}

PROGRAM(FillWithTheWrongPitch) {
  const Pitched p = AllocatePitched();
  cudaMemset2D(p.data, 2 * p.pitch, 0, kWidth * sizeof(float), kHeight);
}

PROGRAM(CopyBoxOneSliceTooDeep) {
  const cudaExtent extent = make_cudaExtent(16, 4, 2);
  cudaPitchedPtr device{};
  cudaMalloc3D(&device, extent);
  std::vector<char> host(16 * 4 * 3);
  cudaMemcpy3DParms copy{};
  copy.srcPtr = device;
  copy.dstPtr = make_cudaPitchedPtr(host.data(), 16, 16, 4);
  copy.extent = make_cudaExtent(16, 4, 3);
  copy.kind = cudaMemcpyDeviceToHost;
  cudaMemcpy3D(&copy);
}

__global__ void Fetch(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);
}

cudaTextureObject_t MakeTexture(float* data, int count) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = data;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = count * sizeof(float);
  const cudaTextureDesc description{};
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  return texture;
}

PROGRAM(FetchAfterFree) {
  float* const values = Allocate<float>(16);
  const cudaTextureObject_t texture = MakeTexture(values, 16);
  cudaFree(values);
  Fetch<<<1, 16>>>(texture, Allocate<float>(16));
}

PROGRAM(FetchFromDestroyedTexture) {
  const cudaTextureObject_t texture = MakeTexture(Allocate<float>(16), 16);
  cudaDestroyTextureObject(texture);
  Fetch<<<1, 16>>>(texture, Allocate<float>(16));
}

PROGRAM(TextureLargerThanItsMemory) { MakeTexture(Allocate<float>(16), 17); }

}  // namespace memory_2d
