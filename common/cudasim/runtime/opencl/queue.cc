// Queues and events.  OpenCL lets a command wait until the host waits for it, and so does every
// command here: what the host reads too early has not arrived.
#include <algorithm>
#include <utility>

#include "common/cudasim/runtime/opencl/commands.h"

namespace cudasim::opencl {

Queue::~Queue() {
  if (stream != nullptr) cudaStreamDestroy(stream);
}

cudaError_t Queue::Run() {
  // A command may run another queue, whose commands may wait for this one.
  std::vector<std::function<cudaError_t()>> pending;
  pending.swap(commands);
  cudaError_t error = cudaSuccess;
  for (const auto& command : pending) {
    if (error == cudaSuccess) error = command();
  }
  const cudaError_t waited = cudaStreamSynchronize(stream);
  return error != cudaSuccess ? error : waited;
}

cl_int CheckWaits(cl_uint waits, const cl_event* wait_list) {
  if ((waits == 0) != (wait_list == nullptr)) return CL_INVALID_EVENT_WAIT_LIST;
  const bool valid =
      std::all_of(wait_list, wait_list + waits, [](cl_event e) { return IsValid(e); });
  return valid ? CL_SUCCESS : CL_INVALID_EVENT_WAIT_LIST;
}

cl_int Check(const Enqueued& enqueued) {
  if (!IsValid(enqueued.queue)) return CL_INVALID_COMMAND_QUEUE;
  return CheckWaits(enqueued.waits, enqueued.wait_list);
}

cl_int Enqueue(const Enqueued& enqueued, Command command, bool blocking) {
  const std::shared_ptr<Queue> queue = enqueued.queue->queue;
  for (cl_uint i = 0; i < enqueued.waits; ++i) {
    const std::shared_ptr<Queue> other = enqueued.wait_list[i]->queue;
    if (other != queue) queue->commands.emplace_back([other] { return other->Run(); });
  }
  queue->commands.push_back(std::move(command));
  if (blocking) {
    if (const cl_int error = ErrorOf(queue->Run())) return error;
  }
  if (enqueued.event != nullptr) {
    *enqueued.event = new _cl_event;
    (*enqueued.event)->queue = queue;
  }
  return CL_SUCCESS;
}

}  // namespace cudasim::opencl

using cudasim::opencl::ErrorOf;
using cudasim::opencl::Fail;
using cudasim::opencl::IsValid;
using cudasim::opencl::MustFail;

extern "C" {

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                      cl_command_queue_properties properties, cl_int* error) {
  if (MustFail(__func__)) return Fail<_cl_command_queue>(error, CL_OUT_OF_HOST_MEMORY);
  if (!IsValid(context)) return Fail<_cl_command_queue>(error, CL_INVALID_CONTEXT);
  if (!IsValid(device)) return Fail<_cl_command_queue>(error, CL_INVALID_DEVICE);
  if (properties != 0) return Fail<_cl_command_queue>(error, CL_INVALID_QUEUE_PROPERTIES);
  auto queue = std::make_shared<cudasim::opencl::Queue>();
  const cudaError_t failed = cudaStreamCreateWithFlags(&queue->stream, cudaStreamNonBlocking);
  if (failed != cudaSuccess) {
    return Fail<_cl_command_queue>(error, ErrorOf(failed, CL_OUT_OF_HOST_MEMORY));
  }
  auto* const handle = new _cl_command_queue;
  handle->queue = std::move(queue);
  return cudasim::opencl::Made(error, handle);
}

cl_command_queue clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                    const cl_queue_properties* properties,
                                                    cl_int* error) {
  const bool has_some = properties != nullptr && properties[0] != 0 && properties[1] != 0;
  return clCreateCommandQueue(context, device, has_some ? 1 : 0, error);
}

// Commands that nobody has waited for may never run.
cl_int clReleaseCommandQueue(cl_command_queue queue) {
  if (!IsValid(queue)) return CL_INVALID_COMMAND_QUEUE;
  delete queue;
  return CL_SUCCESS;
}

cl_int clFlush(cl_command_queue queue) {
  if (MustFail(__func__)) return CL_OUT_OF_HOST_MEMORY;
  return IsValid(queue) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;
}

cl_int clFinish(cl_command_queue queue) {
  if (MustFail(__func__)) return CL_OUT_OF_RESOURCES;
  return IsValid(queue) ? ErrorOf(queue->queue->Run()) : CL_INVALID_COMMAND_QUEUE;
}

cl_int clWaitForEvents(cl_uint count, const cl_event* events) {
  if (MustFail(__func__)) return CL_OUT_OF_RESOURCES;
  if (count == 0 || events == nullptr) return CL_INVALID_VALUE;
  if (cudasim::opencl::CheckWaits(count, events) != CL_SUCCESS) return CL_INVALID_EVENT;
  for (cl_uint i = 0; i < count; ++i) {
    if (const cl_int error = ErrorOf(events[i]->queue->Run())) return error;
  }
  return CL_SUCCESS;
}

cl_int clReleaseEvent(cl_event event) {
  if (!IsValid(event)) return CL_INVALID_EVENT;
  delete event;
  return CL_SUCCESS;
}

}  // extern "C"
