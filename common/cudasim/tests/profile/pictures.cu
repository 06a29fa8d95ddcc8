// Programs whose pictures are known: common/cudasim/pictures/tests says what they show.

#include <cuda_runtime.h>

#include "common/cudasim/tests/profile/filled.h"
#include "common/cudasim/tests/programs.h"

namespace profile_pictures {

constexpr unsigned kCount = 1024;
constexpr unsigned kTile = 32;

__global__ void Coalesced(const unsigned* in, unsigned* out) { out[threadIdx.x] = in[threadIdx.x]; }

// 32 lanes, 8 bytes apart.
__global__ void StrideOfTwo(const unsigned* in, unsigned* out) {
  out[threadIdx.x] = in[2 * threadIdx.x];
}

// The warp reads a column: all its words are in one bank, or each in another one.
__global__ void Unpadded(unsigned* out) {
  __shared__ unsigned tile[kTile][kTile];
  tile[threadIdx.x][3] = threadIdx.x;
  out[threadIdx.x] = tile[threadIdx.x][3];
}
__global__ void Padded(unsigned* out) {
  __shared__ unsigned tile[kTile][kTile + 1];
  tile[threadIdx.x][3] = threadIdx.x;
  out[threadIdx.x] = tile[threadIdx.x][3];
}

// The lanes' strides are 1, 1, 1, 4 and 8 words.
__global__ void Growing(const unsigned* in, unsigned* out) {
  for (unsigned step = 0; step < 5; ++step) {
    out[threadIdx.x] += in[threadIdx.x * (step < 3 ? 1 : step == 3 ? 4 : 8)];
  }
}

__global__ void OneCounter(unsigned* out) { atomicAdd(out, threadIdx.x); }

// The first ten lanes go another way.
__global__ void Divided(const unsigned* in, unsigned* out) {
  if (threadIdx.x < 10) {
    out[threadIdx.x] = in[threadIdx.x] * in[threadIdx.x + 32];
  } else {
    out[threadIdx.x] = in[threadIdx.x + 64];
  }
}

// Of four warps the last one comes late to the first barrier; nobody waits at the second.
__global__ void LateWarp(const unsigned* in, unsigned* out) {
  unsigned sum = 0;
  for (unsigned i = 0; i < (threadIdx.x < 96 ? 1u : 50u); ++i) sum += in[i];
  __syncthreads();
  out[threadIdx.x] = sum;
  __syncthreads();
  out[threadIdx.x] += 1;
}

__global__ void Step(unsigned* data) { data[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

PROGRAM(accesses) {
  unsigned* const in = Filled<kCount>([](unsigned i) { return i; });
  unsigned* const out = Filled<kCount>([](unsigned) { return 0u; });
  Coalesced<<<1, 32>>>(in, out);
  StrideOfTwo<<<1, 32>>>(in, out);
  Unpadded<<<1, 32>>>(out);
  Padded<<<1, 32>>>(out);
  Growing<<<1, 32>>>(in, out);
  OneCounter<<<1, 32>>>(out);
  Divided<<<1, 32>>>(in, out);
  LateWarp<<<1, 128>>>(in, out);
  for (unsigned* const array : {in, out}) cudaFree(array);
}

// 200 launch configurations, so that the profile is long.
PROGRAM(many_shapes) {
  unsigned* const data = Filled<kCount>([](unsigned) { return 0u; });
  for (unsigned threads = 1; threads <= 200; ++threads) Step<<<1, threads>>>(data);
  cudaFree(data);
}

// Two streams, each with a copy in, a kernel and a copy out; then one kernel after both.
PROGRAM(two_streams) {
  constexpr unsigned kBytes = kCount * sizeof(unsigned);
  unsigned* host = nullptr;
  unsigned* data = nullptr;
  cudaMallocHost(&host, 2 * kBytes);
  cudaMalloc(&data, 2 * kBytes);
  cudaStream_t streams[2];
  for (unsigned i = 0; i < 2; ++i) {
    cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking);
    unsigned* const half = data + i * kCount;
    cudaMemcpyAsync(half, host + i * kCount, kBytes, cudaMemcpyHostToDevice, streams[i]);
    Step<<<4, 256, 0, streams[i]>>>(half);
    cudaMemcpyAsync(host + i * kCount, half, kBytes, cudaMemcpyDeviceToHost, streams[i]);
  }
  for (const cudaStream_t stream : streams) cudaStreamSynchronize(stream);
  Step<<<8, 256>>>(data);
  cudaDeviceSynchronize();
  for (const cudaStream_t stream : streams) cudaStreamDestroy(stream);
  cudaFree(data);
  cudaFreeHost(host);
}

}  // namespace profile_pictures
