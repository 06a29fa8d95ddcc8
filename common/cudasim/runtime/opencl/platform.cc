// Platforms, devices and contexts.
#include <string>

#include "common/cudasim/include/cudasim/hardware.h"
#include "common/cudasim/runtime/opencl/objects.h"

using cudasim::opencl::Answer;
using cudasim::opencl::Fail;
using cudasim::opencl::IsValid;
using cudasim::opencl::Made;
using cudasim::opencl::MustFail;

namespace {

const std::string kVendor = "cudasim";
const std::string kVersion = "OpenCL 1.2 cudasim";
constexpr cl_ulong kLocalBytes = 48 << 10;

// Finds the one object that there is; count and found may be null, but not both.
template <class T>
cl_int List(T* one, cl_uint entries, T** found, cl_uint* count) {
  if ((entries == 0 && found != nullptr) || (found == nullptr && count == nullptr)) {
    return CL_INVALID_VALUE;
  }
  if (count != nullptr) *count = 1;
  if (found != nullptr) *found = one;
  return CL_SUCCESS;
}

}  // namespace

extern "C" {

cl_int clGetPlatformIDs(cl_uint entries, cl_platform_id* platforms, cl_uint* count) {
  if (MustFail(__func__)) return CL_OUT_OF_HOST_MEMORY;
  return List(cudasim::opencl::Platform(), entries, platforms, count);
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t bytes, void* value,
                         size_t* needed) {
  if (MustFail(__func__)) return CL_OUT_OF_HOST_MEMORY;
  if (!IsValid(platform)) return CL_INVALID_PLATFORM;
  switch (what) {
    case CL_PLATFORM_PROFILE:
      return Answer(std::string("FULL_PROFILE"), bytes, value, needed);
    case CL_PLATFORM_VERSION:
      return Answer(kVersion, bytes, value, needed);
    case CL_PLATFORM_NAME:
    case CL_PLATFORM_VENDOR:
      return Answer(kVendor, bytes, value, needed);
    default:
      return CL_INVALID_VALUE;
  }
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint entries,
                      cl_device_id* devices, cl_uint* count) {
  if (MustFail(__func__)) return CL_OUT_OF_HOST_MEMORY;
  if (!IsValid(platform)) return CL_INVALID_PLATFORM;
  if ((type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_DEFAULT)) != 0) {
    return List(cudasim::opencl::Device(), entries, devices, count);
  }
  if (count != nullptr) *count = 0;
  return CL_DEVICE_NOT_FOUND;
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t bytes, void* value,
                       size_t* needed) {
  if (MustFail(__func__)) return CL_OUT_OF_HOST_MEMORY;
  if (!IsValid(device)) return CL_INVALID_DEVICE;
  switch (what) {
    case CL_DEVICE_TYPE:
      return Answer(cl_device_type{CL_DEVICE_TYPE_GPU}, bytes, value, needed);
    case CL_DEVICE_MAX_COMPUTE_UNITS:
      return Answer(cl_uint{cudasim::kMultiprocessors}, bytes, value, needed);
    case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS:
      return Answer(cl_uint{3}, bytes, value, needed);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
      return Answer(size_t{cudasim::kMaxThreads}, bytes, value, needed);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES: {
      const size_t sizes[] = {cudasim::kMaxThreads, cudasim::kMaxThreads, 64};
      return Answer(sizes, sizeof(sizes), bytes, value, needed);
    }
    case CL_DEVICE_GLOBAL_MEM_SIZE: {
      size_t available = 0, total = 0;
      cudaMemGetInfo(&available, &total);
      return Answer(cl_ulong{total}, bytes, value, needed);
    }
    case CL_DEVICE_LOCAL_MEM_SIZE:
      return Answer(kLocalBytes, bytes, value, needed);
    case CL_DEVICE_NAME:
      return Answer(std::string("a simulated GPU"), bytes, value, needed);
    case CL_DEVICE_VENDOR:
      return Answer(kVendor, bytes, value, needed);
    case CL_DEVICE_VERSION:
      return Answer(kVersion, bytes, value, needed);
    default:
      return CL_INVALID_VALUE;
  }
}

cl_context clCreateContext(const cl_context_properties*, cl_uint count, const cl_device_id* devices,
                           void (*)(const char*, const void*, size_t, void*), void*,
                           cl_int* error) {
  if (MustFail(__func__)) return Fail<_cl_context>(error, CL_OUT_OF_HOST_MEMORY);
  if (count == 0 || devices == nullptr) return Fail<_cl_context>(error, CL_INVALID_VALUE);
  if (!IsValid(devices[0])) return Fail<_cl_context>(error, CL_INVALID_DEVICE);
  return Made(error, new _cl_context);
}

cl_int clReleaseContext(cl_context context) {
  if (!IsValid(context)) return CL_INVALID_CONTEXT;
  delete context;
  return CL_SUCCESS;
}

}  // extern "C"
