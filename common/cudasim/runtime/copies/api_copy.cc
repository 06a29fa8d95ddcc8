#include "common/cudasim/runtime/copies/api_copy.h"

#include <cstring>

#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/errors/fail_call.h"
#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/memory/registered_memory.h"
#include "common/cudasim/runtime/memory/symbols.h"

namespace cudasim {
namespace {

bool IsPageable(const void* pointer, std::size_t bytes) {
  return !DeviceHeap::Contains(pointer) && !IsSymbol(pointer, bytes) &&
         !IsRegisteredMemory(pointer, bytes);
}

void Copy(const CopyRequest& r) {
  if (!StillThere({r.call, "destination", r.to, r.bytes, r.caller})) return;
  if (!StillThere({r.call, "source", r.from, r.bytes, r.caller})) return;
  OnHostCopy({r.call, r.to, r.from, r.bytes, r.caller});
  std::memmove(r.to, r.from, r.bytes);
  OnHostWrite(r.to, r.bytes);
}

void Fill(const ApiRange& range, int value) {
  if (!StillThere(range)) return;
  std::memset(const_cast<void*>(range.pointer), value, range.bytes);
  OnHostWrite(range.pointer, range.bytes);
  OnFillRow(OnFillBegin(range.call, range.caller, 1), range.pointer, range.bytes);
}

std::vector<MemoryRange> Touched(const CopyRequest& r) {
  std::vector<MemoryRange> ranges;
  if (!IsPageable(r.to, r.bytes))
    ranges.push_back({static_cast<char*>(r.to), r.bytes, MemoryUse::kWrites});
  if (!IsPageable(r.from, r.bytes)) {
    ranges.push_back({static_cast<const char*>(r.from), r.bytes, MemoryUse::kReads});
  }
  return ranges;
}

// Reads the source at the call: it may change before the copy runs.
std::function<void()> WithStagedSource(CopyRequest request) {
  const auto* const bytes = static_cast<const char*>(request.from);
  const auto staged = std::make_shared<std::vector<char>>(bytes, bytes + request.bytes);
  request.from = staged->data();
  return [request, staged] { Copy(request); };
}

cudaError_t FillInStream(const ApiRange& range, int value, cudaStream_t stream) {
  CUDASIM_MAY_FAIL_AS(range.call);
  if (StickyError() != cudaSuccess || range.bytes == 0) return Return(cudaSuccess);
  if (!DeviceSideOk(range) && !DeviceHeap::Get().IsPinned(range.pointer)) {
    return Return(cudaErrorInvalidValue);
  }
  return RunInStream(stream, {range.call, {}, range.caller},
                     {{static_cast<const char*>(range.pointer), range.bytes, MemoryUse::kWrites}},
                     [range, value] { Fill(range, value); });
}

bool HostMayUse(const void* pointer) {
  if (!DeviceHeap::Contains(pointer)) return false;
  const Allocation* const near = DeviceHeap::Get().FindNear(pointer);
  return near != nullptr && near->Contains(pointer) && near->host_may_use();
}

}  // namespace

bool StillThere(const ApiRange& range) {
  if (!DeviceHeap::Contains(range.pointer)) return true;
  if (DeviceHeap::Get().Holds(range.pointer, range.bytes)) return true;
  ReportBadDeviceRange(range);
  MakeSticky(cudaErrorIllegalAddress);
  return false;
}

bool DeviceSideOk(const ApiRange& range) {
  DeviceHeap& heap = DeviceHeap::Get();
  if (heap.Holds(range.pointer, range.bytes) && !heap.IsPinned(range.pointer)) return true;
  if (IsSymbol(range.pointer, range.bytes)) return true;
  if (!heap.IsPinned(range.pointer)) ReportBadDeviceRange(range);
  return false;
}

bool HostSideOk(const ApiRange& range) {
  if (range.pointer == nullptr) return false;
  if (!DeviceHeap::Contains(range.pointer)) return true;
  const bool inside = DeviceHeap::Get().Holds(range.pointer, range.bytes);
  if (inside && HostMayUse(range.pointer)) return true;
  if (HostMayUse(range.pointer)) {
    ReportBadDeviceRange(range);
  } else {
    ReportDevicePointerAsHost(range);
  }
  return false;
}

bool SideOk(const ApiRange& range, bool must_be_device, bool either) {
  if (DeviceHeap::Get().IsPinned(range.pointer)) return HostSideOk(range);  // one address for both
  if (either) must_be_device = DeviceHeap::Contains(range.pointer);
  return must_be_device ? DeviceSideOk(range) : HostSideOk(range);
}

cudaError_t RunInStream(cudaStream_t handle, const Origin& origin, std::vector<MemoryRange> ranges,
                        std::function<void()> work) {
  if (StickyError() != cudaSuccess) return Return(cudaSuccess);
  if (!StreamsAreTracked()) {
    if (work) work();
    return Return(cudaSuccess);
  }
  CUstream_st* const stream = FindStream(handle);
  if (stream == nullptr) return Return(cudaErrorInvalidResourceHandle);
  Submit(stream, origin, std::move(ranges), std::move(work));
  return Return(cudaSuccess);
}

cudaError_t CopyInStream(const CopyRequest& r, cudaStream_t handle, HostWaits waits) {
  CUDASIM_MAY_FAIL_AS(r.call);
  if (r.kind < cudaMemcpyHostToHost || r.kind > cudaMemcpyDefault) {
    return Return(cudaErrorInvalidMemcpyDirection);
  }
  if (StickyError() != cudaSuccess || r.bytes == 0) return Return(cudaSuccess);
  // Errors of earlier work are reported before errors of this call.
  CUstream_st* const stream = StreamsAreTracked() ? FindStream(handle) : nullptr;
  if (waits == HostWaits::kAlways && stream != nullptr) SynchroniseStream(stream);
  if (StickyError() != cudaSuccess) return Return(cudaSuccess);
  const bool to_device = r.kind == cudaMemcpyHostToDevice || r.kind == cudaMemcpyDeviceToDevice;
  const bool from_device = r.kind == cudaMemcpyDeviceToHost || r.kind == cudaMemcpyDeviceToDevice;
  const bool either = r.kind == cudaMemcpyDefault;
  if (!SideOk({r.call, "destination", r.to, r.bytes, r.caller}, to_device, either) ||
      !SideOk({r.call, "source", r.from, r.bytes, r.caller}, from_device, either)) {
    return Return(cudaErrorInvalidValue);
  }
  const bool wait = waits == HostWaits::kAlways || IsPageable(r.to, r.bytes);
  const bool stage = !wait && StreamsAreTracked() && IsPageable(r.from, r.bytes);
  const std::function<void()> work = stage ? WithStagedSource(r) : [r] { Copy(r); };
  const cudaError_t error = RunInStream(handle, {r.call, {}, r.caller}, Touched(r), work);
  if (error == cudaSuccess && wait && StreamsAreTracked()) SynchroniseStream(FindStream(handle));
  if (error == cudaSuccess && stage) HostIsBlocked(FindStream(handle));
  return Return(error);
}

}  // namespace cudasim

using cudasim::HostWaits;

#define CUDASIM_CALLER __builtin_return_address(0)

extern "C" {

// A copy within the device does not make the host wait.
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return cudasim::CopyInStream(
      {"cudaMemcpy", to, from, bytes, kind, CUDASIM_CALLER}, nullptr,
      kind == cudaMemcpyDeviceToDevice ? HostWaits::kIfPageable : HostWaits::kAlways);
}

cudaError_t cudasimMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                               cudaStream_t stream) {
  return cudasim::CopyInStream({"cudaMemcpyAsync", to, from, bytes, kind, CUDASIM_CALLER}, stream,
                               HostWaits::kIfPageable);
}

// The host waits only if it can access the memory itself.
cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
  const cudaError_t error = cudasim::FillInStream(
      {"cudaMemset", "destination", pointer, bytes, CUDASIM_CALLER}, value, nullptr);
  if (error == cudaSuccess && cudasim::HostMayUse(pointer)) cudasim::SynchroniseDefaultStream();
  return cudasim::Return(error);
}

cudaError_t cudasimMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream) {
  return cudasim::FillInStream({"cudaMemsetAsync", "destination", pointer, bytes, CUDASIM_CALLER},
                               value, stream);
}

}  // extern "C"
