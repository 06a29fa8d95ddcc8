// Surface objects: made and destroyed by the host, and where kernels' accesses go.
#include <algorithm>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/hooks/mode.h"
#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/diagnostics/symbolizer.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/errors/fail_call.h"
#include "common/cudasim/runtime/scheduler/grid.h"
#include "common/cudasim/runtime/scheduler/leave_kernel.h"
#include "common/cudasim/runtime/scheduler/worker.h"
#include "common/cudasim/runtime/textures/arrays.h"

namespace cudasim {
namespace {

struct Surface {
  const cudaArray* array;
  bool alive = true;  // records are kept, so that use after destruction is noticed
};

struct Surfaces {
  std::mutex mutex;
  std::set<const Surface*> all;
};

Surfaces& AllSurfaces() {
  static auto* const surfaces = new Surfaces;
  return *surfaces;
}

const Surface* FindSurface(cudaSurfaceObject_t handle) {
  const auto* const surface = reinterpret_cast<const Surface*>(handle);
  const std::lock_guard lock(AllSurfaces().mutex);
  return AllSurfaces().all.count(surface) != 0 && surface->alive ? surface : nullptr;
}

std::string Verb(const SurfaceAccess& access) {
  return std::string("surface ") + (access.writes ? "write" : "read") + " of " +
         Bytes(access.bytes);
}

[[noreturn]] void EndAccess(Kind kind, const SurfaceAccess& access, const std::string& what,
                            const void* caller, cudaError_t error) {
  Report({kind,
          "kernel " + std::string(RunningGrid()->source.name) + ", " + Locate(caller).ToString() +
              ": " + Verb(access) + " " + what,
          {DescribeCurrentThread()}});
  MakeSticky(error);
  Worker::Current().Abandon();
}

// As for textures, only check mode looks whether the handle and the array are still alive.
const cudaArray& UseArray(cudaSurfaceObject_t handle, const SurfaceAccess& access,
                          const void* caller) {
  const Surface* const surface =
      kCheckMode ? FindSurface(handle) : reinterpret_cast<const Surface*>(handle);
  if (surface == nullptr) {
    EndAccess("invalid_address", access, "through a handle that is not a surface object", caller,
              cudaErrorIllegalAddress);
  }
  if (kCheckMode && !IsArray(surface->array)) {
    EndAccess("use_after_free", access, "in an array that is freed", caller,
              cudaErrorIllegalAddress);
  }
  if (!HasShape(*surface->array, access.shape)) {
    EndAccess("invalid_argument", access,
              "by a function for another kind of array than " + Describe(*surface->array), caller,
              cudaErrorInvalidValue);
  }
  return *surface->array;
}

bool IsInside(long long begin, long long count, std::size_t size) {
  return begin >= 0 && begin + count <= static_cast<long long>(size);
}

int Clamp(int position, std::size_t size, unsigned count) {
  return std::clamp(position, 0, static_cast<int>(size - count));
}

}  // namespace

char* FindElement(cudaSurfaceObject_t handle, const SurfaceAccess& access) {
  const LeaveKernel leave;
  const void* const caller = __builtin_return_address(0);
  const cudaArray& array = UseArray(handle, access, caller);
  if (access.x % static_cast<int>(access.bytes) != 0) {
    EndAccess("misaligned", access, "at byte " + std::to_string(access.x) + " of a row", caller,
              cudaErrorMisalignedAddress);
  }
  int x = access.x, y = access.y, z = access.z;
  const bool inside = IsInside(x, access.bytes, array.row_bytes()) &&
                      IsInside(y, 1, array.rows()) && IsInside(z, 1, array.slices());
  if (!inside && access.mode == cudaBoundaryModeZero) return nullptr;
  if (!inside && access.mode == cudaBoundaryModeTrap) {
    EndAccess("out_of_bounds", access,
              "at byte " + std::to_string(x) + " of row " + std::to_string(y) + " of slice " +
                  std::to_string(z) + ": outside of " + Describe(array),
              caller, cudaErrorIllegalAddress);
  }
  if (!inside) {
    x = Clamp(x, array.row_bytes(), access.bytes);
    y = Clamp(y, array.rows(), 1);
    z = Clamp(z, array.slices(), 1);
  }
  char* const element = SideOf(array, static_cast<std::size_t>(x), static_cast<std::size_t>(y),
                               static_cast<std::size_t>(z))
                            .begin;
  if (!access.writes && kCheckMode) OnCachedRead(element, access.bytes, caller);
  return element;
}

}  // namespace cudasim

using cudasim::AllSurfaces;
using cudasim::Return;
using cudasim::Surface;

extern "C" {

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface,
                                    const cudaResourceDesc* resource) {
  CUDASIM_MAY_FAIL();
  if (surface == nullptr || resource == nullptr || resource->resType != cudaResourceTypeArray) {
    return Return(cudaErrorInvalidValue);
  }
  const cudaArray* const array = resource->res.array.array;
  if (!cudasim::IsArray(array)) return Return(cudaErrorInvalidResourceHandle);
  if ((array->flags & cudaArraySurfaceLoadStore) == 0) return Return(cudaErrorInvalidValue);
  auto made = std::make_unique<Surface>(Surface{array});
  const std::lock_guard lock(AllSurfaces().mutex);
  AllSurfaces().all.insert(made.get());
  cudasim::OnMade(cudasim::HandleKind::kSurfaceObject, made.get(), __builtin_return_address(0));
  *surface = reinterpret_cast<cudaSurfaceObject_t>(made.release());
  return Return(cudaSuccess);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t handle) {
  auto* const surface = const_cast<Surface*>(cudasim::FindSurface(handle));
  if (surface == nullptr) return Return(cudaErrorInvalidValue);
  cudasim::SynchroniseDevice();
  surface->alive = false;
  cudasim::OnEnded(cudasim::HandleKind::kSurfaceObject, surface);
  return Return(cudaSuccess);
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaSurfaceObject_t handle) {
  const Surface* const surface = cudasim::FindSurface(handle);
  if (surface == nullptr || resource == nullptr) return Return(cudaErrorInvalidValue);
  *resource = {};
  resource->resType = cudaResourceTypeArray;
  resource->res.array.array = const_cast<cudaArray_t>(surface->array);
  return Return(cudaSuccess);
}

}  // extern "C"
