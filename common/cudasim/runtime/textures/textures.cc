// Texture objects: made and destroyed by the host.
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/hooks/mode.h"
#include "common/cudasim/runtime/copies/api_copy.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/diagnostics/symbolizer.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/errors/fail_call.h"
#include "common/cudasim/runtime/memory/describe.h"
#include "common/cudasim/runtime/memory/heap.h"
#include "common/cudasim/runtime/scheduler/grid.h"
#include "common/cudasim/runtime/scheduler/worker.h"
#include "common/cudasim/runtime/textures/arrays.h"
#include "common/cudasim/runtime/textures/texture.h"

namespace cudasim {
namespace {

constexpr std::size_t kPitchAlignment = 32;  // cudaDeviceProp::texturePitchAlignment

struct Textures {
  std::mutex mutex;
  std::set<const Texture*> all;
};

Textures& AllTextures() {
  static auto* const textures = new Textures;
  return *textures;
}

[[noreturn]] void EndFetch(Kind kind, const std::string& what, const void* caller) {
  Report({kind,
          "kernel " + std::string(RunningGrid()->source.name) + ", " + Locate(caller).ToString() +
              ": texture fetch " + what,
          {DescribeCurrentThread()}});
  MakeSticky(cudaErrorIllegalAddress);
  Worker::Current().Abandon();
}

struct Fault {
  Kind kind;
  std::string what;
};

// What is wrong with a handle that a kernel uses, if anything is.
std::optional<Fault> FindFault(const Texture* texture) {
  const Fault none{"invalid_address", "through a handle that is not a texture object"};
  if (!kCheckMode) {
    return texture == nullptr || !texture->alive ? std::optional(none) : std::nullopt;
  }
  {
    const std::lock_guard lock(AllTextures().mutex);
    if (AllTextures().all.count(texture) == 0 || !texture->alive) return none;
  }
  const Allocation* const memory = DeviceHeap::Get().FindNear(texture->data);
  if (!DeviceHeap::Contains(texture->data) || memory == nullptr || !memory->freed) return {};
  if (!memory->Contains(texture->data)) return {};
  return Fault{"use_after_free", "of memory that is freed: " + Describe(*memory)};
}

cudaError_t UseArray(const cudaResourceDesc& resource, Texture& t) {
  const cudaArray* const array = resource.res.array.array;
  if (!IsArray(array)) return cudaErrorInvalidResourceHandle;
  const BoxSide side = SideOf(*array, 0, 0, 0);
  t.array = array;
  t.data = side.begin;
  t.format = array->format;
  t.size[0] = array->extent.width;
  t.size[1] = array->rows();
  t.size[2] = array->slices();
  t.pitch = side.pitch;
  t.slice_bytes = side.slice_bytes;
  return cudaSuccess;
}

cudaError_t UseLinear(const cudaResourceDesc& resource, Texture& t, const void* caller) {
  const auto& linear = resource.res.linear;
  if (!IsTextureFormat(linear.desc)) return cudaErrorInvalidChannelDescriptor;
  if (!SideOk({"cudaCreateTextureObject", "memory", linear.devPtr, linear.sizeInBytes, caller},
              true, false)) {
    return cudaErrorInvalidValue;
  }
  t.data = static_cast<const char*>(linear.devPtr);
  t.format = linear.desc;
  const int bits = linear.desc.x + linear.desc.y + linear.desc.z + linear.desc.w;
  t.size[0] = linear.sizeInBytes / static_cast<std::size_t>(bits / 8);
  return cudaSuccess;
}

cudaError_t UsePitched(const cudaResourceDesc& resource, Texture& t, const void* caller) {
  const auto& p = resource.res.pitch2D;
  if (!IsTextureFormat(p.desc)) return cudaErrorInvalidChannelDescriptor;
  const auto element = static_cast<std::size_t>(p.desc.x + p.desc.y + p.desc.z + p.desc.w) / 8;
  if (p.width == 0 || p.height == 0 || p.pitchInBytes < p.width * element) {
    return cudaErrorInvalidPitchValue;
  }
  if (p.pitchInBytes % kPitchAlignment != 0) return cudaErrorInvalidValue;  // as on an H200
  const std::size_t bytes = (p.height - 1) * p.pitchInBytes + p.width * element;
  if (!SideOk({"cudaCreateTextureObject", "memory", p.devPtr, bytes, caller}, true, false)) {
    return cudaErrorInvalidValue;
  }
  t.data = static_cast<const char*>(p.devPtr);
  t.format = p.desc;
  t.size[0] = p.width;
  t.size[1] = p.height;
  t.pitch = p.pitchInBytes;
  return cudaSuccess;
}

cudaError_t UseResource(const cudaResourceDesc& resource, Texture& t, const void* caller) {
  switch (resource.resType) {
    case cudaResourceTypeArray:
      return UseArray(resource, t);
    case cudaResourceTypeLinear:
      return UseLinear(resource, t, caller);
    case cudaResourceTypePitch2D:
      return UsePitched(resource, t, caller);
    default:
      return cudaErrorNotSupported;
  }
}

cudaError_t CheckModes(const Texture& t) {
  // Filtering across the edges of faces is not simulated.
  if (t.description.seamlessCubemap != 0) return cudaErrorNotSupported;
  if (t.description.filterMode == cudaFilterModeLinear && !ReadsFloat(t)) {
    return cudaErrorInvalidFilterSetting;
  }
  const bool normalized = t.description.readMode == cudaReadModeNormalizedFloat;
  if (normalized && t.format.f != cudaChannelFormatKindFloat && t.format.x == 32) {
    return cudaErrorInvalidNormSetting;
  }
  return cudaSuccess;
}

}  // namespace

const Texture& UseTexture(cudaTextureObject_t handle, const void* caller) {
  const auto* const texture = reinterpret_cast<const Texture*>(handle);
  if (const auto fault = FindFault(texture)) EndFetch(fault->kind, fault->what, caller);
  return *texture;
}

void RequireShape(const Texture& texture, const ArrayShape& shape, const void* caller) {
  if (texture.array != nullptr && HasShape(*texture.array, shape)) return;
  EndFetch("invalid_argument",
           "by a function for another kind of array than " +
               (texture.array == nullptr ? "linear memory" : Describe(*texture.array)),
           caller);
}

}  // namespace cudasim

