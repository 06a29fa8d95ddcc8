// Your solution to the lab "Streams on a GPU": this is the only file you edit and hand in. The
// contract, what each function gets and must give, is in streams.h; the idea is in README.md.

#include <cuda_runtime.h>

#include <cstddef>
#include <exception>

#include "common/cuda/check.h"
#include "common/lab/not_written.h"
#include "labs/cuda_streams/streams.h"

namespace {

// A stream that the default stream does not wait for. Where an exception leaves the function, its
// destructor waits for its work, so declare a stream after what its work uses. Elsewhere Wait().
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

// An event that marks a place in a stream.
class Event {
 public:
  Event() { CUDA_CHECK(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { cudaEventDestroy(event_); }

  operator cudaEvent_t() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

// `size` numbers in device memory.
class DeviceBuffer {
 public:
  explicit DeviceBuffer(std::size_t size) {
    CUDA_CHECK(cudaMalloc(&data_, size * sizeof(std::uint32_t)));
  }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  ~DeviceBuffer() { cudaFree(data_); }

  std::uint32_t* data() const { return data_; }

 private:
  std::uint32_t* data_ = nullptr;
};

// The same in pinned host memory.
class PinnedBuffer {
 public:
  explicit PinnedBuffer(std::size_t size) {
    CUDA_CHECK(cudaMallocHost(&data_, size * sizeof(std::uint32_t)));
  }
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;
  ~PinnedBuffer() { cudaFreeHost(data_); }

  std::uint32_t* data() const { return data_; }

 private:
  std::uint32_t* data_ = nullptr;
};

}  // namespace

void MixInTwoStreams([[maybe_unused]] PinnedSpan<const std::uint32_t> in,
                     [[maybe_unused]] DeviceSpan<std::uint32_t> out, [[maybe_unused]] int rounds,
                     [[maybe_unused]] int chunk, [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void MixChained([[maybe_unused]] PinnedSpan<const std::uint32_t> in,
                [[maybe_unused]] DeviceSpan<std::uint32_t> out, [[maybe_unused]] std::uint32_t key,
                [[maybe_unused]] int rounds, [[maybe_unused]] int chunk,
                [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void MixInPipeline([[maybe_unused]] PinnedSpan<const std::uint32_t> in,
                   [[maybe_unused]] PinnedSpan<std::uint32_t> out, [[maybe_unused]] int rounds,
                   [[maybe_unused]] int chunk, [[maybe_unused]] int streams) {
  LAB_NOT_WRITTEN();
}

std::uint32_t MixManaged([[maybe_unused]] ManagedSpan<std::uint32_t> data,
                         [[maybe_unused]] int rounds, [[maybe_unused]] int chunk,
                         [[maybe_unused]] cudaStream_t stream) {
  LAB_NOT_WRITTEN();
}

void MixHandedOver([[maybe_unused]] std::span<const std::uint32_t> in,
                   [[maybe_unused]] PinnedSpan<std::uint32_t> out, [[maybe_unused]] int rounds,
                   [[maybe_unused]] int chunk) {
  LAB_NOT_WRITTEN();
}
