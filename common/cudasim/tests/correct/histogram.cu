// Counting with atomic operations.
#include "common/cudasim/tests/correct/correct.h"

namespace {

constexpr int kBlock = 96;
constexpr int kCount = 2000;
constexpr int kBins = 17;
constexpr int kGrid = 5;

std::vector<unsigned> Expected(const std::vector<int>& values) {
  std::vector<unsigned> bins(kBins);
  for (const int value : values) ++bins[static_cast<std::size_t>(value)];
  return bins;
}

__global__ void Global(const int* in, int n, unsigned* bins) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    atomicAdd(&bins[in[i]], 1u);
}

// A private copy for each block (Hwu, Kirk, El Hajj, chapter 9).
__global__ void Privatised(const int* in, int n, unsigned* bins) {
  __shared__ unsigned mine[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    atomicAdd(&mine[in[i]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) {
    if (mine[b] > 0) atomicAdd(&bins[b], mine[b]);
  }
}

// A copy for each warp in dynamic shared memory: barriers only before and after.
__global__ void PerWarp(const int* in, int n, unsigned* bins) {
  extern __shared__ unsigned copies[];
  const int warps = blockDim.x / 32;
  for (int b = threadIdx.x; b < kBins * warps; b += blockDim.x) copies[b] = 0;
  __syncthreads();
  unsigned* const mine = copies + kBins * (threadIdx.x / 32);
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    atomicAdd_block(&mine[in[i]], 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) {
    unsigned total = 0;
    for (int warp = 0; warp < warps; ++warp) total += copies[warp * kBins + b];
    atomicAdd(&bins[b], total);
  }
}

// Runs of equal neighbours are added at once (aggregation).
__global__ void Coarsened(const int* in, int n, unsigned* bins) {
  const int per_thread = (n + gridDim.x * blockDim.x - 1) / (gridDim.x * blockDim.x);
  const int begin = (blockIdx.x * blockDim.x + threadIdx.x) * per_thread;
  int previous = -1;
  unsigned run = 0;
  for (int i = begin; i < begin + per_thread && i < n; ++i) {
    if (in[i] != previous && run > 0) {
      atomicAdd(&bins[previous], run);
      run = 0;
    }
    previous = in[i];
    ++run;
  }
  if (run > 0) atomicAdd(&bins[previous], run);
}

// The lanes with the same value elect a leader that adds for all.
__global__ void MatchAggregated(const int* in, int n, unsigned* bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned active = __ballot_sync(0xffffffffu, i < n);
  if (i >= n) return;
  const unsigned same = __match_any_sync(active, in[i]);
  if (static_cast<int>(threadIdx.x % 32) == __ffs(static_cast<int>(same)) - 1) {
    atomicAdd(&bins[in[i]], static_cast<unsigned>(__popc(same)));
  }
}

// Every lane of every warp updates one word.
__global__ void OneWord(unsigned* word) { atomicAdd(word, 1u); }

// A byte at a time by CAS on its word.
__global__ void ByCompareAndSwap(const int* in, int n, unsigned* bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned* const bin = &bins[in[i]];
  unsigned seen = atomicAdd(bin, 0u);
  for (unsigned expected = ~seen; seen != expected;) {
    expected = seen;
    seen = atomicCAS(bin, expected, expected + 1);
  }
}

// The programming guide's way to build any atomic operation: a plain read of the first value, then
// a compare-and-swap, which fails if the value has changed.
__device__ double AddDouble(double* address, double value) {
  auto* const bits = reinterpret_cast<unsigned long long*>(address);
  unsigned long long seen = *bits;
  unsigned long long assumed;
  do {
    assumed = seen;
    seen = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != seen);
  return __longlong_as_double(seen);
}

__global__ void AddDoubles(double* sums) {
  __shared__ double mine;
  if (threadIdx.x == 0) mine = 0;
  __syncthreads();
  AddDouble(&mine, threadIdx.x);
  AddDouble(&mine, 1);
  AddDouble(&sums[1], threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) AddDouble(&sums[0], mine);
}

using Kernel = void (*)(const int*, int, unsigned*);

bool Counts(Kernel kernel, int grid, int block, std::size_t bytes = 0) {
  const std::vector<int> values = Numbers(kCount, kBins);
  const DeviceArray<int> in(values);
  const DeviceArray<unsigned> bins(kBins);
  kernel<<<grid, block, bytes>>>(in.get(), kCount, bins.get());
  return bins.ToHost() == Expected(values);
}

constexpr int kFullGrid = (kCount + kBlock - 1) / kBlock;

bool GlobalAtomics() { return Counts(Global, kGrid, kBlock); }
bool PrivatisedBins() { return Counts(Privatised, kGrid, kBlock); }
bool BinsPerWarp() { return Counts(PerWarp, kGrid, kBlock, kBins * 3 * sizeof(unsigned)); }
bool CoarsenedBins() { return Counts(Coarsened, kGrid, kBlock); }
bool MatchAggregatedBins() { return Counts(MatchAggregated, kFullGrid, kBlock); }
bool CompareAndSwapBins() { return Counts(ByCompareAndSwap, kFullGrid, kBlock); }

bool PlainReadBeforeCompareAndSwap() {
  constexpr double kSum = kGrid * kBlock * (kBlock - 1) / 2;
  const DeviceArray<double> sums(2);
  AddDoubles<<<kGrid, kBlock>>>(sums.get());
  return sums.ToHost() == std::vector<double>{kSum + kGrid * kBlock, kSum};
}

bool SameWordFromEveryLane() {
  const DeviceArray<unsigned> word(1);
  OneWord<<<kGrid, kBlock>>>(word.get());
  return word.ToHost()[0] == kGrid * kBlock;
}

}  // namespace

int main(int argc, char** argv) {
  return RunCase(argc, argv,
                 {CASE(GlobalAtomics), CASE(PrivatisedBins), CASE(BinsPerWarp), CASE(CoarsenedBins),
                  CASE(MatchAggregatedBins), CASE(CompareAndSwapBins),
                  CASE(PlainReadBeforeCompareAndSwap), CASE(SameWordFromEveryLane)});
}
