// Pitched memory and boxes: allocation, copies and fills in two and three dimensions.
#include <cstddef>

#include "common/cudasim/tests/features/test.h"

namespace {

__global__ void AddRowAndColumn(float* values, size_t pitch, int width, int height) {
  const int x = threadIdx.x;
  const int y = blockIdx.x;
  if (x < width && y < height) {
    reinterpret_cast<float*>(reinterpret_cast<char*>(values) + y * pitch)[x] += 100.0f * y + x;
  }
}

class Memory2dTest : public testing::TestWithParam<int> {};

TEST_P(Memory2dTest, CopiesRowsToPitchedMemoryAndBack) {
  const int width = GetParam();
  constexpr int kHeight = 5;
  float* device = nullptr;
  size_t pitch = 0;
  ASSERT_OK(cudaMallocPitch(&device, &pitch, width * sizeof(float), kHeight));
  EXPECT_GE(pitch, width * sizeof(float));
  EXPECT_EQ(pitch % 512, 0u);
  std::vector<float> host(width * kHeight, 0.5f);
  const size_t row = width * sizeof(float);
  ASSERT_OK(cudaMemcpy2D(device, pitch, host.data(), row, row, kHeight, cudaMemcpyHostToDevice));
  AddRowAndColumn<<<kHeight, 256>>>(device, pitch, width, kHeight);
  ASSERT_OK(cudaMemcpy2D(host.data(), row, device, pitch, row, kHeight, cudaMemcpyDeviceToHost));
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < width; ++x) EXPECT_EQ(host[y * width + x], 100.0f * y + x + 0.5f);
  }
  EXPECT_OK(cudaFree(device));
}

INSTANTIATE_TEST_SUITE_P(Widths, Memory2dTest, testing::Values(1, 31, 32, 127, 128, 129));

TEST(Memory2dTest, FillsRows) {
  DeviceVector<unsigned char> device(4 * 16);
  ASSERT_OK(cudaMemset2D(device.get(), 16, 7, 3, 4));
  const std::vector<unsigned char> got = device.ToHost();
  for (int i = 0; i < 64; ++i) EXPECT_EQ(got[i], i % 16 < 3 ? 7 : 0) << i;
}

TEST(Memory2dTest, EmptyBoxesAreFine) {
  EXPECT_OK(cudaMemcpy2D(nullptr, 0, nullptr, 0, 0, 7, cudaMemcpyHostToDevice));
  EXPECT_OK(cudaMemcpy2D(nullptr, 8, nullptr, 8, 8, 0, cudaMemcpyHostToDevice));
  EXPECT_OK(cudaMemset2D(nullptr, 8, 0, 8, 0));
}

TEST(Memory2dTest, RefusesAPitchBelowTheWidth) {
  DeviceVector<char> device(64);
  char host[64] = {};
  EXPECT_EQ(cudaMemcpy2D(device.get(), 7, host, 8, 8, 4, cudaMemcpyHostToDevice),
            cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMemcpy2D(device.get(), 8, host, 7, 8, 4, cudaMemcpyHostToDevice),
            cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMemset2D(device.get(), 7, 0, 8, 4), cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMallocPitch(static_cast<void**>(nullptr), nullptr, 1, 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST(Memory2dTest, RunsOutOfMemoryWithAnErrorCode) {
  float* device = nullptr;
  size_t pitch = 0;
  EXPECT_EQ(cudaMallocPitch(&device, &pitch, size_t{1} << 40, size_t{1} << 40),
            cudaErrorMemoryAllocation);
  cudaPitchedPtr pitched{};
  EXPECT_EQ(cudaMalloc3D(&pitched, make_cudaExtent(size_t{1} << 40, 1 << 20, 1 << 20)),
            cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
}

TEST(Memory2dTest, CopiesAndFillsBoxesOfThreeDimensions) {
  constexpr size_t kWidth = 5;
  constexpr size_t kHeight = 4;
  constexpr size_t kDepth = 3;
  const cudaExtent extent = make_cudaExtent(kWidth, kHeight, kDepth);
  cudaPitchedPtr device{};
  ASSERT_OK(cudaMalloc3D(&device, extent));
  EXPECT_EQ(device.xsize, kWidth);
  EXPECT_EQ(device.ysize, kHeight);
  ASSERT_OK(cudaMemset3D(device, 9, extent));
  std::vector<char> host(kWidth * kHeight * kDepth);
  for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<char>(i);
  cudaMemcpy3DParms up{};
  up.srcPtr = make_cudaPitchedPtr(host.data(), kWidth, kWidth, kHeight);
  up.dstPtr = device;
  up.dstPos = make_cudaPos(1, 1, 1);
  up.extent = make_cudaExtent(2, 2, 2);
  up.kind = cudaMemcpyHostToDevice;
  ASSERT_OK(cudaMemcpy3D(&up));
  std::vector<char> back(host.size());
  cudaMemcpy3DParms down{};
  down.srcPtr = device;
  down.dstPtr = make_cudaPitchedPtr(back.data(), kWidth, kWidth, kHeight);
  down.extent = extent;
  down.kind = cudaMemcpyDeviceToHost;
  ASSERT_OK(cudaMemcpy3D(&down));
  for (size_t z = 0; z < kDepth; ++z) {
    for (size_t y = 0; y < kHeight; ++y) {
      for (size_t x = 0; x < kWidth; ++x) {
        const bool inside = x >= 1 && x < 3 && y >= 1 && y < 3 && z >= 1;
        const size_t from = ((z - 1) * kHeight + y - 1) * kWidth + x - 1;
        EXPECT_EQ(back[(z * kHeight + y) * kWidth + x], inside ? host[from] : 9);
      }
    }
  }
  EXPECT_OK(cudaFree(device.ptr));
}

TEST(Memory2dTest, CopiesBetweenTheDeviceAndItself) {
  DeviceVector<int> a(std::vector<int>{1, 2, 3});
  DeviceVector<int> b(3);
  ASSERT_OK(cudaMemcpyPeer(b.get(), 0, a.get(), 0, 12));
  EXPECT_EQ(b.ToHost(), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(cudaMemcpyPeer(b.get(), 1, a.get(), 0, 12), cudaErrorInvalidDevice);
  EXPECT_OK(cudaMemcpy(b.get(), a.get() + 3, 0, cudaMemcpyDeviceToDevice));
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
}

}  // namespace
