#include "common/cudasim/runtime/textures/arrays.h"

#include <mutex>
#include <set>

#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/errors/fail_call.h"
#include "common/cudasim/runtime/graphs/capture.h"
#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/memory/misuse.h"
#include "common/cudasim/runtime/streams/stream_state.h"

namespace cudasim {
namespace {

struct Arrays {
  std::mutex mutex;
  std::set<const cudaArray*> live;
};

Arrays& AllArrays() {
  static auto* const arrays = new Arrays;
  return *arrays;
}

// The limits of an H100: CUDA C++ Programming Guide, table "Technical Specifications per Compute
// Capability".
constexpr std::size_t kMaxLayers = 2048;
constexpr std::size_t kMaxCubes = 2046 / 6;
constexpr std::size_t kMaxLayeredSide = 32768;
constexpr std::size_t kFaces = 6;

// Layers and faces are slices: the depth counts them.
bool ExtentFits(const cudaExtent& extent, unsigned flags) {
  const bool layered = (flags & cudaArrayLayered) != 0;
  if ((flags & cudaArrayCubemap) != 0) {
    const std::size_t cubes = extent.depth / kFaces;
    return extent.width == extent.height && extent.width <= kMaxLayeredSide && cubes > 0 &&
           extent.depth % kFaces == 0 && cubes <= (layered ? kMaxCubes : 1);
  }
  if (!layered) return true;
  return extent.depth > 0 && extent.depth <= kMaxLayers && extent.width <= kMaxLayeredSide &&
         extent.height <= kMaxLayeredSide;
}

cudaError_t MakeArray(const char* call, cudaArray_t* array, const cudaChannelFormatDesc* format,
                      cudaExtent extent, unsigned flags, const void* caller) {
  CUDASIM_MAY_FAIL_AS(call, cudaErrorMemoryAllocation);
  if (StickyError() != cudaSuccess) return Return(cudaSuccess);
  if (array == nullptr || format == nullptr || extent.width == 0) {
    return Return(cudaErrorInvalidValue);
  }
  if (!IsTextureFormat(*format)) return Return(cudaErrorInvalidChannelDescriptor);
  constexpr unsigned kKnown =
      cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather;
  if ((flags & ~kKnown) != 0) return Return(cudaErrorNotSupported);
  if (!ExtentFits(extent, flags)) return Return(cudaErrorInvalidValue);
  if (const cudaError_t error = RefuseUnsafeCall()) return Return(error);
  auto made = std::make_unique<cudaArray>();
  made->format = *format;
  made->extent = extent;
  made->flags = flags;
  const Allocation* const memory = DeviceHeap::Get().Allocate(
      made->row_bytes() * made->rows() * made->slices(), MemoryKind::kArray, caller);
  if (memory == nullptr) return Return(cudaErrorMemoryAllocation);
  made->data = memory->begin;
  ForgetRanges(memory->begin, memory->bytes);
  const std::lock_guard lock(AllArrays().mutex);
  AllArrays().live.insert(made.get());
  *array = made.release();
  return Return(cudaSuccess);
}

// Copies between an array, at (x bytes, y rows), and pitched memory.
struct ArrayCopy {
  const char* call;
  const cudaArray* array;
  std::size_t x;
  std::size_t y;
  bool to_array;
  char* memory;
  std::size_t pitch;
  Box box;
  cudaMemcpyKind kind;
  const void* caller;
};

cudaError_t CopyArray(const ArrayCopy& c, cudaStream_t stream, bool wait) {
  if (!IsArray(c.array)) return Return(cudaErrorInvalidResourceHandle);
  if (!HoldsBox(*c.array, c.x, c.y, 0, c.box)) return Return(cudaErrorInvalidValue);
  const BoxSide array = SideOf(*c.array, c.x, c.y, 0);
  const BoxSide memory{c.memory, c.pitch, c.pitch * c.box.height};
  return CopyBox(
      {c.call, c.to_array ? array : memory, c.to_array ? memory : array, c.box, c.kind, c.caller},
      stream, wait);
}

char* Mutable(const void* pointer) { return static_cast<char*>(const_cast<void*>(pointer)); }

}  // namespace

bool IsTextureFormat(const cudaChannelFormatDesc& format) {
  const int bits = format.x;
  if (bits != 8 && bits != 16 && bits != 32) return false;
  if (format.f == cudaChannelFormatKindFloat && bits == 8) return false;
  const bool one = format.y == 0 && format.z == 0 && format.w == 0;
  const bool two = format.y == bits && format.z == 0 && format.w == 0;
  const bool four = format.y == bits && format.z == bits && format.w == bits;
  return format.f != cudaChannelFormatKindNone && (one || two || four);
}

bool HasShape(const cudaArray& array, const ArrayShape& shape) {
  const bool layered = (array.flags & cudaArrayLayered) != 0;
  const bool cubemap = (array.flags & cudaArrayCubemap) != 0;
  const bool deep = !layered && !cubemap && array.extent.depth > 0;
  const int dimensions = deep ? 3 : array.extent.height > 0 ? 2 : 1;
  return layered == shape.layered && cubemap == shape.cubemap && dimensions == shape.dimensions;
}

std::string Describe(const cudaArray& array) {
  return std::string("the ") + ((array.flags & cudaArrayLayered) != 0 ? "layered " : "") +
         ((array.flags & cudaArrayCubemap) != 0 ? "cubemap " : "") + "array of " +
         std::to_string(array.row_bytes()) + " bytes by " + std::to_string(array.rows()) +
         " rows by " + std::to_string(array.slices()) + " slices";
}

bool IsArray(const cudaArray* array) {
  const std::lock_guard lock(AllArrays().mutex);
  return AllArrays().live.count(array) != 0;
}

BoxSide SideOf(const cudaArray& array, std::size_t x, std::size_t y, std::size_t z) {
  const std::size_t slice = array.row_bytes() * array.rows();
  return {array.data + z * slice + y * array.row_bytes() + x, array.row_bytes(), slice};
}

bool HoldsBox(const cudaArray& array, std::size_t x, std::size_t y, std::size_t z, const Box& box) {
  const auto fits = [](std::size_t begin, std::size_t count, std::size_t size) {
    return begin <= size && count <= size - begin;
  };
  return fits(x, box.width, array.row_bytes()) && fits(y, box.height, array.rows()) &&
         fits(z, box.depth, array.slices());
}

}  // namespace cudasim

