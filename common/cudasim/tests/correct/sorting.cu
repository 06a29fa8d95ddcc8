// Sorting, merging and compaction.
#include <algorithm>

#include "common/cudasim/tests/correct/correct.h"

namespace {

constexpr int kBlock = 64;

std::vector<int> Sorted(std::vector<int> values) {
  std::sort(values.begin(), values.end());
  return values;
}

__global__ void Bitonic(int* values) {
  __shared__ int tile[kBlock];
  const unsigned t = threadIdx.x;
  tile[t] = values[t];
  for (unsigned size = 2; size <= kBlock; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const unsigned other = t ^ stride;
      if (other > t && (tile[t] > tile[other]) == ((t & size) == 0)) {
        const int swapped = tile[t];
        tile[t] = tile[other];
        tile[other] = swapped;
      }
    }
  }
  __syncthreads();
  values[t] = tile[t];
}

__global__ void OddEven(int* values, int n) {
  for (int phase = 0; phase < n; ++phase) {
    const int i = 2 * threadIdx.x + phase % 2;
    if (i + 1 < n && values[i] > values[i + 1]) {
      const int swapped = values[i];
      values[i] = values[i + 1];
      values[i + 1] = swapped;
    }
    __syncthreads();
  }
}

// Each element counts those before it.
__global__ void Rank(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int rank = 0;
  for (int j = 0; j < n; ++j) rank += in[j] < in[i] || (in[j] == in[i] && j < i);
  out[rank] = in[i];
}

// One pass of a radix sort for each bit: ranks by vote counts.
__global__ void Radix(int* values, int bits) {
  __shared__ int zeros_of_warp[kBlock / 32];
  __shared__ int next[kBlock];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  for (int bit = 0; bit < bits; ++bit) {
    const int value = values[t];
    const bool zero = (value >> bit & 1) == 0;
    const unsigned votes = __ballot_sync(0xffffffffu, zero);
    if (lane == 0) zeros_of_warp[warp] = __popc(votes);
    __syncthreads();
    int before = __popc(votes & ((1u << lane) - 1)), total = 0;
    for (int w = 0; w < kBlock / 32; ++w) {
      if (w < warp) before += zeros_of_warp[w];
      total += zeros_of_warp[w];
    }
    next[zero ? before : total + t - before] = value;
    __syncthreads();
    values[t] = next[t];
    __syncthreads();
  }
}

// The co-rank: the number of the first k merged elements that come from a (Siebert and Traeff).
__device__ int CoRank(int k, const int* a, int m, const int* b, int n) {
  int low = max(0, k - n), high = min(k, m);
  while (low < high) {
    const int i = (low + high) / 2;
    if (a[i] <= b[k - i - 1]) {
      low = i + 1;
    } else {
      high = i;
    }
  }
  return low;
}

__global__ void MergeByCoRank(const int* a, int m, const int* b, int n, int* out, int per_thread) {
  const int begin = min((blockIdx.x * blockDim.x + threadIdx.x) * per_thread, m + n);
  const int end = min(begin + per_thread, m + n);
  int i = CoRank(begin, a, m, b, n);
  int j = begin - i;
  for (int k = begin; k < end; ++k) {
    const bool from_a = j >= n || (i < m && a[i] <= b[j]);
    out[k] = from_a ? a[i++] : b[j++];
  }
}

// A lane of each warp reserves room for all of its lanes.
__global__ void Compact(const int* in, int n, int* out, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const bool keep = i < n && in[i] % 3 == 0;
  const unsigned kept = __ballot_sync(0xffffffffu, keep);
  int base = 0;
  if (lane == 0 && kept != 0) base = atomicAdd(count, __popc(kept));
  base = __shfl_sync(0xffffffffu, base, 0);
  if (keep) out[base + __popc(kept & ((1u << lane) - 1))] = in[i];
}

bool BitonicSort() {
  const std::vector<int> values = Numbers(kBlock);
  const DeviceArray<int> data(values);
  Bitonic<<<1, kBlock>>>(data.get());
  return data.ToHost() == Sorted(values);
}

bool OddEvenSort() {
  const std::vector<int> values = Numbers(49);
  const DeviceArray<int> data(values);
  OddEven<<<1, 25>>>(data.get(), 49);
  return data.ToHost() == Sorted(values);
}

bool RankSort() {
  const std::vector<int> values = Numbers(200);
  const DeviceArray<int> in(values), out(values.size());
  Rank<<<4, kBlock>>>(in.get(), out.get(), 200);
  return out.ToHost() == Sorted(values);
}

bool RadixSort() {
  const std::vector<int> values = Numbers(kBlock, 128);
  const DeviceArray<int> data(values);
  Radix<<<1, kBlock>>>(data.get(), 7);
  return data.ToHost() == Sorted(values);
}

bool MergePath() {
  const std::vector<int> a = Sorted(Numbers(90)), b = Sorted(Numbers(61, 70));
  std::vector<int> expected(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin());
  const DeviceArray<int> da(a), db(b), out(expected.size());
  MergeByCoRank<<<2, 32>>>(da.get(), 90, db.get(), 61, out.get(), 3);
  return out.ToHost() == expected;
}

bool CompactionByBallot() {
  std::vector<int> values = Numbers(500);
  const DeviceArray<int> in(values), out(values.size()), count(1);
  Compact<<<8, kBlock>>>(in.get(), 500, out.get(), count.get());
  std::erase_if(values, [](int value) { return value % 3 != 0; });
  std::vector<int> got = out.ToHost();
  got.resize(static_cast<std::size_t>(count.ToHost()[0]));
  return Sorted(got) == Sorted(values);
}

}  // namespace

int main(int argc, char** argv) {
  return RunCase(argc, argv,
                 {CASE(BitonicSort), CASE(OddEvenSort), CASE(RankSort), CASE(RadixSort),
                  CASE(MergePath), CASE(CompactionByBallot)});
}