using cudasim::AllTextures;
using cudasim::Return;
using cudasim::Texture;

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description,
                                    const cudaResourceViewDesc* view) {
  CUDASIM_MAY_FAIL();
  if (texture == nullptr || resource == nullptr || description == nullptr) {
    return Return(cudaErrorInvalidValue);
  }
  if (view != nullptr) return Return(cudaErrorNotSupported);
  auto made = std::make_unique<Texture>();
  made->description = *description;
  cudaError_t error = cudasim::UseResource(*resource, *made, __builtin_return_address(0));
  if (error == cudaSuccess) error = cudasim::CheckModes(*made);
  if (error != cudaSuccess) return Return(error);
  const cudaChannelFormatDesc& f = made->format;
  made->element_bytes = static_cast<std::size_t>(f.x + f.y + f.z + f.w) / 8;
  const std::lock_guard lock(AllTextures().mutex);
  AllTextures().all.insert(made.get());
  cudasim::OnMade(cudasim::HandleKind::kTextureObject, made.get(), __builtin_return_address(0));
  *texture = reinterpret_cast<cudaTextureObject_t>(made.release());
  return Return(cudaSuccess);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
  auto* const known = reinterpret_cast<Texture*>(texture);
  const std::lock_guard lock(AllTextures().mutex);
  if (AllTextures().all.count(known) == 0 || !known->alive) return Return(cudaErrorInvalidValue);
  known->alive = false;
  cudasim::OnEnded(cudasim::HandleKind::kTextureObject, known);
  return Return(cudaSuccess);
}

}  // extern "C"
