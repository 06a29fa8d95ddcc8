// Functions that do right and wrong when a runtime call fails, for failing_call_test.

#include <cuda_runtime.h>

#include <memory>
#include <span>

#include "common/cuda/check.h"
#include "common/cuda/device_array.h"
#include "common/cuda/device_span.h"
#include "common/cuda/exports.h"
#include "common/lab/exports/exports.h"

__global__ void DoubleKernel(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= 2;
}

void Double(DeviceSpan<int> values, cudaStream_t stream) {
  const int n = static_cast<int>(values.size());
  DoubleKernel<<<(n + 63) / 64, 64, 0, stream>>>(values.data(), n);
  CUDA_CHECK(cudaGetLastError());
}

void DoubleCarelessly(DeviceSpan<int> values, cudaStream_t stream) {
  const int n = static_cast<int>(values.size());
  DoubleKernel<<<(n + 63) / 64, 64, 0, stream>>>(values.data(), n);
}

void DoubleHost(std::span<int> values) {
  const lab::DeviceArray<int> device(values.size());
  CUDA_CHECK(cudaMemcpy(device.data(), values.data(), values.size_bytes(), cudaMemcpyHostToDevice));
  Double(device.span(), nullptr);
  CUDA_CHECK(cudaMemcpy(values.data(), device.data(), values.size_bytes(), cudaMemcpyDeviceToHost));
}

// Checks all but the last copy.
void DoubleHostWithoutALook(std::span<int> values) {
  const lab::DeviceArray<int> device(values.size());
  CUDA_CHECK(cudaMemcpy(device.data(), values.data(), values.size_bytes(), cudaMemcpyHostToDevice));
  Double(device.span(), nullptr);
  cudaMemcpy(values.data(), device.data(), values.size_bytes(), cudaMemcpyDeviceToHost);
}

// Frees its memory only where nothing failed.
void DoubleHostAndLeak(std::span<int> values) {
  int* device = nullptr;
  CUDA_CHECK(cudaMalloc(&device, values.size_bytes()));
  CUDA_CHECK(cudaMemcpy(device, values.data(), values.size_bytes(), cudaMemcpyHostToDevice));
  Double({device, values.size()}, nullptr);
  CUDA_CHECK(cudaMemcpy(values.data(), device, values.size_bytes(), cudaMemcpyDeviceToHost));
  cudaFree(device);
}

// Allocates and frees in stream order.
void DoubleInMemoryOfTheStream(DeviceSpan<int> values, cudaStream_t stream) {
  int* copy = nullptr;
  CUDA_CHECK(cudaMallocAsync(&copy, values.size_bytes(), stream));
  const auto free = [stream](int* memory) { cudaFreeAsync(memory, stream); };
  const std::unique_ptr<int, decltype(free)> owner(copy, free);
  CUDA_CHECK(
      cudaMemcpyAsync(copy, values.data(), values.size_bytes(), cudaMemcpyDeviceToDevice, stream));
  Double({copy, values.size()}, stream);
  CUDA_CHECK(
      cudaMemcpyAsync(values.data(), copy, values.size_bytes(), cudaMemcpyDeviceToDevice, stream));
}

void WaitThreeHundredTimes() {
  for (int i = 0; i < 300; ++i) CUDA_CHECK(cudaDeviceSynchronize());
}

LAB_EXPORTS(LAB_EXPORT(Double), LAB_EXPORT(DoubleCarelessly), LAB_EXPORT(DoubleHost),
            LAB_EXPORT(DoubleHostWithoutALook), LAB_EXPORT(DoubleHostAndLeak),
            LAB_EXPORT(DoubleInMemoryOfTheStream), LAB_EXPORT(WaitThreeHundredTimes));
