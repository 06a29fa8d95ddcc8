// Commands that copy or fill buffers.
#include <algorithm>
#include <bit>

#include "common/cudasim/runtime/copies/api_copy.h"
#include "common/cudasim/runtime/opencl/commands.h"

namespace cudasim::opencl {
namespace {

using Memory = std::shared_ptr<DeviceMemory>;

bool Holds(cl_mem buffer, size_t offset, size_t bytes) {
  return bytes > 0 && offset <= buffer->memory->bytes && bytes <= buffer->memory->bytes - offset;
}

// A copy between two places, either of which may be a buffer that is kept until then.
Command Copying(const char* call, void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                const void* caller, cudaStream_t stream, Memory one, Memory other) {
  return [=] {
    (void)one, (void)other;  // kept
    return CopyInStream({call, to, from, bytes, kind, caller}, stream, HostWaits::kIfPageable);
  };
}

}  // namespace
}  // namespace cudasim::opencl

using cudasim::opencl::Check;
using cudasim::opencl::Copying;
using cudasim::opencl::Enqueue;
using cudasim::opencl::Enqueued;
using cudasim::opencl::Holds;
using cudasim::opencl::IsValid;
using cudasim::opencl::MustFail;

#define CUDASIM_CALLER __builtin_return_address(0)

extern "C" {

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                           size_t bytes, void* to, cl_uint waits, const cl_event* wait_list,
                           cl_event* event) {
  const Enqueued enqueued{queue, waits, wait_list, event};
  if (MustFail(__func__)) return CL_OUT_OF_RESOURCES;
  if (const cl_int error = Check(enqueued)) return error;
  if (!IsValid(buffer)) return CL_INVALID_MEM_OBJECT;
  if (to == nullptr || !Holds(buffer, offset, bytes)) return CL_INVALID_VALUE;
  const char* const from = buffer->memory->data + offset;
  return Enqueue(enqueued,
                 Copying("clEnqueueReadBuffer", to, from, bytes, cudaMemcpyDeviceToHost,
                         CUDASIM_CALLER, queue->queue->stream, buffer->memory, nullptr),
                 blocking != CL_FALSE);
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                            size_t bytes, const void* from, cl_uint waits,
                            const cl_event* wait_list, cl_event* event) {
  const Enqueued enqueued{queue, waits, wait_list, event};
  if (MustFail(__func__)) return CL_OUT_OF_RESOURCES;
  if (const cl_int error = Check(enqueued)) return error;
  if (!IsValid(buffer)) return CL_INVALID_MEM_OBJECT;
  if (from == nullptr || !Holds(buffer, offset, bytes)) return CL_INVALID_VALUE;
  char* const to = buffer->memory->data + offset;
  return Enqueue(enqueued,
                 Copying("clEnqueueWriteBuffer", to, from, bytes, cudaMemcpyHostToDevice,
                         CUDASIM_CALLER, queue->queue->stream, buffer->memory, nullptr),
                 blocking != CL_FALSE);
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                           size_t to_offset, size_t bytes, cl_uint waits, const cl_event* wait_list,
                           cl_event* event) {
  const Enqueued enqueued{queue, waits, wait_list, event};
  if (MustFail(__func__)) return CL_OUT_OF_RESOURCES;
  if (const cl_int error = Check(enqueued)) return error;
  if (!IsValid(from) || !IsValid(to)) return CL_INVALID_MEM_OBJECT;
  if (!Holds(from, from_offset, bytes) || !Holds(to, to_offset, bytes)) return CL_INVALID_VALUE;
  const size_t distance = std::max(from_offset, to_offset) - std::min(from_offset, to_offset);
  if (from->memory == to->memory && distance < bytes) return CL_MEM_COPY_OVERLAP;
  return Enqueue(enqueued,
                 Copying("clEnqueueCopyBuffer", to->memory->data + to_offset,
                         from->memory->data + from_offset, bytes, cudaMemcpyDeviceToDevice,
                         CUDASIM_CALLER, queue->queue->stream, from->memory, to->memory));
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void* pattern,
                           size_t pattern_bytes, size_t offset, size_t bytes, cl_uint waits,
                           const cl_event* wait_list, cl_event* event) {
  const Enqueued enqueued{queue, waits, wait_list, event};
  const void* const caller = CUDASIM_CALLER;
  if (MustFail(__func__)) return CL_OUT_OF_RESOURCES;
  if (const cl_int error = Check(enqueued)) return error;
  if (!IsValid(buffer)) return CL_INVALID_MEM_OBJECT;
  if (pattern == nullptr || !std::has_single_bit(pattern_bytes) || pattern_bytes > 128 ||
      offset % pattern_bytes != 0 || bytes % pattern_bytes != 0 || !Holds(buffer, offset, bytes)) {
    return CL_INVALID_VALUE;
  }
  std::vector<char> filled(bytes);
  for (size_t i = 0; i < bytes; i += pattern_bytes) {
    std::memcpy(filled.data() + i, pattern, pattern_bytes);
  }
  const cudaStream_t stream = queue->queue->stream;
  return Enqueue(enqueued, [memory = buffer->memory, filled, offset, stream, caller] {
    return cudasim::CopyInStream({"clEnqueueFillBuffer", memory->data + offset, filled.data(),
                                  filled.size(), cudaMemcpyHostToDevice, caller},
                                 stream, cudasim::HostWaits::kIfPageable);
  });
}

}  // extern "C"
