// cudaMallocPitch, cudaMemcpy2D, cudaMemcpy3D, cudaMemset2D and their relatives.
#include "common/cudasim/runtime/api/node_work.h"
#include "common/cudasim/runtime/copies/box_copy.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/memory/rounding.h"
#include "common/cudasim/runtime/textures/arrays.h"

namespace cudasim {
namespace {

constexpr std::size_t kPitchAlignment = 512;

std::size_t PitchOf(std::size_t width) { return RoundUp(width, kPitchAlignment); }

// True if the product overflows.
bool Product(std::size_t a, std::size_t b, std::size_t* product) {
  return __builtin_mul_overflow(a, b, product);
}

BoxSide PitchedSide(const cudaPitchedPtr& p, const cudaPos& pos) {
  const std::size_t slice = p.pitch * p.ysize;
  return {static_cast<char*>(p.ptr) + pos.z * slice + pos.y * p.pitch + pos.x, p.pitch, slice};
}

// One side of cudaMemcpy3D; positions of arrays are in elements.
cudaError_t Side3D(cudaArray_t array, const cudaPitchedPtr& pointer, const cudaPos& pos,
                   const Box& box, BoxSide* side) {
  if ((array != nullptr) == (pointer.ptr != nullptr)) return cudaErrorInvalidValue;
  if (array == nullptr) {
    *side = PitchedSide(pointer, pos);
    return cudaSuccess;
  }
  if (!IsArray(array)) return cudaErrorInvalidResourceHandle;
  const std::size_t x = pos.x * array->element_bytes();
  if (!HoldsBox(*array, x, pos.y, pos.z, box)) return cudaErrorInvalidValue;
  *side = SideOf(*array, x, pos.y, pos.z);
  return cudaSuccess;
}

// The copy that the parameters describe; of an empty one the sides are not set.
cudaError_t Read3D(const char* call, const cudaMemcpy3DParms* p, const void* caller,
                   BoxCopy* copy) {
  if (p == nullptr) return cudaErrorInvalidValue;
  const cudaArray* const array = p->srcArray != nullptr ? p->srcArray : p->dstArray;
  if (array != nullptr && !IsArray(array)) return cudaErrorInvalidResourceHandle;
  const std::size_t unit = array != nullptr ? array->element_bytes() : 1;
  *copy = {call,    {},    {}, {p->extent.width * unit, p->extent.height, p->extent.depth},
           p->kind, caller};
  if (copy->box.empty()) return cudaSuccess;
  const cudaError_t error = Side3D(p->dstArray, p->dstPtr, p->dstPos, copy->box, &copy->to);
  if (error != cudaSuccess) return error;
  return Side3D(p->srcArray, p->srcPtr, p->srcPos, copy->box, &copy->from);
}

cudaError_t Copy3D(const char* call, const cudaMemcpy3DParms* p, const void* caller,
                   cudaStream_t stream, bool wait) {
  BoxCopy copy;
  const cudaError_t error = Read3D(call, p, caller, &copy);
  if (error != cudaSuccess || copy.box.empty()) return Return(error);
  return CopyBox(copy, stream, wait);
}

BoxCopy Flat(const char* call, void* to, std::size_t to_pitch, const void* from,
             std::size_t from_pitch, const Box& box, cudaMemcpyKind kind, const void* caller) {
  return {call,
          {static_cast<char*>(to), to_pitch, to_pitch * box.height},
          {static_cast<char*>(const_cast<void*>(from)), from_pitch, from_pitch * box.height},
          box,
          kind,
          caller};
}

}  // namespace

cudaError_t PrepareCopy3D(const char* call, const cudaMemcpy3DParms* parameters, const void* caller,
                          NodeWork* work) {
  BoxCopy copy;
  const cudaError_t error = Read3D(call, parameters, caller, &copy);
  return error != cudaSuccess ? error : PrepareBoxCopy(copy, work);
}

}  // namespace cudasim

#define CUDASIM_CALLER __builtin_return_address(0)

using cudasim::Box;
using cudasim::Return;

extern "C" {

cudaError_t cudasimMalloc(void** pointer, size_t bytes, const void* caller);

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  if (pointer == nullptr || pitch == nullptr) return Return(cudaErrorInvalidValue);
  size_t bytes = 0;
  *pitch = cudasim::PitchOf(width);
  if (*pitch < width || cudasim::Product(*pitch, height, &bytes)) {
    return Return(cudaErrorMemoryAllocation);
  }
  return cudasimMalloc(pointer, bytes, CUDASIM_CALLER);
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
  if (pitched == nullptr) return Return(cudaErrorInvalidValue);
  const size_t pitch = cudasim::PitchOf(extent.width);
  size_t bytes = 0;
  if (pitch < extent.width || cudasim::Product(pitch, extent.height, &bytes) ||
      cudasim::Product(bytes, extent.depth, &bytes)) {
    return Return(cudaErrorMemoryAllocation);
  }
  *pitched = {nullptr, pitch, extent.width, extent.height};
  return cudasimMalloc(&pitched->ptr, bytes, CUDASIM_CALLER);
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
  return cudasim::CopyBox(cudasim::Flat("cudaMemcpy2D", to, to_pitch, from, from_pitch,
                                        {width, height, 1}, kind, CUDASIM_CALLER),
                          nullptr, true);
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return cudasim::CopyBox(cudasim::Flat("cudaMemcpy2DAsync", to, to_pitch, from, from_pitch,
                                        {width, height, 1}, kind, CUDASIM_CALLER),
                          stream, false);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return cudasim::Copy3D("cudaMemcpy3D", parameters, CUDASIM_CALLER, nullptr, true);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  return cudasim::Copy3D("cudaMemcpy3DAsync", parameters, CUDASIM_CALLER, stream, false);
}

cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  return cudasim::FillBox("cudaMemset2D", {static_cast<char*>(pointer), pitch, pitch * height},
                          {width, height, 1}, value, CUDASIM_CALLER, nullptr, true);
}

cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return cudasim::FillBox("cudaMemset2DAsync", {static_cast<char*>(pointer), pitch, pitch * height},
                          {width, height, 1}, value, CUDASIM_CALLER, stream, false);
}

cudaError_t cudaMemset3D(cudaPitchedPtr pitched, int value, cudaExtent extent) {
  return cudasim::FillBox("cudaMemset3D", cudasim::PitchedSide(pitched, {0, 0, 0}),
                          {extent.width, extent.height, extent.depth}, value, CUDASIM_CALLER,
                          nullptr, true);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr pitched, int value, cudaExtent extent,
                              cudaStream_t stream) {
  return cudasim::FillBox("cudaMemset3DAsync", cudasim::PitchedSide(pitched, {0, 0, 0}),
                          {extent.width, extent.height, extent.depth}, value, CUDASIM_CALLER,
                          stream, false);
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           size_t bytes) {
  if (to_device != 0 || from_device != 0) return Return(cudaErrorInvalidDevice);
  return cudasim::CopyBox(cudasim::Flat("cudaMemcpyPeer", to, bytes, from, bytes, {bytes, 1, 1},
                                        cudaMemcpyDeviceToDevice, CUDASIM_CALLER),
                          nullptr, true);
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                size_t bytes, cudaStream_t stream) {
  if (to_device != 0 || from_device != 0) return Return(cudaErrorInvalidDevice);
  return cudasim::CopyBox(cudasim::Flat("cudaMemcpyPeerAsync", to, bytes, from, bytes,
                                        {bytes, 1, 1}, cudaMemcpyDeviceToDevice, CUDASIM_CALLER),
                          stream, false);
}

}  // extern "C"