#define CUDASIM_CALLER __builtin_return_address(0)

using cudasim::Box;
using cudasim::Mutable;
using cudasim::Return;

extern "C" {

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width,
                            size_t height, unsigned flags) {
  // Layers and faces need a depth.
  if ((flags & (cudaArrayLayered | cudaArrayCubemap)) != 0) return Return(cudaErrorInvalidValue);
  return cudasim::MakeArray(__func__, array, format, {width, height, 0}, flags, CUDASIM_CALLER);
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                              cudaExtent extent, unsigned flags) {
  return cudasim::MakeArray(__func__, array, format, extent, flags, CUDASIM_CALLER);
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  if (array == nullptr) return Return(cudaSuccess);
  if (const cudaError_t error = cudasim::RefuseUnsafeCall()) return Return(error);
  cudasim::SynchroniseDevice();
  {
    const std::lock_guard lock(cudasim::AllArrays().mutex);
    if (cudasim::AllArrays().live.erase(array) == 0) return Return(cudaErrorInvalidResourceHandle);
  }
  cudasim::DeviceHeap::Get().Free(array->data, CUDASIM_CALLER);
  delete array;
  return Return(cudaSuccess);
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags,
                             cudaArray_t array) {
  if (!cudasim::IsArray(array)) return Return(cudaErrorInvalidResourceHandle);
  if (format != nullptr) *format = array->format;
  if (extent != nullptr) *extent = array->extent;
  if (flags != nullptr) *flags = array->flags;
  return Return(cudaSuccess);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
  return cudasim::CopyArray({"cudaMemcpy2DToArray", to, x, y, true, Mutable(from), pitch,
                             Box{width, height, 1}, kind, CUDASIM_CALLER},
                            nullptr, true);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                     size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
  return cudasim::CopyArray({"cudaMemcpy2DToArrayAsync", to, x, y, true, Mutable(from), pitch,
                             Box{width, height, 1}, kind, CUDASIM_CALLER},
                            stream, false);
}

cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind kind) {
  return cudasim::CopyArray({"cudaMemcpy2DFromArray", from, x, y, false, Mutable(to), pitch,
                             Box{width, height, 1}, kind, CUDASIM_CALLER},
                            nullptr, true);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return cudasim::CopyArray({"cudaMemcpy2DFromArrayAsync", from, x, y, false, Mutable(to), pitch,
                             Box{width, height, 1}, kind, CUDASIM_CALLER},
                            stream, false);
}

// The bytes continue from row to row of the array.
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind) {
  if (!cudasim::IsArray(to)) return Return(cudaErrorInvalidResourceHandle);
  const size_t begin = y * to->row_bytes() + x;
  const size_t size = to->row_bytes() * to->rows();
  if (begin > size || bytes > size - begin) return Return(cudaErrorInvalidValue);
  return cudasim::CopyBox({"cudaMemcpyToArray",
                           {to->data + begin, bytes, bytes},
                           {Mutable(from), bytes, bytes},
                           {bytes, 1, 1},
                           kind,
                           CUDASIM_CALLER},
                          nullptr, true);
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
  if (!cudasim::IsArray(from)) return Return(cudaErrorInvalidResourceHandle);
  const size_t begin = y * from->row_bytes() + x;
  const size_t size = from->row_bytes() * from->rows();
  if (begin > size || bytes > size - begin) return Return(cudaErrorInvalidValue);
  return cudasim::CopyBox({"cudaMemcpyFromArray",
                           {Mutable(to), bytes, bytes},
                           {from->data + begin, bytes, bytes},
                           {bytes, 1, 1},
                           kind,
                           CUDASIM_CALLER},
                          nullptr, true);
}

}  // extern "C"
