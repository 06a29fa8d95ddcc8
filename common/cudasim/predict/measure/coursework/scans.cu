// Prefix sums, and runs of equal values.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/coursework/coursework.h"

namespace predict::coursework {
namespace {

constexpr unsigned kSection = 512;

// Prefix sums of each section of 512 values: by Kogge and Stone, with a thread for each value, by
// Brent and Kung, with a thread for two, and by warps.
__global__ void ScanKoggeStone(const unsigned* in, unsigned* out) {
  __shared__ unsigned sums[kSection];
  const unsigned t = threadIdx.x;
  const unsigned i = blockIdx.x * kSection + t;
  sums[t] = in[i];
  for (unsigned stride = 1; stride < kSection; stride *= 2) {
    __syncthreads();
    unsigned sum = sums[t];
    if (t >= stride) sum += sums[t - stride];
    __syncthreads();
    sums[t] = sum;
  }
  out[i] = sums[t];
}

__global__ void ScanBrentKung(const unsigned* in, unsigned* out) {
  __shared__ unsigned sums[kSection];
  const unsigned t = threadIdx.x;
  const unsigned first = blockIdx.x * kSection;
  sums[t] = in[first + t];
  sums[t + kSection / 2] = in[first + t + kSection / 2];
  for (unsigned stride = 1; stride < kSection; stride *= 2) {
    __syncthreads();
    const unsigned at = (t + 1) * 2 * stride - 1;
    if (at < kSection) sums[at] += sums[at - stride];
  }
  for (unsigned stride = kSection / 4; stride > 0; stride /= 2) {
    __syncthreads();
    const unsigned at = (t + 1) * 2 * stride - 1;
    if (at + stride < kSection) sums[at + stride] += sums[at];
  }
  __syncthreads();
  out[first + t] = sums[t];
  out[first + t + kSection / 2] = sums[t + kSection / 2];
}

__device__ unsigned ScanOfWarp(unsigned sum) {
  const unsigned lane = threadIdx.x % 32;
  for (unsigned step = 1; step < 32; step *= 2) {
    const unsigned left = __shfl_up_sync(kAllLanes, sum, step);
    if (lane >= step) sum += left;
  }
  return sum;
}

// All threads of a block of at most 1024 call it; sums[] has room for a value for each warp.
__device__ unsigned ScanOfBlock(unsigned value, unsigned* sums) {
  const unsigned warp = threadIdx.x / 32;
  const unsigned sum = ScanOfWarp(value);
  if (threadIdx.x % 32 == 31) sums[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    const unsigned of_warp = threadIdx.x < blockDim.x / 32 ? sums[threadIdx.x] : 0;
    const unsigned total = ScanOfWarp(of_warp);
    if (threadIdx.x < blockDim.x / 32) sums[threadIdx.x] = total;
  }
  __syncthreads();
  return warp == 0 ? sum : sum + sums[warp - 1];
}

__global__ void ScanByWarps(const unsigned* in, unsigned* out) {
  __shared__ unsigned sums[kSection / 32];
  const unsigned i = blockIdx.x * kSection + threadIdx.x;
  out[i] = ScanOfBlock(in[i], sums);
}

// Prefix sums of all values in three launches: of sections, of the sections' sums, and both added.
__global__ void ScanSections(const unsigned* in, unsigned* out, unsigned* totals) {
  __shared__ unsigned sums[kSection / 32];
  const unsigned i = blockIdx.x * kSection + threadIdx.x;
  const unsigned sum = ScanOfBlock(in[i], sums);
  out[i] = sum;
  if (threadIdx.x == kSection - 1) totals[blockIdx.x] = sum;
}

__global__ void ScanTotals(unsigned* totals, unsigned n) {
  __shared__ unsigned sums[32];
  unsigned before = 0;
  for (unsigned first = 0; first < n; first += 1024) {
    const unsigned i = first + threadIdx.x;
    const unsigned sum = before + ScanOfBlock(i < n ? totals[i] : 0, sums);
    if (i < n) totals[i] = sum;
    before += sums[31];
    __syncthreads();
  }
}

__global__ void AddTotals(unsigned* out, const unsigned* totals) {
  if (blockIdx.x == 0) return;
  out[blockIdx.x * kSection + threadIdx.x] += totals[blockIdx.x - 1];
}

// In one launch: each block waits for the sum of all sections before its own. Blocks take their
// sections in the order in which they begin.
__global__ void ScanChained(const unsigned* in, unsigned* out, volatile unsigned* before,
                            volatile unsigned* is_ready, unsigned* next) {
  __shared__ unsigned sums[kSection / 32];
  __shared__ unsigned section;
  __shared__ unsigned sum_before;
  if (threadIdx.x == 0) section = atomicAdd(next, 1u);
  __syncthreads();
  const unsigned i = section * kSection + threadIdx.x;
  const unsigned sum = ScanOfBlock(in[i], sums);
  if (threadIdx.x == kSection - 1) {
    unsigned total = 0;
    if (section > 0) {
      while (is_ready[section] == 0) {
      }
      __threadfence();
      total = before[section];
    }
    sum_before = total;
    before[section + 1] = total + sum;
    __threadfence();
    is_ready[section + 1] = 1;
  }
  __syncthreads();
  out[i] = sum_before + sum;
}

struct Addends {
  explicit Addends(unsigned n)
      : n(n),
        in(Filled<unsigned>(n, [](unsigned i) { return Mixed(i) % 8; })),
        out(Room<unsigned>(n)),
        totals(Room<unsigned>(n / kSection + 1)),
        is_ready(Room<unsigned>(n / kSection + 2)) {}
  std::vector<double> Results() const { return OnHost(out); }
  unsigned n;
  NumberArray in, out, totals, is_ready;
};

void RunLaunches(const Addends& p) {
  const unsigned sections = p.n / kSection;
  ScanSections<<<sections, kSection>>>(p.in->data(), p.out->data(), p.totals->data());
  ScanTotals<<<1, 1024>>>(p.totals->data(), sections);
  AddTotals<<<sections, kSection>>>(p.out->data(), p.totals->data());
}

void RunChained(const Addends& p) {
  p.is_ready->Fill(0);
  const unsigned sections = p.n / kSection;
  ScanChained<<<sections, kSection>>>(p.in->data(), p.out->data(), p.totals->data(),
                                      p.is_ready->data() + 1, p.is_ready->data());
}

// The length of the run of equal letters that begins at a place, otherwise 0: each head walks to
// its run's end, or looks for the next head in its warp's ballot and walks only beyond.
__device__ bool IsHead(const char* text, unsigned i) { return i == 0 || text[i] != text[i - 1]; }

__global__ void RunsByWalks(const char* text, unsigned* lengths, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned length = 0;
  if (IsHead(text, i)) {
    const char letter = text[i];
    while (i + length < n && text[i + length] == letter) ++length;
  }
  lengths[i] = length;
}

__global__ void RunsByBallots(const char* text, unsigned* lengths, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool is_head = i < n && IsHead(text, i);
  const unsigned heads = __ballot_sync(kAllLanes, is_head);
  if (i >= n) return;
  unsigned length = 0;
  if (is_head) {
    const unsigned lane = threadIdx.x % 32;
    const unsigned later = lane == 31 ? 0 : heads >> (lane + 1);
    if (later != 0) {
      length = static_cast<unsigned>(__ffs(static_cast<int>(later)));
    } else {
      const char letter = text[i];
      length = 32 - lane;
      while (i + length < n && text[i + length] == letter) ++length;
    }
  }
  lengths[i] = length;
}

struct Letters {
  explicit Letters(unsigned n)
      : n(n),
        text(Filled<char>(n, [](unsigned i) { return "aabc"[Mixed(i / 5 + i / 13) % 4]; })),
        lengths(Room<unsigned>(n)) {}
  std::vector<double> Results() const { return OnHost(lengths); }
  unsigned n;
  std::shared_ptr<lab::DeviceArray<char>> text;
  NumberArray lengths;
};

template <void (*kKernel)(const char*, unsigned*, unsigned)>
void RunRuns(const Letters& p) {
  kKernel<<<Blocks(p.n), 256>>>(p.text->data(), p.lengths->data(), p.n);
}

template <void (*kKernel)(const unsigned*, unsigned*), unsigned kThreads>
void RunSections(const Addends& p) {
  kKernel<<<p.n / kSection, kThreads>>>(p.in->data(), p.out->data());
}

}  // namespace

std::vector<Problem> Scans() {
  return {
      Of<Addends>("Sections", {1 << 12, 1 << 15, 1 << 19},
                  {{"kogge_stone", RunSections<ScanKoggeStone, kSection>},
                   {"brent_kung", RunSections<ScanBrentKung, kSection / 2>},
                   {"warps", RunSections<ScanByWarps, kSection>}}),
      Of<Addends>("Scan", {1 << 13, 1 << 16, 1 << 20},
                  {{"launches", RunLaunches}, {"chained", RunChained}}),
      Of<Letters>("Runs", {1 << 13, 1 << 16, 1 << 20},
                  {{"walks", RunRuns<RunsByWalks>}, {"ballots", RunRuns<RunsByBallots>}}),
  };
}

}  // namespace predict::coursework
