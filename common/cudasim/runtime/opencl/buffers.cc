#include "common/cudasim/runtime/copies/api_copy.h"
#include "common/cudasim/runtime/opencl/objects.h"

using cudasim::opencl::DeviceMemory;
using cudasim::opencl::ErrorOf;
using cudasim::opencl::Fail;
using cudasim::opencl::IsValid;
using cudasim::opencl::Made;
using cudasim::opencl::MustFail;

extern "C" {

cudaError_t cudasimMalloc(void** pointer, size_t bytes, const void* caller);

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void* host,
                      cl_int* error) {
  const void* const caller = __builtin_return_address(0);
  constexpr cl_mem_flags kKnown =
      CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
  if (MustFail(__func__)) return Fail<_cl_mem>(error, CL_MEM_OBJECT_ALLOCATION_FAILURE);
  if (!IsValid(context)) return Fail<_cl_mem>(error, CL_INVALID_CONTEXT);
  if ((flags & ~kKnown) != 0) return Fail<_cl_mem>(error, CL_INVALID_VALUE);
  if (bytes == 0) return Fail<_cl_mem>(error, CL_INVALID_BUFFER_SIZE);
  const bool copies = (flags & CL_MEM_COPY_HOST_PTR) != 0;
  if (copies != (host != nullptr)) return Fail<_cl_mem>(error, CL_INVALID_HOST_PTR);
  auto memory = std::make_shared<DeviceMemory>();
  void* data = nullptr;
  if (const cudaError_t failed = cudasimMalloc(&data, bytes, caller)) {
    return Fail<_cl_mem>(error, ErrorOf(failed));
  }
  memory->data = static_cast<char*>(data);
  memory->bytes = bytes;
  if (copies) {
    const cudaError_t failed =
        cudasim::CopyInStream({"clCreateBuffer", data, host, bytes, cudaMemcpyHostToDevice, caller},
                              nullptr, cudasim::HostWaits::kAlways);
    if (failed != cudaSuccess) return Fail<_cl_mem>(error, ErrorOf(failed));
  }
  auto* const buffer = new _cl_mem;
  buffer->memory = std::move(memory);
  return Made(error, buffer);
}

cl_int clReleaseMemObject(cl_mem buffer) {
  if (!IsValid(buffer)) return CL_INVALID_MEM_OBJECT;
  delete buffer;
  return CL_SUCCESS;
}

}  // extern "C"
