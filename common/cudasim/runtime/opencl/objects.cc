#include "common/cudasim/runtime/opencl/objects.h"

#include <mutex>
#include <set>

#include "common/cudasim/runtime/errors/fail_call.h"

namespace cudasim::opencl {
namespace {

struct LiveObjects {
  std::mutex mutex;
  std::set<const void*> addresses;

  // Never destroyed: static objects of programs may outlive it.
  static LiveObjects& Get() {
    static auto* const objects = new LiveObjects;
    return *objects;
  }
};

}  // namespace

Object::Object() {
  LiveObjects& objects = LiveObjects::Get();
  const std::lock_guard lock(objects.mutex);
  objects.addresses.insert(this);
}

Object::~Object() {
  LiveObjects& objects = LiveObjects::Get();
  const std::lock_guard lock(objects.mutex);
  objects.addresses.erase(this);
}

bool IsLive(const void* handle) {
  LiveObjects& objects = LiveObjects::Get();
  const std::lock_guard lock(objects.mutex);
  return objects.addresses.contains(handle);
}

cl_int ErrorOf(cudaError_t error, cl_int usual) {
  if (error == cudaSuccess) return CL_SUCCESS;
  cudaGetLastError();
  if (error == cudaErrorMemoryAllocation) return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  return usual;
}

bool MustFail(const char* call) {
  if (InjectedError(call) == cudaSuccess) return false;
  cudaGetLastError();
  return true;
}

cl_int Answer(const void* answer, size_t answer_bytes, size_t bytes, void* value, size_t* needed) {
  if (needed != nullptr) *needed = answer_bytes;
  if (value == nullptr) return CL_SUCCESS;
  if (bytes < answer_bytes) return CL_INVALID_VALUE;
  std::memcpy(value, answer, answer_bytes);
  return CL_SUCCESS;
}

_cl_platform_id* Platform() {
  static auto* const platform = new _cl_platform_id;
  return platform;
}

_cl_device_id* Device() {
  static auto* const device = new _cl_device_id;
  return device;
}

}  // namespace cudasim::opencl
