// Right: the fast one. Letters are counted 64 at a time, bit by bit in registers: any text costs
// the same. Keys come in vectors of four, and four vectors at a time.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "common/cuda/check.h"
#include "labs/cuda_histogram/histogram.h"

namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kBits = 0x04020100u;      // byte 0 is 0, byte b + 1 has bit b
constexpr unsigned kMoreBits = 0x40201008u;  // bytes 4 to 7
constexpr unsigned kNoKey = 0xffffffffu;     // more than any number of bins
constexpr unsigned kSharedBins = 12288;      // 48 KiB

// 0 to 6, or 7 for what is no letter.
__device__ unsigned BinOf(char c) { return c >= 'a' && c <= 'z' ? (c - 'a') / 4 : kLetterBins; }

__global__ void GlobalKernel(const char* text, std::size_t n, unsigned* bins) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    const unsigned bin = BinOf(text[i]);
    if (bin < kLetterBins) atomicAdd(&bins[bin], 1u);
  }
}

__global__ void PrivateKernel(const char* text, std::size_t n, unsigned* bins) {
  __shared__ unsigned counts[kLetterBins];
  const unsigned t = threadIdx.x;
  if (t < kLetterBins) counts[t] = 0;
  __syncthreads();
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + t; i < n; i += stride) {
    const unsigned bin = BinOf(text[i]);
    if (bin < kLetterBins) atomicAdd(&counts[bin], 1u);
  }
  __syncthreads();
  if (t < kLetterBins) atomicAdd(&bins[t], counts[t]);
}

// Four characters at once. Bits 2 to 4 of each byte of the result are the bin plus one, or 0; all
// other bits are 0. No byte carries into the next one.
__device__ unsigned BinsPlusOne(unsigned word) {
  const unsigned letter = (word ^ 0x60606060u) & 0x7f7f7f7fu;  // a is 1, z is 26
  const unsigned beyond = letter + 0x65656565u;                // bit 7: more than 26
  const unsigned valid = ~(beyond | word) & 0x80808080u;       // and no byte of 128 and more
  return (letter + 0x03030303u) & (valid - (valid >> 5)) & 0x1c1c1c1cu;
}

// Adds a and b to the 32 counters whose lowest bits are `plane`, and gives their carries.
__device__ unsigned Add(unsigned& plane, unsigned a, unsigned b) {
  const unsigned carry = (plane & a) | (plane & b) | (a & b);
  plane ^= a ^ b;
  return carry;
}

// How often each bin occurred. Byte k of a plane belongs to the characters of byte k of all words;
// bit b of that byte is one of the digits of a number, how many of them were in bin b.
struct Tally {
  unsigned ones = 0;
  unsigned twos = 0;
  unsigned fours = 0;
  unsigned eights = 0;
  unsigned sixteens[kLetterBins] = {};  // four counts of 8 bits, one for each byte of a word
};

// Four words at once: gives what they carry into the fours.
__device__ unsigned Count(Tally& tally, const uint4& words) {
  // A nibble for each character chooses the byte in which the bit of its bin is set.
  const unsigned low = BinsPlusOne(words.x) >> 2 | BinsPlusOne(words.y) << 2;
  const unsigned high = BinsPlusOne(words.z) >> 2 | BinsPlusOne(words.w) << 2;
  const unsigned a =
      Add(tally.ones, __byte_perm(kBits, kMoreBits, low), __byte_perm(kBits, kMoreBits, low >> 16));
  const unsigned b = Add(tally.ones, __byte_perm(kBits, kMoreBits, high),
                         __byte_perm(kBits, kMoreBits, high >> 16));
  return Add(tally.twos, a, b);
}

// Vector i, zeros where there is none. 0 is no letter.
__device__ uint4 Load(const uint4* vectors, std::size_t i, std::size_t count) {
  const uint4 words = i < count ? vectors[i] : uint4{0, 0, 0, 0};
  return words;
}

