#include "common/cudasim/runtime/copies/box_copy.h"

#include <cstring>
#include <memory>
#include <vector>

#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/runtime/copies/api_copy.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/errors/fail_call.h"
#include "common/cudasim/runtime/graphs/capture.h"
#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/memory/registered_memory.h"
#include "common/cudasim/runtime/memory/symbols.h"
#include "common/cudasim/runtime/streams/stream.h"

namespace cudasim {
namespace {

template <class Function>
void ForEachRow(const Box& box, Function function) {
  for (std::size_t z = 0; z < box.depth; ++z) {
    for (std::size_t y = 0; y < box.height; ++y) function(y, z);
  }
}

char* Row(const BoxSide& side, std::size_t y, std::size_t z) {
  return side.begin + z * side.slice_bytes + y * side.pitch;
}

void CopyNow(const BoxCopy& copy) {
  const Box& box = copy.box;
  if (!StillThere({copy.call, "destination", copy.to.begin, box.Span(copy.to), copy.caller}) ||
      !StillThere({copy.call, "source", copy.from.begin, box.Span(copy.from), copy.caller})) {
    return;
  }
  ForEachRow(box, [&](std::size_t y, std::size_t z) {
    char* const to = Row(copy.to, y, z);
    const char* const from = Row(copy.from, y, z);
    OnHostCopy({copy.call, to, from, box.width, copy.caller});
    std::memmove(to, from, box.width);
    OnHostWrite(to, box.width);
  });
}

void FillNow(const char* call, const BoxSide& to, const Box& box, FillValue value,
             const void* caller) {
  const std::uint32_t number = OnFillBegin(call, caller, value.bytes);
  ForEachRow(box, [&](std::size_t y, std::size_t z) {
    char* const row = Row(to, y, z);
    if (value.bytes == 1) {
      std::memset(row, static_cast<int>(value.value), box.width);
    } else {
      for (std::size_t x = 0; x < box.width; x += value.bytes) {
        std::memcpy(row + x, &value.value, value.bytes);
      }
    }
    OnHostWrite(row, box.width);
    OnFillRow(number, row, box.width);
  });
}

bool IsPageable(const void* pointer) {
  return !DeviceHeap::Contains(pointer) && !IsSymbol(pointer, 1) && !IsRegisteredMemory(pointer, 1);
}

std::vector<MemoryRange> Touched(const BoxCopy& copy) {
  std::vector<MemoryRange> ranges;
  if (!IsPageable(copy.to.begin)) {
    ranges.push_back({copy.to.begin, copy.box.Span(copy.to), MemoryUse::kWrites});
  }
  if (!IsPageable(copy.from.begin)) {
    ranges.push_back({copy.from.begin, copy.box.Span(copy.from), MemoryUse::kReads});
  }
  return ranges;
}

// Pageable memory is read at the call, not when the copy runs.
std::function<void()> WithStagedSource(BoxCopy copy) {
  const char* const begin = copy.from.begin;
  const auto staged = std::make_shared<std::vector<char>>(begin, begin + copy.box.Span(copy.from));
  copy.from.begin = staged->data();
  return [copy, staged] { CopyNow(copy); };
}

bool PitchesFit(const Box& box, const BoxSide& side) {
  return side.pitch >= box.width &&
         (box.depth == 1 || side.slice_bytes >= (box.height - 1) * side.pitch + box.width);
}

bool SidesOk(const BoxCopy& copy) {
  const bool to_device =
      copy.kind == cudaMemcpyHostToDevice || copy.kind == cudaMemcpyDeviceToDevice;
  const bool from_device =
      copy.kind == cudaMemcpyDeviceToHost || copy.kind == cudaMemcpyDeviceToDevice;
  const bool either = copy.kind == cudaMemcpyDefault;
  const Box& box = copy.box;
  return SideOk({copy.call, "destination", copy.to.begin, box.Span(copy.to), copy.caller},
                to_device, either) &&
         SideOk({copy.call, "source", copy.from.begin, box.Span(copy.from), copy.caller},
                from_device, either);
}

cudaError_t FindFault(const BoxCopy& copy) {
  if (!IsDirection(copy.kind)) return cudaErrorInvalidMemcpyDirection;
  if (!PitchesFit(copy.box, copy.to) || !PitchesFit(copy.box, copy.from)) {
    return cudaErrorInvalidPitchValue;
  }
  return SidesOk(copy) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t WaitIf(bool wait, cudaStream_t stream, cudaError_t error) {
  if (error == cudaSuccess && wait && StreamsAreTracked()) SynchroniseStream(FindStream(stream));
  return Return(error);
}

NodeWork FillWork(const char* call, const BoxSide& to, const Box& box, FillValue value,
                  const void* caller) {
  const ApiRange range{call, "destination", to.begin, box.Span(to), caller};
  return {{call, {}, caller}, {{to.begin, box.Span(to), MemoryUse::kWrites}}, [=] {
            if (StillThere(range)) FillNow(call, to, box, value, caller);
          }};
}

cudaError_t FindFillFault(const char* call, const BoxSide& to, const Box& box, const void* caller) {
  if (!PitchesFit(box, to)) return cudaErrorInvalidPitchValue;
  const ApiRange range{call, "destination", to.begin, box.Span(to), caller};
  return SideOk(range, true, false) ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace

cudaError_t CopyBox(const BoxCopy& copy, cudaStream_t stream, bool wait) {
  CUDASIM_MAY_FAIL_AS(copy.call);
  if (!IsDirection(copy.kind)) return Return(cudaErrorInvalidMemcpyDirection);
  if (StickyError() != cudaSuccess || copy.box.empty()) return Return(cudaSuccess);
  if (wait) {
    if (const cudaError_t error = RefuseSynchronousCall()) return Return(error);
  }
  if (const cudaError_t error = FindFault(copy)) return Return(error);
  const bool now = !IsCapturing(FindStream(stream));
  wait = now && (wait || IsPageable(copy.to.begin));
  const bool stage = now && !wait && StreamsAreTracked() && IsPageable(copy.from.begin);
  const std::function<void()> work = stage ? WithStagedSource(copy) : [copy] { CopyNow(copy); };
  const cudaError_t error = RunInStream(stream, {{copy.call, {}, copy.caller}, Touched(copy), work},
                                        cudaGraphNodeTypeMemcpy);
  if (error == cudaSuccess && stage) HostIsBlocked(FindStream(stream));
  return WaitIf(wait, stream, error);
}

cudaError_t FillBox(const char* call, const BoxSide& to, const Box& box, int value,
                    const void* caller, cudaStream_t stream, bool wait) {
  CUDASIM_MAY_FAIL_AS(call);
  if (StickyError() != cudaSuccess || box.empty()) return Return(cudaSuccess);
  if (wait) {
    if (const cudaError_t error = RefuseSynchronousCall()) return Return(error);
  }
  if (const cudaError_t error = FindFillFault(call, to, box, caller)) return Return(error);
  const FillValue byte{static_cast<unsigned char>(value), 1};
  return WaitIf(
      wait, stream,
      RunInStream(stream, FillWork(call, to, box, byte, caller), cudaGraphNodeTypeMemset));
}

cudaError_t PrepareBoxCopy(const BoxCopy& copy, NodeWork* work) {
  if (copy.box.empty()) return cudaErrorInvalidValue;
  *work = {{copy.call, {}, copy.caller}, Touched(copy), [copy] { CopyNow(copy); }};
  return FindFault(copy);
}

cudaError_t PrepareBoxFill(const char* call, const BoxSide& to, const Box& box, FillValue value,
                           const void* caller, NodeWork* work) {
  if (box.empty()) return cudaErrorInvalidValue;
  *work = FillWork(call, to, box, value, caller);
  return FindFillFault(call, to, box, caller);
}

}  // namespace cudasim
