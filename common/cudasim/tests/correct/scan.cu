// Prefix sums, in the ways that textbooks teach.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "common/cudasim/tests/features/device_vector.h"
#include "common/cudasim/tests/features/numbers.h"

namespace correct_scan {

constexpr int kBlock = 64;
constexpr int kCount = 300;
constexpr int kGrid = (kCount + kBlock - 1) / kBlock;
constexpr unsigned kAll = 0xffffffffu;

std::vector<int> Inclusive(std::vector<int> values) {
  std::partial_sum(values.begin(), values.end(), values.begin());
  return values;
}

// One buffer: all read, then all write.
__global__ void KoggeStoneInPlace(int* values) {
  __shared__ int tile[kBlock];
  const int t = threadIdx.x;
  tile[t] = values[t];
  for (int step = 1; step < kBlock; step *= 2) {
    __syncthreads();
    const int other = t >= step ? tile[t - step] : 0;
    __syncthreads();
    tile[t] += other;
  }
  values[t] = tile[t];
}

// Up-sweep and down-sweep (Brent-Kung), two elements a thread.
__global__ void BrentKung(int* values) {
  __shared__ int tile[2 * kBlock];
  const int t = threadIdx.x;
  tile[t] = values[t];
  tile[t + kBlock] = values[t + kBlock];
  for (int step = 1; step <= kBlock; step *= 2) {
    __syncthreads();
    const int i = (t + 1) * 2 * step - 1;
    if (i < 2 * kBlock) tile[i] += tile[i - step];
  }
  for (int step = kBlock / 2; step > 0; step /= 2) {
    __syncthreads();
    const int i = (t + 1) * 2 * step - 1;
    if (i + step < 2 * kBlock) tile[i + step] += tile[i];
  }
  __syncthreads();
  values[t] = tile[t];
  values[t + kBlock] = tile[t + kBlock];
}

__device__ int WarpScan(int value) {
  const int lane = threadIdx.x % 32;
  for (int step = 1; step < 32; step *= 2) {
    const int other = __shfl_up_sync(kAll, value, step);
    if (lane >= step) value += other;
  }
  return value;
}

__device__ int BlockScan(int value) {
  __shared__ int warps[kBlock / 32];
  const int warp = threadIdx.x / 32;
  value = WarpScan(value);
  if (threadIdx.x % 32 == 31) warps[warp] = value;
  __syncthreads();
  for (int i = 0; i < warp; ++i) value += warps[i];
  __syncthreads();
  return value;
}

// Each block publishes its sum, then its prefix, and looks back at its predecessors'
// (Merrill and Garland, Single-pass parallel prefix scan with decoupled look-back, 2016).
struct Status {
  volatile int flag;  // 0 nothing, 1 sum, 2 prefix
  volatile int sum;
  volatile int prefix;
};

__device__ int LookBack(Status* status, int block) {
  int offset = 0;
  for (int i = block - 1; i >= 0;) {
    const int flag = status[i].flag;
    if (flag == 0) continue;
    __threadfence();
    offset += flag == 2 ? status[i].prefix : status[i].sum;
    if (flag == 2) break;
    --i;
  }
  return offset;
}

__global__ void SinglePass(int* values, int n, Status* status, unsigned* tickets) {
  __shared__ int block;
  __shared__ int offset;
  if (threadIdx.x == 0) block = static_cast<int>(atomicAdd(tickets, 1u));
  __syncthreads();
  const int i = block * kBlock + static_cast<int>(threadIdx.x);
  const int value = BlockScan(i < n ? values[i] : 0);
  if (threadIdx.x == kBlock - 1) {
    status[block].sum = value;
    __threadfence();
    status[block].flag = 1;
    offset = LookBack(status, block);
    status[block].prefix = offset + value;
    __threadfence();
    status[block].flag = 2;
  }
  __syncthreads();
  if (i < n) values[i] = offset + value;
}

bool Scans(void (*kernel)(int*), int count) {
  const std::vector<int> values = SmallNumbers(count);
  const DeviceVector<int> data(values);
  kernel<<<1, kBlock>>>(data.get());
  return data.ToHost() == Inclusive(values);
}

TEST(ScanTest, KoggeStoneInPlaceScan) { EXPECT_TRUE(Scans(KoggeStoneInPlace, kBlock)); }
TEST(ScanTest, BrentKungScan) { EXPECT_TRUE(Scans(BrentKung, 2 * kBlock)); }

TEST(ScanTest, LookBackScan) {
  const std::vector<int> values = SmallNumbers(kCount);
  const DeviceVector<int> data(values);
  const DeviceVector<Status> status(kGrid);
  const DeviceVector<unsigned> tickets(1);
  SinglePass<<<kGrid, kBlock>>>(data.get(), kCount, status.get(), tickets.get());
  EXPECT_EQ(data.ToHost(), Inclusive(values));
}

}  // namespace correct_scan
