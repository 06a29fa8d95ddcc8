// Sorting and choosing.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/exercises/exercises.h"

namespace predict::exercises {
namespace {

// A radix sort of keys of 16 bits, by one bit or four in each pass. A pass counts the digits of
// each block's 256 keys, adds up the counts, and moves the keys.
constexpr unsigned kBits = 16;
constexpr unsigned kDigitBits = 4;
constexpr unsigned kDigits = 1 << kDigitBits;

// How many of the block's threads with smaller numbers have the flag; *all is how many there are.
__device__ unsigned FlagsBefore(bool flag, unsigned* all) {
  __shared__ unsigned of_warps[8];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const unsigned flags = __ballot_sync(kAllLanes, flag);
  __syncthreads();
  if (lane == 0) of_warps[warp] = static_cast<unsigned>(__popc(flags));
  __syncthreads();
  auto before = static_cast<unsigned>(__popc(flags & ((1u << lane) - 1)));
  unsigned sum = 0;
  for (unsigned w = 0; w < 8; ++w) {
    if (w < warp) before += of_warps[w];
    sum += of_warps[w];
  }
  *all = sum;
  return before;
}

__global__ void RadixCountBit(const unsigned* keys, unsigned* counts, unsigned bit) {
  const unsigned key = keys[blockIdx.x * 256 + threadIdx.x];
  const int zeros = __syncthreads_count((key >> bit & 1) == 0);
  if (threadIdx.x == 0) counts[blockIdx.x] = static_cast<unsigned>(zeros);
}

// One block replaces n counts by the sums of those before; the sum of all follows them.
__global__ void RadixSum(unsigned* counts, unsigned n) {
  __shared__ unsigned sums[1024];
  const unsigned t = threadIdx.x;
  unsigned before = 0;
  for (unsigned first = 0; first < n; first += 1024) {
    const unsigned mine = first + t < n ? counts[first + t] : 0;
    sums[t] = mine;
    __syncthreads();
    for (unsigned apart = 1; apart < 1024; apart *= 2) {
      const unsigned other = t >= apart ? sums[t - apart] : 0;
      __syncthreads();
      sums[t] += other;
      __syncthreads();
    }
    if (first + t < n) counts[first + t] = before + sums[t] - mine;
    before += sums[1023];
    __syncthreads();
  }
  if (t == 0) counts[n] = before;
}

__global__ void RadixMoveBit(const unsigned* keys, const unsigned* counts, unsigned* out,
                             unsigned bit) {
  const unsigned i = blockIdx.x * 256 + threadIdx.x;
  const unsigned key = keys[i];
  const bool is_zero = (key >> bit & 1) == 0;
  unsigned all = 0;
  const unsigned zeros = counts[blockIdx.x] + FlagsBefore(is_zero, &all);
  out[is_zero ? zeros : counts[gridDim.x] + i - zeros] = key;
}

__global__ void RadixCountDigits(const unsigned* keys, unsigned* counts, unsigned bit) {
  __shared__ unsigned mine[kDigits];
  if (threadIdx.x < kDigits) mine[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&mine[keys[blockIdx.x * 256 + threadIdx.x] >> bit & (kDigits - 1)], 1u);
  __syncthreads();
  if (threadIdx.x < kDigits) counts[threadIdx.x * gridDim.x + blockIdx.x] = mine[threadIdx.x];
}

// Sorts the block's keys by the digit first, so that neighbours move to neighbours.
__global__ void RadixMoveDigits(const unsigned* keys, const unsigned* counts, unsigned* out,
                                unsigned bit) {
  __shared__ unsigned tile[256];
  __shared__ unsigned begins[kDigits];
  const unsigned t = threadIdx.x;
  unsigned key = keys[blockIdx.x * 256 + t];
  for (unsigned k = bit; k < bit + kDigitBits; ++k) {
    const bool is_zero = (key >> k & 1) == 0;
    unsigned all = 0;
    const unsigned zeros = FlagsBefore(is_zero, &all);
    tile[is_zero ? zeros : all + t - zeros] = key;
    __syncthreads();
    key = tile[t];
    __syncthreads();
  }
  const unsigned digit = key >> bit & (kDigits - 1);
  if (t == 0 || (tile[t - 1] >> bit & (kDigits - 1)) != digit) begins[digit] = t;
  __syncthreads();
  out[counts[digit * gridDim.x + blockIdx.x] + t - begins[digit]] = key;
}

struct Keys {
  explicit Keys(unsigned n)
      : n(n),
        start(Filled<unsigned>(n, [](unsigned i) { return Mixed(i) >> 16; })),
        counts(Room<unsigned>(n / 256 * kDigits + 1)),
        keys{Room<unsigned>(n), Room<unsigned>(n)} {}
  std::vector<double> Results() const { return OnHost(keys[0]); }
  unsigned n;
  NumberArray start, counts;
  NumberArray keys[2];
};

void RunRadixBits(const Keys& p) {
  Copy(p.start, p.keys[0]);
  const unsigned blocks = p.n / 256;
  for (unsigned bit = 0; bit < kBits; ++bit) {
    const unsigned* const keys = p.keys[bit % 2]->data();
    RadixCountBit<<<blocks, 256>>>(keys, p.counts->data(), bit);
    RadixSum<<<1, 1024>>>(p.counts->data(), blocks);
    RadixMoveBit<<<blocks, 256>>>(keys, p.counts->data(), p.keys[1 - bit % 2]->data(), bit);
  }
}

void RunRadixDigits(const Keys& p) {
  Copy(p.start, p.keys[0]);
  const unsigned blocks = p.n / 256;
  for (unsigned pass = 0; pass < kBits / kDigitBits; ++pass) {
    const unsigned* const keys = p.keys[pass % 2]->data();
    const unsigned bit = pass * kDigitBits;
    RadixCountDigits<<<blocks, 256>>>(keys, p.counts->data(), bit);
    RadixSum<<<1, 1024>>>(p.counts->data(), blocks * kDigits);
    RadixMoveDigits<<<blocks, 256>>>(keys, p.counts->data(), p.keys[1 - pass % 2]->data(), bit);
  }
}

// The 8 largest of each of n rows of 256 numbers, in order: a thread inserts a row's numbers one by
// one, or a warp looks 8 times for the largest that is left.
constexpr unsigned kWidth = 256;
constexpr unsigned kBest = 8;

__global__ void BestByThreads(const float* rows, float* best, unsigned n) {
  const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float mine[kBest];
#pragma unroll
  for (unsigned k = 0; k < kBest; ++k) mine[k] = -1;
  for (unsigned i = 0; i < kWidth; ++i) {
    float value = rows[row * kWidth + i];
    if (value <= mine[kBest - 1]) continue;
#pragma unroll
    for (unsigned k = 0; k < kBest; ++k) {
      const float larger = fmaxf(mine[k], value);
      value = fminf(mine[k], value);
      mine[k] = larger;
    }
  }
#pragma unroll
  for (unsigned k = 0; k < kBest; ++k) best[row * kBest + k] = mine[k];
}

__global__ void BestByWarps(const float* rows, float* best) {
  const unsigned row = blockIdx.x * 4 + threadIdx.x / 32;
  const unsigned lane = threadIdx.x % 32;
  float mine[kWidth / 32];
#pragma unroll
  for (unsigned k = 0; k < kWidth / 32; ++k) mine[k] = rows[row * kWidth + k * 32 + lane];
  for (unsigned rank = 0; rank < kBest; ++rank) {
    float largest = mine[0];
#pragma unroll
    for (unsigned k = 1; k < kWidth / 32; ++k) largest = fmaxf(largest, mine[k]);
    float of_all = largest;
    for (int lanes = 16; lanes > 0; lanes /= 2) {
      of_all = fmaxf(of_all, __shfl_xor_sync(kAllLanes, of_all, lanes));
    }
    const unsigned owners = __ballot_sync(kAllLanes, largest == of_all);
    if (static_cast<unsigned>(__ffs(static_cast<int>(owners)) - 1) == lane) {
      best[row * kBest + rank] = of_all;
      bool is_gone = false;
#pragma unroll
      for (unsigned k = 0; k < kWidth / 32; ++k) {
        if (is_gone || mine[k] != of_all) continue;
        mine[k] = -1;
        is_gone = true;
      }
    }
  }
}

struct Choices {
  explicit Choices(unsigned n) : n(n), rows(Fractions(n * kWidth)), best(Room<float>(n * kBest)) {}
  std::vector<double> Results() const { return OnHost(best); }
  unsigned n;
  FloatArray rows, best;
};

void RunBestByThreads(const Choices& p) {
  BestByThreads<<<Blocks(p.n, 64), 64>>>(p.rows->data(), p.best->data(), p.n);
}

void RunBestByWarps(const Choices& p) {
  BestByWarps<<<p.n / 4, 128>>>(p.rows->data(), p.best->data());
}

}  // namespace

std::vector<Problem> Ordering() {
  return {
      Of<Keys>("Radix", {1 << 10, 1 << 14, 1 << 18},
               {{"bits", RunRadixBits}, {"digits", RunRadixDigits}}),
      Of<Choices>("Best", {128, 2048, 1 << 15},
                  {{"threads", RunBestByThreads}, {"warps", RunBestByWarps}}),
  };
}

}  // namespace predict::exercises
