// CUDA's errors.  Plain mode only: check mode ends a program at these.
#include <thrust/device_vector.h>
#include <thrust/sort.h>

#include <cub/cub.cuh>

#include "common/cudasim/tests/features/test.h"

namespace {

TEST(ErrorsTest, AnInvalidLaunchIsTheLastErrorOnce) {
  Nothing<<<1, 2048>>>();
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  EXPECT_OK(cudaGetLastError());
}

TEST(ErrorsTest, RefusesEmptyAndOversizedLaunches) {
  Nothing<<<0, 1>>>();
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  Nothing<<<1, dim3(1, 1, 65)>>>();
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  Nothing<<<dim3(1, 65536), 1>>>();
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  Nothing<<<1, 1, 1 << 20>>>();
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  Nothing<<<2147483648u, 1>>>();
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
}

TEST(ErrorsTest, RefusesWrongCopies) {
  DeviceVector<int> values(4);
  std::vector<int> host(8);
  EXPECT_EQ(cudaMemcpy(values.get(), host.data(), 32, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host.data(), values.get(), 32, cudaMemcpyDeviceToHost),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host.data(), host.data(), 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host.data(), values.get(), 4, static_cast<cudaMemcpyKind>(9)),
            cudaErrorInvalidMemcpyDirection);
  cudaGetLastError();
}

TEST(ErrorsTest, RefusesToFreeTwiceOrWhatItDidNotGive) {
  int* pointer = nullptr;
  ASSERT_OK(cudaMalloc(&pointer, 40));
  EXPECT_EQ(cudaFree(pointer + 1), cudaErrorInvalidValue);
  EXPECT_OK(cudaFree(pointer));
  EXPECT_EQ(cudaFree(pointer), cudaErrorInvalidValue);
  int local = 0;
  EXPECT_EQ(cudaFree(&local), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST(ErrorsTest, RunsOutOfMemoryWithAnErrorCode) {
  void* pointer = nullptr;
  EXPECT_EQ(cudaMalloc(&pointer, size_t{1} << 50), cudaErrorMemoryAllocation);
  EXPECT_EQ(pointer, nullptr);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
}

TEST(ErrorsTest, HasNamesAndTexts) {
  EXPECT_STREQ(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorIllegalAddress),
               "an illegal memory access was encountered");
  EXPECT_STREQ(cudaGetErrorString(static_cast<cudaError_t>(12345)), "unrecognized error code");
}

void CallTheApi(void* data) {
  void* memory = nullptr;
  *static_cast<cudaError_t*>(data) = cudaMalloc(&memory, 4);
}

TEST(ErrorsTest, HostFunctionsMayNotCallTheApi) {
  cudaError_t error = cudaSuccess;
  ASSERT_OK(cudaLaunchHostFunc(nullptr, CallTheApi, &error));
  ASSERT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(error, cudaErrorNotPermitted);
  EXPECT_OK(cudaGetLastError());
}

TEST(ErrorsTest, CubRefusesSmallTemporaryStorageAndThrustThrowsForMemory) {
  DeviceVector<int> values(4);
  std::size_t bytes = 0;
  ASSERT_OK(cub::DeviceReduce::Sum(nullptr, bytes, values.get(), values.get(), 4));
  DeviceVector<char> storage(bytes);
  --bytes;
  EXPECT_EQ(cub::DeviceReduce::Sum(storage.get(), bytes, values.get(), values.get(), 4),
            cudaErrorInvalidValue);
  EXPECT_OK(cudaGetLastError());
  EXPECT_THROW(thrust::device_vector<char> huge(size_t{1} << 50), std::bad_alloc);
  EXPECT_THROW(thrust::sort(thrust::cuda::par.on(reinterpret_cast<cudaStream_t>(&bytes)),
                            values.get(), values.get() + 4),
               thrust::system_error);
  EXPECT_OK(cudaGetLastError());
}

__global__ void WritePastEnd(int* values) { values[1024 + threadIdx.x] = 1; }

void Fault() {
  DeviceVector<int> values(1024);
  WritePastEnd<<<4, 64>>>(values.get());
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  void* pointer = nullptr;
  EXPECT_EQ(cudaMalloc(&pointer, 4), cudaErrorIllegalAddress);
  Nothing<<<1, 1>>>();
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}

TEST(ErrorsTest, AKernelFaultIsStickyAndDoesNotKillTheProgram) { ExpectInOwnProcess(Fault, ""); }

}  // namespace
