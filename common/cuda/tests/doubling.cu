// A lab's file, right and wrong, for staging_test.

#include <cstdint>
#include <stdexcept>

#include "common/cuda/check.h"
#include "common/cuda/device_array.h"
#include "common/cuda/device_span.h"
#include "common/cuda/exports.h"
#include "common/cuda/host_spans.h"
#include "common/lab/exports/exports.h"

__global__ void DoubleKernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

// out[i] = 2 * in[i]; returns the number of elements.
std::uint64_t Double(DeviceSpan<const int> in, DeviceSpan<int> out, cudaStream_t stream) {
  const int n = static_cast<int>(in.size());
  if (n > 0) DoubleKernel<<<(n + 63) / 64, 64, 0, stream>>>(in.data(), out.data(), n);
  CUDA_CHECK(cudaGetLastError());
  return in.size();
}

// Launches more threads than a block can have, and does not check the launch.
void DoubleCarelessly(DeviceSpan<const int> in, DeviceSpan<int> out, cudaStream_t stream) {
  DoubleKernel<<<1, 1 << 20, 0, stream>>>(in.data(), out.data(), static_cast<int>(in.size()));
}

// The same, but checks the launch.
void DoubleCarefully(DeviceSpan<const int> in, DeviceSpan<int> out, cudaStream_t stream) {
  DoubleCarelessly(in, out, stream);
  CUDA_CHECK(cudaGetLastError());
}

// Throws and leaves an error behind.
void Refuse(DeviceSpan<int>, cudaStream_t) {
  void* memory = nullptr;
  if (cudaMalloc(&memory, SIZE_MAX / 2) == cudaSuccess) cudaFree(memory);
  throw std::length_error("too much");
}

// The flags that the stream was made with.
unsigned FlagsOf(cudaStream_t stream) {
  unsigned flags = 0;
  CUDA_CHECK(cudaStreamGetFlags(stream, &flags));
  return flags;
}

// From pinned memory to pinned memory, through the device.
void DoublePinned(PinnedSpan<const int> in, PinnedSpan<int> out, cudaStream_t stream) {
  const lab::DeviceArray<int> device(in.size());
  CUDA_CHECK(
      cudaMemcpyAsync(device.data(), in.data(), in.size_bytes(), cudaMemcpyHostToDevice, stream));
  DoubleKernel<<<(in.size() + 63) / 64, 64, 0, stream>>>(device.data(), device.data(),
                                                         static_cast<int>(in.size()));
  CUDA_CHECK(
      cudaMemcpyAsync(out.data(), device.data(), out.size_bytes(), cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
}

// By the device, and the first number by the host once more.
void DoubleManaged(ManagedSpan<int> values, cudaStream_t stream) {
  DoubleKernel<<<(values.size() + 63) / 64, 64, 0, stream>>>(values.data(), values.data(),
                                                             static_cast<int>(values.size()));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  values[0] *= 2;
}

// These return while a stream of their own may still work.
cudaStream_t StreamThatNobodyWaitsFor() {
  static cudaStream_t stream = nullptr;
  if (stream == nullptr) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  return stream;
}

void DoubleManagedLater(ManagedSpan<int> values) {
  DoubleKernel<<<(values.size() + 63) / 64, 64, 0, StreamThatNobodyWaitsFor()>>>(
      values.data(), values.data(), static_cast<int>(values.size()));
}

void CopyPinnedLater(PinnedSpan<const int> in) {
  static int* const device = [] {
    int* memory = nullptr;
    cudaMalloc(&memory, 4096);
    return memory;
  }();
  cudaMemcpyAsync(device, in.data(), in.size_bytes(), cudaMemcpyHostToDevice,
                  StreamThatNobodyWaitsFor());
}

LAB_EXPORTS(LAB_EXPORT(Double), LAB_EXPORT(DoubleCarelessly), LAB_EXPORT(DoubleCarefully),
            LAB_EXPORT(Refuse), LAB_EXPORT(FlagsOf), LAB_EXPORT(DoublePinned),
            LAB_EXPORT(DoubleManaged), LAB_EXPORT(DoubleManagedLater), LAB_EXPORT(CopyPinnedLater));
