// A thread's registers and stack survive a barrier at which other threads run.
#include "common/cudasim/tests/features/test.h"

namespace {

__global__ void CarryValues(double* out, int rounds) {
  const int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  int a = t, b = t + 1, c = t + 2, d = t + 3, e = t + 4, f = t + 5, g = t + 6, h = t + 7;
  float x = t + 0.5f, y = t + 1.5f;
  double z = t + 0.25;
  long double w = t + 0.125L;
  for (int i = 0; i < rounds; ++i) {
    __syncthreads();
    a += b, b += 1, c += d, d -= 1, e ^= 1, f += 2, g -= 2, h += a & 1;
    x += 1.0f, y -= 1.0f, z += x - y, w += 1.0L;
  }
  out[t] = a + b + c + d + e + f + g + h + x + y + z + static_cast<double>(w);
}

double Wanted(int t, int rounds) {
  int a = t, b = t + 1, c = t + 2, d = t + 3, e = t + 4, f = t + 5, g = t + 6, h = t + 7;
  float x = t + 0.5f, y = t + 1.5f;
  double z = t + 0.25;
  long double w = t + 0.125L;
  for (int i = 0; i < rounds; ++i) {
    a += b, b += 1, c += d, d -= 1, e ^= 1, f += 2, g -= 2, h += a & 1;
    x += 1.0f, y -= 1.0f, z += x - y, w += 1.0L;
  }
  return a + b + c + d + e + f + g + h + x + y + z + static_cast<double>(w);
}

TEST(SwitchTest, KeepsIntegersAndFloatsOverBarriers) {
  for (const int threads : {1, 2, 33, 256}) {
    DeviceVector<double> out(threads);
    CarryValues<<<1, threads>>>(out.get(), 9);
    const std::vector<double> got = out.ToHost();
    for (int t = 0; t < threads; ++t) ASSERT_EQ(got[t], Wanted(t, 9)) << t << " of " << threads;
  }
}

__device__ unsigned LinearThread() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

__global__ void AskAgain(unsigned* wrong) {
  const unsigned mine = LinearThread();
  const unsigned block = blockIdx.x;
  for (int i = 0; i < 5; ++i) {
    if ((mine + i) % 3 == 0) __nanosleep(10);
    __syncthreads();
    if (LinearThread() != mine || blockIdx.x != block) atomicAdd(wrong, 1u);
  }
}

TEST(SwitchTest, KeepsTheThreadsIndexOverBarriersAndPauses) {
  for (const dim3 block : {dim3(7), dim3(16, 16), dim3(5, 3, 4), dim3(1, 1, 64), dim3(1024)}) {
    DeviceVector<unsigned> wrong(1);
    AskAgain<<<70, block>>>(wrong.get());
    ASSERT_EQ(wrong.ToHost()[0], 0u) << block.x << " x " << block.y << " x " << block.z;
  }
}

}  // namespace
