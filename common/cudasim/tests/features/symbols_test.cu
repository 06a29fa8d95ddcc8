// __device__ and __constant__ variables.
#include "common/cudasim/tests/features/test.h"

__constant__ float coefficients[4];
__device__ int counter = 5;

namespace {

__constant__ int constant_scale = 3;

__global__ void Polynomial(float* values) {
  float x = values[threadIdx.x];
  float y = 0;
  for (int i = 3; i >= 0; --i) y = y * x + coefficients[i];
  values[threadIdx.x] = constant_scale * y;
}

TEST(SymbolsTest, KernelsReadWhatTheHostCopiesToConstants) {
  const float host[4] = {1, 2, 0, 1};
  ASSERT_EQ(cudaMemcpyToSymbol(coefficients, host, sizeof(host)), cudaSuccess);
  DeviceVector<float> values({0, 1, 2});
  Polynomial<<<1, 3>>>(values.get());
  EXPECT_EQ(values.ToHost(), (std::vector<float>{3, 12, 39}));
}

__global__ void Count() { atomicAdd(&counter, 1); }

TEST(SymbolsTest, DeviceVariablesKeepTheirValueBetweenLaunches) {
  Count<<<1, 10>>>();
  Count<<<1, 10>>>();
  int host = 0;
  ASSERT_EQ(cudaMemcpyFromSymbol(&host, counter, sizeof(host)), cudaSuccess);
  EXPECT_EQ(host, 25);
}

TEST(SymbolsTest, CopiesAtAnOffset) {
  const float two = 2.5f;
  ASSERT_EQ(cudaMemcpyToSymbol(coefficients, &two, sizeof(two), 2 * sizeof(float)), cudaSuccess);
  float all[4];
  ASSERT_EQ(cudaMemcpyFromSymbol(all, coefficients, sizeof(all)), cudaSuccess);
  EXPECT_EQ(all[2], 2.5f);
}

TEST(SymbolsTest, RefusesToCopyMoreThanTheSymbolHolds) {
  const float five[5] = {};
  EXPECT_EQ(cudaMemcpyToSymbol(coefficients, five, sizeof(five)), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST(SymbolsTest, HasAnAddressAndASize) {
  void* address = nullptr;
  size_t bytes = 0;
  ASSERT_EQ(cudaGetSymbolAddress(&address, coefficients), cudaSuccess);
  ASSERT_EQ(cudaGetSymbolSize(&bytes, coefficients), cudaSuccess);
  EXPECT_NE(address, nullptr);
  EXPECT_EQ(bytes, sizeof(coefficients));
}

}  // namespace
