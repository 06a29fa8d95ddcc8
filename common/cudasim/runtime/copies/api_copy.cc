#include "common/cudasim/runtime/copies/api_copy.h"

#include <cstring>

#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/errors/fail_call.h"
#include "common/cudasim/runtime/graphs/capture.h"
#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/memory/host_blocks.h"
#include "common/cudasim/runtime/memory/registered_memory.h"
#include "common/cudasim/runtime/memory/symbols.h"

namespace cudasim {
namespace {

bool IsPageable(const void* pointer, std::size_t bytes) {
  return !DeviceHeap::Contains(pointer) && !IsSymbol(pointer, bytes) &&
         !IsRegisteredMemory(pointer, bytes);
}

// Kernels may have stored addresses of variables, which the host now knows.
void TellStoredAddresses(const CopyRequest& r) {
  constexpr std::size_t kMostBytes = 4096;  // of what may be pointers
  if (r.bytes > kMostBytes) return;
  for (std::size_t at = 0; at + sizeof(void*) <= r.bytes; at += sizeof(void*)) {
    const void* pointer = nullptr;
    std::memcpy(&pointer, static_cast<const char*>(r.to) + at, sizeof(pointer));
    if (IsSymbol(pointer, 1)) TellSymbolAddress(pointer, 1);
  }
}

bool IsOfDevice(const void* pointer) {
  return (DeviceHeap::Contains(pointer) && !DeviceHeap::Get().IsPinned(pointer)) ||
         IsSymbol(pointer, 1);
}

void Copy(const CopyRequest& r) {
  if (!StillThere({r.call, "destination", r.to, r.bytes, r.caller})) return;
  if (!StillThere({r.call, "source", r.from, r.bytes, r.caller})) return;
  OnHostCopy({r.call, r.to, r.from, r.bytes, r.caller});
  std::memmove(r.to, r.from, r.bytes);
  OnHostWrite(r.to, r.bytes);
  if (IsPageable(r.to, r.bytes)) TellStoredAddresses(r);
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
  return RunInStream(stream,
                     {{range.call, {}, range.caller},
                      {{static_cast<const char*>(range.pointer), range.bytes, MemoryUse::kWrites}},
                      [range, value] { Fill(range, value); }},
                     cudaGraphNodeTypeMemset);
}

cudaError_t FindFault(const CopyRequest& r) {
  if (!IsDirection(r.kind)) return cudaErrorInvalidMemcpyDirection;
  // A GPU copies between two device pointers, whichever way the kind says.
  const bool within = r.kind == cudaMemcpyDeviceToDevice ||
                      (r.kind != cudaMemcpyHostToHost && IsOfDevice(r.to) && IsOfDevice(r.from));
  const bool to_device = r.kind == cudaMemcpyHostToDevice || within;
  const bool from_device = r.kind == cudaMemcpyDeviceToHost || within;
  const bool either = r.kind == cudaMemcpyDefault;
  const bool ok = SideOk({r.call, "destination", r.to, r.bytes, r.caller}, to_device, either) &&
                  SideOk({r.call, "source", r.from, r.bytes, r.caller}, from_device, either);
  return ok ? cudaSuccess : cudaErrorInvalidValue;
}

// False, with a finding, if the range runs over the end of memory from malloc() or new.
bool HostMemoryHolds(const ApiRange& range) {
  const HostBlock block = FindHostBlock(range.pointer);
  if (block.begin == nullptr) return true;
  const auto used = static_cast<std::size_t>(static_cast<const char*>(range.pointer) - block.begin);
  if (range.bytes <= block.bytes - used) return true;
  ReportShortHostMemory(range, block.bytes - used, block.made_at);
  return false;
}

// The error of a call that takes the name of a variable for its address.
cudaError_t RefuseNameOfSymbol(const ApiRange& range) {
  if (!IsHostsNameOfSymbol(range.pointer)) return cudaSuccess;
  ReportNameOfSymbol(range);
  return Return(cudaErrorInvalidValue);
}

// The same of a copy, for both sides.
cudaError_t RefuseNamesOfSymbols(const CopyRequest& r) {
  const cudaError_t error = RefuseNameOfSymbol({r.call, "destination", r.to, r.bytes, r.caller});
  if (error != cudaSuccess) return error;
  return RefuseNameOfSymbol({r.call, "source", r.from, r.bytes, r.caller});
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
  if (!DeviceHeap::Contains(range.pointer)) return HostMemoryHolds(range);
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

cudaError_t RefuseSynchronousCall() {
  const cudaError_t error = RefuseWork(FindStream(nullptr));
  return error != cudaSuccess ? error : RefuseUnsafeCall();
}

cudaError_t RunInStream(cudaStream_t handle, NodeWork work, std::optional<cudaGraphNodeType> type) {
  if (StickyError() != cudaSuccess) return Return(cudaSuccess);
  CUstream_st* const stream = FindStream(handle);
  if (stream == nullptr) return Return(cudaErrorInvalidResourceHandle);
  const cudaError_t error = type ? RefuseWork(stream) : RefuseUncapturable(stream);
  if (error != cudaSuccess) return Return(error);
  if (IsCapturing(stream)) {
    CaptureNode(stream, *type, std::move(work));
  } else if (StreamsAreTracked()) {
    Submit(stream, work.origin, std::move(work.ranges), std::move(work.run));
  } else if (work.run) {
    work.run();
  }
  return Return(cudaSuccess);
}

cudaError_t PrepareCopy(const CopyRequest& r, NodeWork* work) {
  if (r.bytes == 0) return cudaErrorInvalidValue;
  *work = {{r.call, {}, r.caller}, Touched(r), [r] { Copy(r); }};
  return FindFault(r);
}

cudaError_t CopyInStream(const CopyRequest& r, cudaStream_t handle, HostWaits waits) {
  CUDASIM_MAY_FAIL_AS(r.call);
  if (!IsDirection(r.kind)) return Return(cudaErrorInvalidMemcpyDirection);
  if (StickyError() != cudaSuccess || r.bytes == 0) return Return(cudaSuccess);
  if (waits == HostWaits::kAlways) {
    if (const cudaError_t error = RefuseSynchronousCall()) return Return(error);
  }
  // Errors of earlier work are reported before errors of this call.
  CUstream_st* const stream = FindStream(handle);
  if (waits == HostWaits::kAlways && stream != nullptr) SynchroniseStream(stream);
  if (StickyError() != cudaSuccess) return Return(cudaSuccess);
  if (const cudaError_t error = FindFault(r)) return Return(error);
  const bool now = StreamsAreTracked() && !IsCapturing(stream);
  const bool wait = now && (waits == HostWaits::kAlways || IsPageable(r.to, r.bytes));
  const bool stage = now && !wait && IsPageable(r.from, r.bytes);
  const std::function<void()> work = stage ? WithStagedSource(r) : [r] { Copy(r); };
  const cudaError_t error =
      RunInStream(handle, {{r.call, {}, r.caller}, Touched(r), work}, cudaGraphNodeTypeMemcpy);
  if (error == cudaSuccess && wait) SynchroniseStream(stream);
  if (error == cudaSuccess && stage) HostIsBlocked(stream);
  return Return(error);
}

}  // namespace cudasim

using cudasim::HostWaits;

#define CUDASIM_CALLER __builtin_return_address(0)

extern "C" {

// A copy within the device does not make the host wait.
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  const cudasim::CopyRequest request{"cudaMemcpy", to, from, bytes, kind, CUDASIM_CALLER};
  if (const cudaError_t error = cudasim::RefuseNamesOfSymbols(request)) return error;
  return cudasim::CopyInStream(
      request, nullptr,
      kind == cudaMemcpyDeviceToDevice ? HostWaits::kIfPageable : HostWaits::kAlways);
}

cudaError_t cudasimMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                               cudaStream_t stream) {
  const cudasim::CopyRequest request{"cudaMemcpyAsync", to, from, bytes, kind, CUDASIM_CALLER};
  if (const cudaError_t error = cudasim::RefuseNamesOfSymbols(request)) return error;
  return cudasim::CopyInStream(request, stream, HostWaits::kIfPageable);
}

void cudasimShortHostMemory(const char* call, const char* role, const void* pointer, size_t bytes,
                            size_t memory_bytes) {
  cudasim::ReportShortHostMemory({call, role, pointer, bytes, CUDASIM_CALLER}, memory_bytes,
                                 nullptr);
  cudasim::Return(cudaErrorInvalidValue);
}

// The host waits only if it can access the memory itself.
cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
  if (const cudaError_t error = cudasim::RefuseSynchronousCall()) return cudasim::Return(error);
  const cudasim::ApiRange range{"cudaMemset", "destination", pointer, bytes, CUDASIM_CALLER};
  if (const cudaError_t error = cudasim::RefuseNameOfSymbol(range)) return error;
  const cudaError_t error = cudasim::FillInStream(range, value, nullptr);
  if (error == cudaSuccess && cudasim::HostMayUse(pointer)) cudasim::SynchroniseDefaultStream();
  return cudasim::Return(error);
}

cudaError_t cudasimMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream) {
  const cudasim::ApiRange range{"cudaMemsetAsync", "destination", pointer, bytes, CUDASIM_CALLER};
  if (const cudaError_t error = cudasim::RefuseNameOfSymbol(range)) return error;
  return cudasim::FillInStream(range, value, stream);
}

}  // extern "C"
