// Kernels with atomic operations that nvcc combines for a warp, or does not:
// profile_programs_test.py knows how many.

#include <cuda_runtime.h>

#include "common/cudasim/tests/profile/filled.h"
#include "common/cudasim/tests/programs.h"

namespace profile_atomics {

constexpr unsigned kCount = 1024;  // of each array

// The address is the same for all threads.
__global__ void Sum(const unsigned* in, unsigned* out) { atomicAdd(out, in[threadIdx.x]); }
__global__ void Subtract(const unsigned* in, unsigned* out) { atomicSub(out, in[threadIdx.x]); }
__global__ void Places(const unsigned* in, unsigned* out) {
  out[threadIdx.x + 64] = atomicAdd(out, in[threadIdx.x]);
}
__global__ void Max(const unsigned* in, unsigned* out) { atomicMax(out, in[threadIdx.x]); }
__global__ void Or(const unsigned* in, unsigned* out) { atomicOr(out, in[threadIdx.x]); }
__global__ void LongSum(const unsigned* in, unsigned long long* out) {
  atomicAdd(out, static_cast<unsigned long long>(in[threadIdx.x]));
}
__global__ void LongCount(unsigned long long* out) { atomicAdd(out, 1ull); }
__global__ void FloatSum(const unsigned* in, float* out) {
  atomicAdd(out, static_cast<float>(in[threadIdx.x]));
}
__global__ void Exchange(const unsigned* in, unsigned* out) { atomicExch(out, in[threadIdx.x]); }
__global__ void Increment(unsigned* out) { atomicInc(out, 100); }
__global__ void Swap(const unsigned* in, unsigned* out) {
  out[threadIdx.x + 64] = atomicCAS(out, 0u, in[threadIdx.x]);
}

// Five lanes of each warp, one lane of the block.
__global__ void SumOfSome(const unsigned* in, unsigned* out) {
  if (threadIdx.x % 32 < 5) atomicAdd(out, in[threadIdx.x]);
}
__global__ void SumOfOne(const unsigned* in, unsigned* out) {
  if (threadIdx.x == 0) atomicAdd(out, in[threadIdx.x]);
}

// The first warp's keys are the same, the second one's are not.
__global__ void Bins(const unsigned* keys, unsigned* out) { atomicAdd(&out[keys[threadIdx.x]], 1); }

// In each block another address, ten times.
__global__ void SumOfBlocks(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 10; ++i) atomicAdd(&out[blockIdx.x * 8], in[threadIdx.x]);
}

// Block b needs 10 * (b + 1) results.
__global__ void Chain(unsigned* out) {
  unsigned sum = 0;
  for (unsigned i = 0; i < 10 * (blockIdx.x + 1); ++i) sum += atomicExch(&out[threadIdx.x], sum);
  out[threadIdx.x + 64] = sum;
}

__global__ void SharedSum(const unsigned* in, unsigned* out) {
  __shared__ unsigned sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[threadIdx.x]);
  __syncthreads();
  *out = sum;
}

__global__ void SharedFloatSum(const unsigned* in, float* out) {
  __shared__ float sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, static_cast<float>(in[threadIdx.x]));
  __syncthreads();
  *out = sum;
}

PROGRAM(atomics) {
  unsigned* const in = Filled<kCount>([](unsigned i) { return i + 2; });
  unsigned* const keys = Filled<kCount>([](unsigned i) { return i < 32 ? 0 : i % 4; });
  unsigned* const out = Filled<kCount>([](unsigned) { return 0u; });
  auto* const longs = reinterpret_cast<unsigned long long*>(out);
  auto* const floats = reinterpret_cast<float*>(out);
  Sum<<<2, 64>>>(in, out);
  Subtract<<<1, 64>>>(in, out);
  Places<<<1, 64>>>(in, out);
  Max<<<1, 64>>>(in, out);
  Or<<<1, 64>>>(in, out);
  LongSum<<<1, 64>>>(in, longs);
  LongCount<<<1, 64>>>(longs);
  FloatSum<<<1, 64>>>(in, floats);
  Exchange<<<1, 64>>>(in, out);
  Increment<<<1, 64>>>(out);
  Swap<<<1, 64>>>(in, out);
  SumOfSome<<<1, 64>>>(in, out);
  SumOfOne<<<1, 64>>>(in, out);
  Bins<<<1, 64>>>(keys, out);
  SumOfBlocks<<<4, 64>>>(in, out);
  Chain<<<3, 32>>>(out);
  SharedSum<<<1, 64>>>(in, out);
  SharedFloatSum<<<1, 64>>>(in, floats);
  for (unsigned* const array : {in, keys, out}) cudaFree(array);
}

}  // namespace profile_atomics
