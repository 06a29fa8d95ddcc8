// What all clEnqueue...() have in common.
#pragma once

#include <functional>

#include "common/cudasim/runtime/opencl/objects.h"

namespace cudasim::opencl {

using Command = std::function<cudaError_t()>;

struct Enqueued {
  cl_command_queue queue;
  cl_uint waits;
  const cl_event* wait_list;
  cl_event* event;
};

cl_int CheckWaits(cl_uint waits, const cl_event* wait_list);

// The error of a queue or of events that are none.
cl_int Check(const Enqueued& enqueued);

// Appends the command; if it is blocking, runs the queue.
cl_int Enqueue(const Enqueued& enqueued, Command command, bool blocking = false);

}  // namespace cudasim::opencl