// Adds the tally of each thread to the block's counts and empties it. Called by whole warps.
__device__ void Flush(Tally& tally, unsigned* counts) {
  for (unsigned b = 0; b < kLetterBins; ++b) {
    const unsigned mask = 0x01010101u << b;
    const unsigned sum = __popc(tally.ones & mask) + 2 * __popc(tally.twos & mask) +
                         4 * __popc(tally.fours & mask) + 8 * __popc(tally.eights & mask) +
                         16 * __dp4a(tally.sixteens[b], 0x01010101u, 0u);
    const unsigned total = __reduce_add_sync(0xffffffffu, sum);
    if (threadIdx.x % 32 == 0) atomicAdd(&counts[b], total);
  }
  tally = Tally{};
}

__global__ void __launch_bounds__(kThreads, 4)
    WordsKernel(const char* text, std::size_t n, unsigned* bins) {
  __shared__ unsigned counts[kLetterBins];
  const unsigned t = threadIdx.x;
  if (t < kLetterBins) counts[t] = 0;
  __syncthreads();
  const auto* const vectors = reinterpret_cast<const uint4*>(text);
  const std::size_t count = n / sizeof(uint4);
  const std::size_t stride = std::size_t{gridDim.x} * kThreads;
  const std::size_t me = std::size_t{blockIdx.x} * kThreads + t;
  Tally tally;
  unsigned rounds = 0;
  // All threads of a block make the same number of rounds.
  for (std::size_t first = std::size_t{blockIdx.x} * kThreads; first < count; first += 4 * stride) {
    const std::size_t i = first + t;
    // Four loads are under way before the first one is needed.
    const uint4 p = Load(vectors, i, count);
    const uint4 q = Load(vectors, i + stride, count);
    const uint4 r = Load(vectors, i + 2 * stride, count);
    const uint4 s = Load(vectors, i + 3 * stride, count);
    const unsigned pp = Count(tally, p);
    const unsigned a = Add(tally.fours, pp, Count(tally, q));
    const unsigned rr = Count(tally, r);
    const unsigned b = Add(tally.fours, rr, Count(tally, s));
    const unsigned sixteen = Add(tally.eights, a, b);
    for (unsigned k = 0; k < kLetterBins; ++k) tally.sixteens[k] += sixteen >> k & 0x01010101u;
    if (++rounds % 255 == 0) Flush(tally, counts);
  }
  Flush(tally, counts);
  if (me < n % sizeof(uint4)) {
    const unsigned bin = BinOf(text[count * sizeof(uint4) + me]);
    if (bin < kLetterBins) atomicAdd(&counts[bin], 1u);
  }
  __syncthreads();
  if (t < kLetterBins) atomicAdd(&bins[t], counts[t]);
}

__device__ void CountKey(unsigned* counts, unsigned size, unsigned key) {
  // Adding a constant 1, with no use of the old value, is an instruction of its own on a GPU:
  // lanes with equal keys do not wait for each other.
  if (key < size) atomicAdd(&counts[key], 1u);
}

__device__ void CountFour(unsigned* counts, unsigned size, const uint4& four) {
  CountKey(counts, size, four.x);
  CountKey(counts, size, four.y);
  CountKey(counts, size, four.z);
  CountKey(counts, size, four.w);
}

// Four keys; where there are none, four that have no bin.
__device__ uint4 LoadKeys(const uint4* vectors, std::size_t i, std::size_t count) {
  const uint4 keys = i < count ? vectors[i] : uint4{kNoKey, kNoKey, kNoKey, kNoKey};
  return keys;
}

