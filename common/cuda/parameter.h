#pragma once

// How DeviceSpan, PinnedSpan, ManagedSpan and cudaStream_t parameters are made on the function's
// side of a call: memory is allocated and filled by stage, copied back by fetch and freed by
// release, so a timed run covers the function alone. An argument that is already on the device is
// used in place.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "common/cuda/device_span.h"
#include "common/cuda/host_spans.h"
#include "common/lab/call/call.h"
#include "common/lab/exports/staging.h"

namespace lab {
namespace internal {

// Throws std::bad_alloc where there is no memory, and std::runtime_error naming `what` for any
// other error.
inline void RequireCuda(cudaError_t code, const char* what) {
  if (code == cudaSuccess) return;
  if (code == cudaErrorMemoryAllocation) throw std::bad_alloc();
  throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(code) + " (" +
                           cudaGetErrorName(code) + ")");
}

// What pinned and managed memory have in common: Span is that of T, for host code. kAllocate and
// kFree return a cudaError_t.
template <typename Span, typename T, auto kAllocate, auto kFree>
class HostSpanStaging {
 public:
  explicit HostSpanStaging(const Argument& argument) : argument_(argument) {
    CheckArgument<Span>(argument);
    if (argument.count == 0) return;
    RequireCuda(kAllocate(&memory_, bytes()), "allocating a span that the host reaches, too");
    std::memcpy(memory_, argument.data, bytes());
#ifdef __CUDASIM__
    cudasimNameArgument(memory_, std::is_const_v<T> ? 0 : 1);
#endif
  }
  HostSpanStaging(const HostSpanStaging&) = delete;
  HostSpanStaging& operator=(const HostSpanStaging&) = delete;
  ~HostSpanStaging() { kFree(memory_); }

  Span Value() const { return Span(static_cast<T*>(memory_), argument_.count); }
  void Finish() {}
  // The function has returned, so nothing may use the memory any more.
  void Fetch() {
    if (argument_.count == 0) return;
#ifdef __CUDASIM__
    cudasimHandBackArgument(memory_);
#endif
    if (argument_.kind == Argument::Kind::kInOut) std::memcpy(argument_.data, memory_, bytes());
  }

 private:
  std::size_t bytes() const { return argument_.count * sizeof(T); }

  Argument argument_;
  void* memory_ = nullptr;
};

inline cudaError_t AllocatePinned(void** memory, std::size_t bytes) {
  return cudaMallocHost(memory, bytes);
}
inline cudaError_t AllocateManaged(void** memory, std::size_t bytes) {
  return cudaMallocManaged(memory, bytes);
}
inline cudaError_t FreePinned(void* memory) { return cudaFreeHost(memory); }
inline cudaError_t FreeManaged(void* memory) { return cudaFree(memory); }

}  // namespace internal

template <typename T>
class Staging<PinnedSpan<T>>
    : public internal::HostSpanStaging<PinnedSpan<T>, T, internal::AllocatePinned,
                                       internal::FreePinned> {
  using Staging::HostSpanStaging::HostSpanStaging;
};

template <typename T>
class Staging<ManagedSpan<T>>
    : public internal::HostSpanStaging<ManagedSpan<T>, T, internal::AllocateManaged,
                                       internal::FreeManaged> {
  using Staging::HostSpanStaging::HostSpanStaging;
};

template <typename T>
class Staging<DeviceSpan<T>> {
 public:
  explicit Staging(const Argument& argument) : argument_(argument) {
    internal::CheckArgument<DeviceSpan<T>>(argument);
    if (argument.count == 0) return;
    if (argument.on_device) {
      device_ = argument.data;
      return;
    }
    internal::RequireCuda(cudaMalloc(&device_, bytes()), "allocating a device span");
    try {
      internal::RequireCuda(cudaMemcpy(device_, argument.data, bytes(), cudaMemcpyHostToDevice),
                            "copying a device span to the device");
      // A copy from pageable memory may return before it is done, and no stream waits for it.
      internal::RequireCuda(cudaStreamSynchronize(nullptr), "copying a device span to the device");
    } catch (...) {
      cudaFree(device_);
      throw;
    }
#ifdef __CUDASIM__
    // For the simulator's reports, which would otherwise name this file as the place of the
    // allocation, and for its accounts, which ignore all accesses before this call.
    cudasimNameArgument(device_, std::is_const_v<T> ? 0 : 1);
#endif
  }
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  ~Staging() {
    if (!argument_.on_device) cudaFree(device_);
  }

  DeviceSpan<T> Value() const { return {static_cast<T*>(device_), argument_.count}; }
  void Finish() {}
  void Fetch() {
    if (argument_.kind != Argument::Kind::kInOut || argument_.count == 0) return;
    if (argument_.on_device) return;
#ifdef __CUDASIM__
    if (&cudasimFetchWriters != nullptr) cudasimFetchWriters(argument_.data, device_, bytes());
#endif
    internal::RequireCuda(cudaMemcpy(argument_.data, device_, bytes(), cudaMemcpyDeviceToHost),
                          "copying a device span back");
  }

 private:
  std::size_t bytes() const { return argument_.count * sizeof(T); }

  Argument argument_;
  void* device_ = nullptr;
};

// The stream that the function must use. The default stream does not wait for it, so work that the
// function puts on another stream is not ordered with it. Finish waits for it and reports failed
// launches, also those that the function did not check.
template <>
class Staging<cudaStream_t> {
 public:
  Staging() {
    internal::RequireCuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking),
                          "creating a stream");
    cudaGetLastError();  // clears the error of an earlier call
  }
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  ~Staging() { cudaStreamDestroy(stream_); }

  cudaStream_t Value() const { return stream_; }
  void Finish() {
    internal::RequireCuda(cudaGetLastError(), "a kernel launch or CUDA call failed");
    internal::RequireCuda(cudaStreamSynchronize(stream_), "a kernel failed");
  }
  void Fetch() {}

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace lab
