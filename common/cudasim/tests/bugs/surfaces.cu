// Programs with invalid accesses to surfaces and to textures that a kernel writes.
#include <vector>

#include "common/cudasim/tests/bugs/bugs.h"

namespace surfaces {

constexpr int kWidth = 8, kHeight = 4;

struct Image {
  cudaArray_t array = nullptr;
  cudaSurfaceObject_t surface = 0;
  cudaTextureObject_t texture = 0;
};

Image MakeImage(bool filled, unsigned flags = 0, int layers = 0) {
  Image image;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMalloc3DArray(&image.array, &format, make_cudaExtent(kWidth, kHeight, layers),
                    flags | cudaArraySurfaceLoadStore);
  const std::vector<float> host(kWidth * kHeight, 1.0f);
  if (filled) {
    cudaMemcpy2DToArray(image.array, 0, 0, host.data(), kWidth * 4, kWidth * 4, kHeight,
                        cudaMemcpyHostToDevice);
  }
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = image.array;
  cudaCreateSurfaceObject(&image.surface, &resource);
  const cudaTextureDesc description{};
  cudaCreateTextureObject(&image.texture, &resource, &description, nullptr);
  return image;
}

__global__ void WriteAt(cudaSurfaceObject_t surface, int bytes, int y) {
  surf2Dwrite(1.0f, surface, static_cast<int>(threadIdx.x) * bytes, y);
}

PROGRAM(ForgetsThatXIsInBytes) { WriteAt<<<1, kWidth>>>(MakeImage(true).surface, 1, 0); }
PROGRAM(OneElementTooMany) { WriteAt<<<1, kWidth + 1>>>(MakeImage(true).surface, 4, 0); }
PROGRAM(WritesThroughNoHandle) { WriteAt<<<1, 1>>>(0, 4, 0); }

PROGRAM(WritesAFreedArray) {
  const Image image = MakeImage(true);
  cudaFreeArray(image.array);
  WriteAt<<<1, 1>>>(image.surface, 4, 0);
}

PROGRAM(WritesALayeredArrayAsAFlatOne) {
  WriteAt<<<1, 1>>>(MakeImage(false, cudaArrayLayered, 2).surface, 4, 0);
}

__global__ void Fetch(cudaTextureObject_t texture, float* out) {
  *out = tex2DLayered<float>(texture, 0, 0, 0);
}

PROGRAM(FetchesAFlatArrayByLayers) { Fetch<<<1, 1>>>(MakeImage(true).texture, Allocate<float>(1)); }

__global__ void WriteSame(cudaSurfaceObject_t surface) {
  surf2Dwrite(static_cast<float>(threadIdx.x), surface, threadIdx.x / 2 * 4, 0);
}

PROGRAM(TwoThreadsWriteOneElement) { WriteSame<<<1, 2>>>(MakeImage(true).surface); }

__global__ void ReadNext(cudaSurfaceObject_t surface) {
  const int x = static_cast<int>(threadIdx.x) * 4;
  surf2Dwrite(2.0f, surface, x, 0);
  __syncthreads();
  surf2Dwrite(surf2Dread<float>(surface, (x + 4) % (kWidth * 4), 0), surface, x, 1);
}

PROGRAM(ReadsWhatTheLaunchHasWritten) { ReadNext<<<1, kWidth>>>(MakeImage(true).surface); }

__global__ void FetchNext(cudaSurfaceObject_t surface, cudaTextureObject_t texture, float* out) {
  const int x = static_cast<int>(threadIdx.x);
  surf2Dwrite(2.0f, surface, x * 4, 0);
  __syncthreads();
  out[x] = tex2D<float>(texture, (x + 1) % kWidth, 0);
}

PROGRAM(FetchesWhatTheLaunchHasWritten) {
  const Image image = MakeImage(true);
  FetchNext<<<1, kWidth>>>(image.surface, image.texture, Allocate<float>(kWidth));
}

__global__ void FetchOrWrite(cudaTextureObject_t texture, float* values) {
  const int i = static_cast<int>(threadIdx.x % 32);
  if (threadIdx.x < 32) {
    values[i + 32] = tex1Dfetch<float>(texture, i);
  } else {
    values[i] = 1.0f;
  }
}

// Nothing orders the fetch before the other warp's write.
PROGRAM(WritesWhatAnotherThreadFetches) {
  float* const values = Zeros<float>(64);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = values;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = 64 * sizeof(float);
  const cudaTextureDesc description{};
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  FetchOrWrite<<<1, 64>>>(texture, values);
}

__global__ void ReadUnset(cudaSurfaceObject_t surface, float* out) {
  *out = surf2Dread<float>(surface, 4, 1);
}

PROGRAM(ReadsAnArrayThatNothingHasSet) {
  ReadUnset<<<1, 1>>>(MakeImage(false).surface, Allocate<float>(1));
}

PROGRAM(NeverDestroysTheSurface) {
  const Image image = MakeImage(true);
  cudaDestroyTextureObject(image.texture);
  cudaFreeArray(image.array);
}

}  // namespace surfaces