// All keys of a thread, to counts in shared or global memory.
__device__ void CountAll(const unsigned* keys, std::size_t n, unsigned* counts, unsigned size) {
  const auto* const vectors = reinterpret_cast<const uint4*>(keys);
  const std::size_t count = n / 4;
  const std::size_t stride = std::size_t{gridDim.x} * kThreads;
  const std::size_t me = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  for (std::size_t i = me; i < count; i += 4 * stride) {
    const uint4 p = LoadKeys(vectors, i, count);
    const uint4 q = LoadKeys(vectors, i + stride, count);
    const uint4 r = LoadKeys(vectors, i + 2 * stride, count);
    const uint4 s = LoadKeys(vectors, i + 3 * stride, count);
    CountFour(counts, size, p);
    CountFour(counts, size, q);
    CountFour(counts, size, r);
    CountFour(counts, size, s);
  }
  if (me < n % 4) CountKey(counts, size, keys[4 * count + me]);
}

__global__ void __launch_bounds__(kThreads, 4)
    SharedKeysKernel(const unsigned* keys, std::size_t n, unsigned* bins, unsigned size) {
  extern __shared__ unsigned counts[];
  for (unsigned b = threadIdx.x; b < size; b += kThreads) counts[b] = 0;
  __syncthreads();
  CountAll(keys, n, counts, size);
  __syncthreads();
  for (unsigned b = threadIdx.x; b < size; b += kThreads) {
    if (counts[b] > 0) atomicAdd(&bins[b], counts[b]);
  }
}

__global__ void GlobalKeysKernel(const unsigned* keys, std::size_t n, unsigned* bins,
                                 unsigned size) {
  CountAll(keys, n, bins, size);
}

// Enough to fill a GPU, and fewer where a thread would have less than 16 elements.
unsigned BlocksFor(std::size_t n) {
  return static_cast<unsigned>(std::min<std::size_t>(n / (16 * kThreads) + 1, 1056));
}

void Clear(DeviceSpan<unsigned> bins, cudaStream_t stream) {
  CUDA_CHECK(cudaMemsetAsync(bins.data(), 0, bins.size_bytes(), stream));
}

// As many blocks as the device can hold at once, or fewer where a thread would have less than one
// round of 64 bytes.
unsigned ResidentBlocks(std::size_t bytes) {
  int device = 0;
  int multiprocessors = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  return static_cast<unsigned>(
      std::min<std::size_t>(bytes / (64 * kThreads) + 1, 4 * multiprocessors));
}

}  // namespace

void CountLetters(DeviceSpan<const char> text, DeviceSpan<unsigned> bins, cudaStream_t stream) {
  Clear(bins, stream);
  const std::size_t n = text.size();
  GlobalKernel<<<BlocksFor(n), kThreads, 0, stream>>>(text.data(), n, bins.data());
  CUDA_CHECK(cudaGetLastError());
}

void CountLettersPrivate(DeviceSpan<const char> text, DeviceSpan<unsigned> bins,
                         cudaStream_t stream) {
  Clear(bins, stream);
  const std::size_t n = text.size();
  PrivateKernel<<<BlocksFor(n), kThreads, 0, stream>>>(text.data(), n, bins.data());
  CUDA_CHECK(cudaGetLastError());
}

void CountLettersAggregated(DeviceSpan<const char> text, DeviceSpan<unsigned> bins,
                            cudaStream_t stream) {
  Clear(bins, stream);
  const std::size_t n = text.size();
  WordsKernel<<<ResidentBlocks(n), kThreads, 0, stream>>>(text.data(), n, bins.data());
  CUDA_CHECK(cudaGetLastError());
}

void CountKeys(DeviceSpan<const unsigned> keys, DeviceSpan<unsigned> bins, cudaStream_t stream) {
  Clear(bins, stream);
  const std::size_t n = keys.size();
  const auto size = static_cast<unsigned>(bins.size());
  if (size <= kSharedBins) {
    SharedKeysKernel<<<ResidentBlocks(keys.size_bytes()), kThreads, bins.size_bytes(), stream>>>(
        keys.data(), n, bins.data(), size);
  } else {
    GlobalKeysKernel<<<ResidentBlocks(keys.size_bytes()), kThreads, 0, stream>>>(keys.data(), n,
                                                                                 bins.data(), size);
  }
  CUDA_CHECK(cudaGetLastError());
}
