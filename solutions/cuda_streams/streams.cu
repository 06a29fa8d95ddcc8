// The reference: chunks in two streams by turns; the same with an event from each kernel to the
// next; a pipeline with buffers for each stream; prefetches in two streams; and host functions that
// fill pinned buffers.

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

constexpr int kThreads = 256;

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

__device__ Number Mixed(Number x, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
  }
  return x;
}

// The numbers take up `first_key`, or the number at `key` where that is not null.
__global__ void MixKernel(const Number* in, Number* out, std::size_t count, int rounds,
                          const Number* key, Number first_key) {
  const std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  const Number taken_up = key != nullptr ? *key : first_key;
  out[i] = Mixed(in[i] ^ taken_up, rounds);
}

void Mix(const Number* in, Number* out, std::size_t count, int rounds, cudaStream_t stream,
         const Number* key = nullptr, Number first_key = 0) {
  const auto blocks = static_cast<unsigned>((count + kThreads - 1) / kThreads);
  MixKernel<<<blocks, kThreads, 0, stream>>>(in, out, count, rounds, key, first_key);
  CUDA_CHECK(cudaGetLastError());
}

void CopyIn(Number* to, const Number* from, std::size_t count, cudaStream_t stream) {
  CUDA_CHECK(cudaMemcpyAsync(to, from, count * sizeof(Number), cudaMemcpyHostToDevice, stream));
}

void CopyOut(Number* to, const Number* from, std::size_t count, cudaStream_t stream) {
  CUDA_CHECK(cudaMemcpyAsync(to, from, count * sizeof(Number), cudaMemcpyDeviceToHost, stream));
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

// A stream with a buffer for a chunk before the kernel.
struct Lane {
  explicit Lane(std::size_t size) : in(OnDevice(size)) {}

  DeviceBuffer in;
  Event mixed;
  Stream stream;  // destroyed first: its work uses the others
};

// A stream with a second buffer, for the results.
struct PipelineLane {
  explicit PipelineLane(std::size_t size) : in(OnDevice(size)), out(OnDevice(size)) {}

  DeviceBuffer in, out;
  Stream stream;
};

// One with a pinned buffer as well, and what its host functions need.
struct FeedingLane {
  explicit FeedingLane(std::size_t size) : pinned(Pinned(size)), lane(size) {}

  PinnedBuffer pinned;
  PipelineLane lane;
};

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

// A chunk through the device: from `in` to `out`, both on the host.
void Pass(const PipelineLane& lane, const Number* in, Number* out, std::size_t count, int rounds) {
  CopyIn(lane.in.get(), in, count, lane.stream);
  Mix(lane.in.get(), lane.out.get(), count, rounds, lane.stream);
  CopyOut(out, lane.out.get(), count, lane.stream);
}

}  // namespace

void MixInTwoStreams(PinnedSpan<const Number> in, DeviceSpan<Number> out, int rounds, int chunk,
                     cudaStream_t) {
  if (in.empty()) return;
  const std::size_t size = BufferSize(in.size(), chunk);
  const Lane lanes[2] = {Lane(size), Lane(size)};
  for (const Chunk& c : ChunksOf(in.size(), chunk)) {
    const Lane& lane = lanes[c.index % 2];
    CopyIn(lane.in.get(), in.data() + c.first, c.count, lane.stream);
    Mix(lane.in.get(), out.data() + c.first, c.count, rounds, lane.stream);
  }
  for (const Lane& lane : lanes) lane.stream.Wait();
}

void MixChained(PinnedSpan<const Number> in, DeviceSpan<Number> out, Number key, int rounds,
                int chunk, cudaStream_t) {
  if (in.empty()) return;
  const std::size_t size = BufferSize(in.size(), chunk);
  const Lane lanes[2] = {Lane(size), Lane(size)};
  for (const Chunk& c : ChunksOf(in.size(), chunk)) {
    const Lane& lane = lanes[c.index % 2];
    const Lane& before = lanes[(c.index + 1) % 2];
    CopyIn(lane.in.get(), in.data() + c.first, c.count, lane.stream);
    if (c.index > 0) before.mixed.HoldBack(lane.stream);
    Mix(lane.in.get(), out.data() + c.first, c.count, rounds, lane.stream,
        c.index > 0 ? out.data() + c.first - 1 : nullptr, key);
    lane.mixed.Record(lane.stream);
  }
  for (const Lane& lane : lanes) lane.stream.Wait();
}

void MixInPipeline(PinnedSpan<const Number> in, PinnedSpan<Number> out, int rounds, int chunk,
                   int streams) {
  if (in.empty()) return;
  const std::size_t size = BufferSize(in.size(), chunk);
  std::vector<std::unique_ptr<PipelineLane>> lanes;
  for (int i = 0; i < streams; ++i) lanes.push_back(std::make_unique<PipelineLane>(size));
  for (const Chunk& c : ChunksOf(in.size(), chunk)) {
    Pass(*lanes[c.index % lanes.size()], in.data() + c.first, out.data() + c.first, c.count,
         rounds);
  }
  for (const auto& lane : lanes) lane->stream.Wait();
}

Number MixManaged(ManagedSpan<Number> data, int rounds, int chunk, cudaStream_t) {
  const std::vector<Chunk> chunks = ChunksOf(data.size(), chunk);
  const std::vector<Event> back(chunks.size());
  const Stream streams[3];
  int device = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  for (const Chunk& c : chunks) {
    const cudaStream_t stream = streams[c.index % 3];
    Number* const numbers = data.data() + c.first;
    Prefetch(numbers, c.count, device, stream);
    Mix(numbers, numbers, c.count, rounds, stream);
    Prefetch(numbers, c.count, cudaCpuDeviceId, stream);
    back[c.index].Record(stream);
  }
  Number all = 0;
  for (const Chunk& c : chunks) {
    back[c.index].Wait();
    for (const Number number : data.subspan(c.first, c.count)) all ^= number;
  }
  return all;
}

void MixHandedOver(std::span<const Number> in, PinnedSpan<Number> out, int rounds, int chunk) {
  if (in.empty()) return;
  const std::size_t size = BufferSize(in.size(), chunk);
  const std::vector<Chunk> chunks = ChunksOf(in.size(), chunk);
  std::vector<HandOver> handed(chunks.size());
  const FeedingLane lanes[2] = {FeedingLane(size), FeedingLane(size)};
  for (const Chunk& c : chunks) {
    const auto& [pinned, lane] = lanes[c.index % 2];
    handed[c.index] = {in.data() + c.first, pinned.get(), c.count};
    CUDA_CHECK(cudaLaunchHostFunc(lane.stream, HandOver::Run, &handed[c.index]));
    Pass(lane, pinned.get(), out.data() + c.first, c.count, rounds);
  }
  for (const FeedingLane& lane : lanes) lane.lane.stream.Wait();
}
