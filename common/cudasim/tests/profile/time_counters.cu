// Kernels for the counters that serve the prediction of times: profile_time_counters_test.py knows
// what they count.

#include <cuda_runtime.h>

#include "common/cudasim/tests/profile/filled.h"
#include "common/cudasim/tests/programs.h"

namespace profile_time_counters {

constexpr unsigned kWarp = 32;
constexpr unsigned kRow = 64;
constexpr unsigned kCount = 1 << 16;  // of each array
constexpr unsigned kBlocks = 40;

__constant__ unsigned table[kWarp];

__global__ void ConstantOfWarp(unsigned* out) {
  unsigned sum = 0;
  for (unsigned k = 0; k < 10; ++k) sum += table[k];
  out[threadIdx.x] = sum;
}

__global__ void ConstantOfLanes(unsigned* out) {
  out[threadIdx.x] = table[threadIdx.x % 32] + table[threadIdx.x / 8 % 4];
}

// Each thread walks along a row of its own, as many rows apart as blocks are wide.
__global__ void Rows(const unsigned* in, unsigned* out) {
  unsigned sum = 0;
  for (unsigned k = 0; k < kRow; ++k) sum += in[threadIdx.x * kRow + k];
  out[threadIdx.x] = sum;
}

__global__ void Columns(const unsigned* in, unsigned* out) {
  unsigned sum = 0;
  for (unsigned k = 0; k < kRow; ++k) sum += in[k * kWarp + threadIdx.x];
  out[threadIdx.x] = sum;
}

// Every other lane's address lies in the same sector.
__global__ void Interleaved(const unsigned* in, unsigned* out) {
  out[threadIdx.x] = in[threadIdx.x % 2 * kRow + threadIdx.x / 4];
}

// A row of 1024 more sectors lies between a thread's loads of the same one.
__global__ void Twice(const unsigned* in, unsigned* out) {
  unsigned sum = 0;
  for (unsigned turn = 0; turn < 2; ++turn) {
    for (unsigned k = 0; k < 200; ++k) sum += in[k * kWarp + threadIdx.x];
  }
  out[threadIdx.x] = sum;
}

struct Particle {
  unsigned x, y, z, mass, u, v, w, drag;
};

__global__ void Structs(Particle* particles) {
  Particle& p = particles[threadIdx.x];
  p.x += p.u;
  p.y += p.v;
  p.z += p.w;
}

// The same store comes in rounds of a loop, which no cache waits for.
__global__ void StoreRows(unsigned* out) {
  for (unsigned k = 0; k < kRow; ++k) out[threadIdx.x * kRow + k] = k;
}

// Loops that a compiler unrolls, and those whose stores or barriers hold back the loads.
__global__ void StoresInLoop(const unsigned* in, unsigned* out) {
  for (unsigned k = 0; k < kRow; ++k) out[k * kWarp + threadIdx.x] = in[k * kWarp + threadIdx.x];
}

__global__ void BarriersInLoop(const unsigned* in, unsigned* out) {
  unsigned sum = 0;
  for (unsigned k = 0; k < kRow; ++k) {
    sum += in[k * kWarp + threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// A loop of many basic blocks, too long to unroll.
__global__ void LongLoop(const unsigned* in, unsigned* out) {
  unsigned sum = 0;
  for (unsigned k = 0; k < kRow; ++k) {
    sum += in[k * kWarp + threadIdx.x];
    for (unsigned bit = 0; bit < 10; ++bit) sum = sum % 3 == 0 ? sum / 2 : 3 * sum + bit;
  }
  out[threadIdx.x] = sum;
}

__global__ void SharedLoop(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[kRow];
  tile[threadIdx.x] = in[threadIdx.x];
  tile[kWarp + threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  unsigned sum = 0;
  for (unsigned k = 0; k < kRow; ++k) sum += tile[k];
  out[threadIdx.x] = sum;
}

// Lanes go apart between the loads.
__global__ void DivergentSharedLoop(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[kRow];
  tile[threadIdx.x] = in[threadIdx.x];
  tile[kWarp + threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  unsigned sum = 0;
  for (unsigned k = 0; k < kRow; ++k) {
    const unsigned value = tile[k];
    if (((threadIdx.x ^ k) & 1) != 0) sum = value % (sum + 3);
  }
  out[threadIdx.x] = sum;
}

__global__ void GridStride(const unsigned* in, unsigned* out) {
  unsigned sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < kCount;
       i += gridDim.x * blockDim.x) {
    sum += in[i];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__device__ unsigned SumOfBlock(const unsigned* in) {
  unsigned sum = 0;
  for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) sum += in[i];
  return sum;
}

__global__ void BlockStride(const unsigned* in, unsigned* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = SumOfBlock(in);
}

__global__ void StrideOfOneBlock(const unsigned* in, unsigned* out) {
  out[threadIdx.x] = SumOfBlock(in);
}

// Each block waits for a sum and a flag of the one before.
__global__ void Chained(volatile unsigned* sums, volatile unsigned* flags) {
  if (blockIdx.x > 0) {
    while (flags[blockIdx.x - 1] == 0) {
    }
  }
  __threadfence();
  sums[blockIdx.x] = blockIdx.x > 0 ? sums[blockIdx.x - 1] + 1 : 1;
  __threadfence();
  flags[blockIdx.x] = 1;
}

__global__ void ChainedByAtomics(unsigned* flags) {
  if (blockIdx.x > 0) {
    while (atomicAdd(&flags[blockIdx.x - 1], 0) == 0) {
    }
  }
  atomicAdd(&flags[blockIdx.x], 1);
}

// A block says what it has, looks at the one before, and says more.
__global__ void LookBack(volatile unsigned* flags) {
  flags[blockIdx.x] = 1;
  if (blockIdx.x > 0) {
    while (flags[blockIdx.x - 1] == 0) {
    }
  }
  flags[blockIdx.x] = 2;
}

// The same by a warp, whose lanes look at several blocks. A lane that reads may run before the one
// that writes first.
__global__ void LookBackByWarp(volatile unsigned* flags) {
  __syncthreads();
  if (threadIdx.x == 0) flags[blockIdx.x] = 1;
  if (threadIdx.x < blockIdx.x) {
    while (flags[blockIdx.x - 1 - threadIdx.x] == 0) {
    }
  }
  __syncwarp();
  if (threadIdx.x == 0) flags[blockIdx.x] = 2;
}

// One lane waits, another hands on.
__global__ void ChainedByWarp(volatile unsigned* flags) {
  if (threadIdx.x == 31 && blockIdx.x > 0) {
    while (flags[blockIdx.x - 1] == 0) {
    }
  }
  __syncwarp();
  if (threadIdx.x == 0) flags[blockIdx.x] = 1;
}

__global__ void ChainedByBlock(volatile unsigned* flags) {
  if (threadIdx.x == 63 && blockIdx.x > 0) {
    while (flags[blockIdx.x - 1] == 0) {
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) flags[blockIdx.x] = 1;
}

// Neighbouring blocks add to one place.
__global__ void SharedEdges(unsigned* sums) {
  atomicAdd(&sums[blockIdx.x], 2);
  atomicAdd(&sums[blockIdx.x + 1], 3);
}

__global__ void Tickets(unsigned* next, unsigned* out) {
  const unsigned ticket = atomicAdd(next, 1);
  out[ticket] = blockIdx.x;
}

// The last block reads what all others have written.
__global__ void LastBlock(volatile unsigned* parts, unsigned* done, unsigned* out) {
  parts[blockIdx.x] = 1;
  __threadfence();
  if (atomicAdd(done, 1) + 1 < gridDim.x) return;
  unsigned sum = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) sum += parts[b];
  *out = sum;
}

// Blocks read data of all blocks before them.
__global__ void ManyReads(volatile unsigned* parts) {
  unsigned sum = 1;
  for (unsigned k = 0; k < 100; ++k) {
    if (blockIdx.x > 0) sum += parts[(blockIdx.x - 1) * 100 + k];
  }
  for (unsigned k = 0; k < 100; ++k) parts[blockIdx.x * 100 + k] = sum;
}

// More places than a kernel's heap has room for.
__global__ void ManyFlags(volatile unsigned* flags) {
  flags[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

unsigned* Zeros() {
  return Filled<kCount>([](unsigned) { return 0u; });
}

PROGRAM(time_counters) {
  unsigned* const in = Filled<kCount>([](unsigned i) { return i; });
  unsigned* const out = Zeros();
  ConstantOfWarp<<<2, kWarp>>>(out);
  ConstantOfLanes<<<1, kWarp>>>(out);
  Rows<<<1, kWarp>>>(in, out);
  Columns<<<1, kWarp>>>(in, out);
  Interleaved<<<1, kWarp>>>(in, out);
  Twice<<<1, kWarp>>>(in, out);
  Structs<<<1, kWarp>>>(reinterpret_cast<Particle*>(out));
  StoreRows<<<1, kWarp>>>(out);
  LongLoop<<<1, kWarp>>>(in, out);
  SharedLoop<<<1, kWarp>>>(in, out);
  DivergentSharedLoop<<<1, kWarp>>>(in, out);
  StoresInLoop<<<1, kWarp>>>(in, out);
  BarriersInLoop<<<1, kWarp>>>(in, out);
  GridStride<<<8, 64>>>(in, out);
  BlockStride<<<8, 64>>>(in, out);
  StrideOfOneBlock<<<1, 64>>>(in, out);
  Chained<<<kBlocks, 1>>>(Zeros(), Zeros());
  ChainedByAtomics<<<kBlocks, 1>>>(Zeros());
  LookBack<<<kBlocks, 1>>>(Zeros());
  LookBackByWarp<<<kBlocks, 32>>>(Zeros());
  ChainedByWarp<<<kBlocks, 32>>>(Zeros());
  ChainedByBlock<<<kBlocks, 64>>>(Zeros());
  SharedEdges<<<kBlocks, 1>>>(Zeros());
  Tickets<<<kBlocks, 1>>>(Zeros(), out);
  LastBlock<<<kBlocks, 1>>>(Zeros(), Zeros(), out);
  ManyReads<<<kBlocks, 1>>>(Zeros());
  ManyFlags<<<512, 512>>>(Filled<512 * 512>([](unsigned) { return 0u; }));
}

}  // namespace profile_time_counters
