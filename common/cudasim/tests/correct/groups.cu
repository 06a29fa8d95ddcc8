// Cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <numeric>

#include "common/cudasim/tests/correct/correct.h"

namespace {

namespace cg = cooperative_groups;

constexpr int kBlock = 96;

// A function that works with any group.
template <class Group>
__device__ int SumOf(const Group& group, int* scratch, int value) {
  const unsigned rank = group.thread_rank();
  for (unsigned distance = group.size() / 2; distance > 0; distance /= 2) {
    scratch[rank] = value;
    group.sync();
    if (rank < distance) value += scratch[rank + distance];
    group.sync();
  }
  return value;
}

__global__ void SumBlock(const int* in, int* out) {
  __shared__ int scratch[64];
  const cg::thread_block block = cg::this_thread_block();
  const int sum = SumOf(block, scratch, in[block.thread_rank()]);
  if (block.thread_rank() == 0) *out = sum;
}

__global__ void SumTiles(const int* in, int* out) {
  __shared__ int scratch[kBlock];
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int sum = SumOf(tile, scratch + tile.meta_group_rank() * 8, in[threadIdx.x]);
  if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = sum;
}

__global__ void ReduceTiles(const int* in, int* out) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int sum = cg::reduce(tile, in[threadIdx.x], cg::plus<int>());
  const int most = cg::reduce(tile, in[threadIdx.x], cg::greater<int>());
  if (tile.thread_rank() == 0) {
    out[2 * tile.meta_group_rank()] = sum;
    out[2 * tile.meta_group_rank() + 1] = most;
  }
}

__global__ void ScanTiles(const int* in, int* inclusive, int* exclusive) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  inclusive[threadIdx.x] = cg::inclusive_scan(tile, in[threadIdx.x]);
  exclusive[threadIdx.x] = cg::exclusive_scan(tile, in[threadIdx.x]);
}

__global__ void Compact(const int* in, int n, int* count, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || in[i] % 2 != 0) return;
  const cg::coalesced_group active = cg::coalesced_threads();
  int base = 0;
  if (active.thread_rank() == 0) base = atomicAdd(count, static_cast<int>(active.size()));
  out[active.shfl(base, 0) + active.thread_rank()] = in[i];
}

__global__ void Partition(int* out) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const auto half = cg::tiled_partition<16>(tile);
  const auto same = cg::binary_partition(tile, threadIdx.x % 4 == 0);
  out[threadIdx.x] =
      static_cast<int>(1000 * half.meta_group_rank() + 100 * same.size() / 8 + same.thread_rank());
}

// Jacobi sweeps with a grid barrier after each.
__global__ void Sweeps(int* a, int* b, int n, int sweeps) {
  const cg::grid_group grid = cg::this_grid();
  const auto i = static_cast<int>(grid.thread_rank());
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    if (i < n) b[i] = a[i] + (i > 0 ? a[i - 1] : 0) + (i < n - 1 ? a[i + 1] : 0);
    grid.sync();
    int* const swapped = a;
    a = b;
    b = swapped;
  }
}

bool SumOverABlock() {
  const std::vector<int> values = Numbers(64);
  const DeviceArray<int> in(values), out(1);
  SumBlock<<<1, 64>>>(in.get(), out.get());
  return out.ToHost()[0] == std::accumulate(values.begin(), values.end(), 0);
}

bool SumsOverTiles() {
  const std::vector<int> values = Numbers(kBlock);
  const DeviceArray<int> in(values), out(kBlock / 8);
  SumTiles<<<1, kBlock>>>(in.get(), out.get());
  const std::vector<int> got = out.ToHost();
  for (int tile = 0; tile < kBlock / 8; ++tile) {
    const auto begin = values.begin() + tile * 8;
    if (got[tile] != std::accumulate(begin, begin + 8, 0)) return false;
  }
  return true;
}

bool ReductionsOfTiles() {
  const std::vector<int> values = Numbers(kBlock);
  const DeviceArray<int> in(values), out(2 * kBlock / 32);
  ReduceTiles<<<1, kBlock>>>(in.get(), out.get());
  const std::vector<int> got = out.ToHost();
  for (int tile = 0; tile < kBlock / 32; ++tile) {
    int sum = 0, most = 0;
    for (int i = tile * 32; i < tile * 32 + 32; ++i) {
      sum += values[i];
      most = values[i] > most ? values[i] : most;
    }
    if (got[2 * tile] != sum || got[2 * tile + 1] != most) return false;
  }
  return true;
}

bool ScansOfTiles() {
  const std::vector<int> values = Numbers(kBlock);
  const DeviceArray<int> in(values), inclusive(kBlock), exclusive(kBlock);
  ScanTiles<<<1, kBlock>>>(in.get(), inclusive.get(), exclusive.get());
  const std::vector<int> with = inclusive.ToHost(), without = exclusive.ToHost();
  int sum = 0;
  for (int i = 0; i < kBlock; ++i) {
    if (i % 16 == 0) sum = 0;
    if (without[i] != sum) return false;
    sum += values[i];
    if (with[i] != sum) return false;
  }
  return true;
}

bool CompactionByCoalescedThreads() {
  const std::vector<int> values = Numbers(200);
  int even = 0;
  for (const int value : values) even += value % 2 == 0;
  const DeviceArray<int> in(values), count(1), out(values.size());
  Compact<<<3, 67>>>(in.get(), 200, count.get(), out.get());
  const std::vector<int> got = out.ToHost();
  for (int i = 0; i < even; ++i) {
    if (got[i] % 2 != 0) return false;
  }
  return count.ToHost()[0] == even;
}

bool PartitionsOfATile() {
  const DeviceArray<int> out(32);
  Partition<<<1, 32>>>(out.get());
  const std::vector<int> got = out.ToHost();
  for (int t = 0; t < 32; ++t) {
    const int size = t % 4 == 0 ? 8 : 24;
    const int rank = t % 4 == 0 ? t / 4 : t - t / 4 - 1;
    if (got[t] != 1000 * (t / 16) + 100 * size / 8 + rank) return false;
  }
  return true;
}

bool GridInStep() {
  constexpr int n = 150, sweeps = 3;
  std::vector<int> expected = Numbers(n);
  const DeviceArray<int> a(expected), b(n);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    const std::vector<int> old = expected;
    for (int i = 0; i < n; ++i) {
      expected[i] = old[i] + (i > 0 ? old[i - 1] : 0) + (i < n - 1 ? old[i + 1] : 0);
    }
  }
  int *from = a.get(), *to = b.get(), count = n, times = sweeps;
  void* arguments[] = {&from, &to, &count, &times};
  if (cudaLaunchCooperativeKernel(reinterpret_cast<void*>(Sweeps), dim3(5), dim3(32), arguments, 0,
                                  nullptr) != cudaSuccess) {
    return false;
  }
  return b.ToHost() == expected;
}

}  // namespace

int main(int argc, char** argv) {
  return RunCase(
      argc, argv,
      {CASE(SumOverABlock), CASE(SumsOverTiles), CASE(ReductionsOfTiles), CASE(ScansOfTiles),
       CASE(CompactionByCoalescedThreads), CASE(PartitionsOfATile), CASE(GridInStep)});
}
