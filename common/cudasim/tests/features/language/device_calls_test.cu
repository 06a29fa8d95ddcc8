// Functions that kernels call: printf, the clock, malloc, cached loads, queries of addresses.
#include <cassert>
#include <cstdio>
#include <ctime>

#include "common/cudasim/tests/features/test.h"

namespace {

__device__ int device_variable = 3;
__constant__ int constant_variable = 4;

__global__ void Print(int count) {
  if (static_cast<int>(threadIdx.x) < count) printf("thread %u of %s\n", threadIdx.x, "Print");
}

TEST(DeviceCallsTest, PrintsToStandardOutput) {
  testing::internal::CaptureStdout();
  Print<<<1, 4>>>(2);
  cudaDeviceSynchronize();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "thread 0 of Print\nthread 1 of Print\n");
}

__global__ void ReadClock(long long* out) {
  const long long begin = clock64();
  const clock_t first = clock();
  while (clock64() - begin < 19800) {  // ten microseconds
  }
  out[0] = clock64() - begin;
  out[1] = static_cast<long long>(clock() - first);
  out[2] = begin;
}

TEST(DeviceCallsTest, CountsCyclesOfTheDevicesClock) {
  DeviceVector<long long> out(3);
  ReadClock<<<1, 1>>>(out.get());
  const std::vector<long long> got = out.ToHost();
  EXPECT_GE(got[0], 19800);
  EXPECT_GE(got[1], 19800 - 1980);
  EXPECT_GT(got[2], 0);
}

struct Node {
  int value;
  Node* next;
};

__global__ void BuildList(int* sum, int length) {
  Node* head = nullptr;
  for (int i = 0; i < length; ++i) head = new Node{i, head};
  int total = 0;
  while (head != nullptr) {
    Node* const next = head->next;
    total += head->value;
    delete head;
    head = next;
  }
  sum[threadIdx.x] = total;
}

TEST(DeviceCallsTest, AllocatesInKernels) {
  DeviceVector<int> sums(64);
  BuildList<<<1, 64>>>(sums.get(), 10);
  EXPECT_EQ(sums.ToHost(), std::vector<int>(64, 45));
}

__global__ void KeepForNextLaunch(int** kept) {
  kept[threadIdx.x] = static_cast<int*>(malloc(4 * sizeof(int)));
  for (int i = 0; i < 4; ++i) kept[threadIdx.x][i] = static_cast<int>(threadIdx.x) + i;
}

__global__ void UseAndFree(int** kept, int* out) {
  out[threadIdx.x] = kept[threadIdx.x][3];
  free(kept[threadIdx.x]);
}

TEST(DeviceCallsTest, KeepsMemoryOfKernelsBetweenLaunches) {
  DeviceVector<int*> kept(33);
  DeviceVector<int> out(33);
  KeepForNextLaunch<<<1, 33>>>(kept.get());
  UseAndFree<<<1, 33>>>(kept.get(), out.get());
  const std::vector<int> got = out.ToHost();
  for (int i = 0; i < 33; ++i) EXPECT_EQ(got[i], i + 3);
}

__global__ void AllocateTooMuch(int* refused) {
  void* const much = malloc(size_t{64} << 20);
  *refused = much == nullptr;
  free(much);
  free(nullptr);
}

TEST(DeviceCallsTest, RefusesMoreThanTheHeapOfKernelsHolds) {
  DeviceVector<int> refused(1);
  AllocateTooMuch<<<1, 1>>>(refused.get());
  EXPECT_EQ(refused.ToHost()[0], 1);
  size_t before = 0;
  ASSERT_OK(cudaDeviceGetLimit(&before, cudaLimitMallocHeapSize));
  ASSERT_OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, size_t{128} << 20));
  AllocateTooMuch<<<1, 1>>>(refused.get());
  EXPECT_EQ(refused.ToHost()[0], 0);
  ASSERT_OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, before));
}

__global__ void CachedAccesses(const float4* in, float4* out) {
  float4 v = __ldg(in);
  v.x += __ldcg(&in->y) + __ldcs(&in->z) + __ldca(&in->w);
  __stcg(out, v);
  __stcs(&out->y, 7.0f);
}

TEST(DeviceCallsTest, LoadsAndStoresWithHints) {
  DeviceVector<float4> in(std::vector<float4>{make_float4(1, 2, 3, 4)});
  DeviceVector<float4> out(1);
  CachedAccesses<<<1, 1>>>(in.get(), out.get());
  EXPECT_EQ(out.ToHost()[0].x, 10);
  EXPECT_EQ(out.ToHost()[0].y, 7);
}

__global__ void AskAboutAddresses(const int* global, unsigned* out) {
  __shared__ int shared;
  int local = 1;
  shared = 2;
  out[0] = __isGlobal(global) << 0 | __isGlobal(&shared) << 1 | __isGlobal(&local) << 2 |
           __isGlobal(&device_variable) << 3;
  out[1] = __isShared(global) << 0 | __isShared(&shared) << 1 | __isShared(&local) << 2;
  out[2] = __isLocal(&shared) << 1 | __isLocal(&local) << 2;
  out[3] = __isConstant(&constant_variable) << 1 | __isConstant(global);
}

TEST(DeviceCallsTest, KnowsTheSpaceOfAnAddress) {
  DeviceVector<int> global(1);
  DeviceVector<unsigned> out(4);
  AskAboutAddresses<<<1, 1>>>(global.get(), out.get());
  EXPECT_EQ(out.ToHost(), (std::vector<unsigned>{9, 2, 4, 2}));
}

__global__ void AssertEven(const int* values) {
  __builtin_assume(blockDim.x > 0);
  assert(values[threadIdx.x] % 2 == 0);
  __brkpt();
}

TEST(DeviceCallsTest, AssertionsThatHoldDoNothing) {
  DeviceVector<int> values(std::vector<int>{2, 4, 6});
  AssertEven<<<1, 3>>>(values.get());
  EXPECT_OK(cudaDeviceSynchronize());
}

TEST(DeviceCallsDeathTest, AnAssertionOfTheHostEndsTheProcess) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(assert(testing::FLAGS_gtest_death_test_style.empty()), "Assertion");
}

}  // namespace
