// Launches of kernels.
#include <algorithm>

#include "common/cudasim/include/cudasim/hardware.h"
#include "common/cudasim/runtime/opencl/commands.h"

namespace cudasim::opencl {
namespace {

// The extents of a launch, in threads.
struct Extents {
  size_t global[3] = {1, 1, 1};
  size_t local[3] = {1, 1, 1};
};

// The largest divisor of `global` up to 64, for programs that leave the group's size open.
size_t UsualLocal(size_t global) {
  size_t local = std::min<size_t>(global, 64);
  while (global % local != 0) --local;
  return local;
}

cl_int ReadExtents(cl_uint dimensions, const size_t* global, const size_t* local,
                   Extents* extents) {
  if (dimensions < 1 || dimensions > 3) return CL_INVALID_WORK_DIMENSION;
  if (global == nullptr) return CL_INVALID_GLOBAL_WORK_SIZE;
  constexpr size_t kMostItems[] = {kMaxThreads, kMaxThreads, 64};
  constexpr size_t kMostGroups[] = {2147483647, 65535, 65535};
  size_t threads = 1;
  for (cl_uint d = 0; d < dimensions; ++d) {
    if (global[d] == 0) return CL_INVALID_GLOBAL_WORK_SIZE;
    extents->global[d] = global[d];
    extents->local[d] = local != nullptr ? local[d] : d == 0 ? UsualLocal(global[0]) : 1;
    if (extents->local[d] == 0 || global[d] % extents->local[d] != 0) {
      return CL_INVALID_WORK_GROUP_SIZE;
    }
    if (extents->local[d] > kMostItems[d]) return CL_INVALID_WORK_ITEM_SIZE;
    if (global[d] / extents->local[d] > kMostGroups[d]) return CL_INVALID_GLOBAL_WORK_SIZE;
    threads *= extents->local[d];
  }
  return threads > kMaxThreads ? CL_INVALID_WORK_GROUP_SIZE : CL_SUCCESS;
}

// A kernel with its arguments as they are now: they may be set anew before it runs.
class Launching {
 public:
  Launching(const _cl_kernel& kernel, const Extents& extents, cudaStream_t stream, CallSite site)
      : address_(kernel.kernel->address), arguments_(kernel.arguments), site_(site) {
    size_t local_bytes = 0;
    for (_cl_kernel::Argument& argument : arguments_) {
      if (argument.local_bytes == 0) continue;
      std::memcpy(argument.bytes.data(), &local_bytes, sizeof(local_bytes));
      constexpr size_t kAlignment = 16;
      local_bytes += (argument.local_bytes + kAlignment - 1) / kAlignment * kAlignment;
    }
    const auto [global, local] = extents;
    const auto groups = [&](int d) { return static_cast<unsigned>(global[d] / local[d]); };
    const auto items = [&](int d) { return static_cast<unsigned>(local[d]); };
    config_ = {{groups(0), groups(1), groups(2)},
               {items(0), items(1), items(2)},
               local_bytes,
               stream,
               nullptr,
               0};
  }

  cudaError_t operator()() {
    std::vector<void*> addresses;
    addresses.reserve(arguments_.size() + 1);
    for (_cl_kernel::Argument& argument : arguments_) addresses.push_back(argument.bytes.data());
    addresses.push_back(nullptr);
    return LaunchKernel(address_, config_, addresses.data(), false, site_);
  }

 private:
  const void* address_;
  std::vector<_cl_kernel::Argument> arguments_;
  cudaLaunchConfig_t config_{};
  CallSite site_;
};

}  // namespace
}  // namespace cudasim::opencl

using cudasim::opencl::Check;
using cudasim::opencl::Enqueued;
using cudasim::opencl::IsValid;
using cudasim::opencl::MustFail;

extern "C" {

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t* offset, const size_t* global, const size_t* local,
                              cl_uint waits, const cl_event* wait_list, cl_event* event,
                              const char* file, int line) {
  const Enqueued enqueued{queue, waits, wait_list, event};
  if (MustFail(__func__)) return CL_OUT_OF_RESOURCES;
  if (const cl_int error = Check(enqueued)) return error;
  if (!IsValid(kernel)) return CL_INVALID_KERNEL;
  cudasim::opencl::Extents extents;
  if (const cl_int error = ReadExtents(dimensions, global, local, &extents)) return error;
  for (cl_uint d = 0; offset != nullptr && d < dimensions; ++d) {
    if (offset[d] != 0) return CL_INVALID_GLOBAL_OFFSET;
  }
  for (const _cl_kernel::Argument& argument : kernel->arguments) {
    if (!argument.is_set) return CL_INVALID_KERNEL_ARGS;
  }
  return Enqueue(enqueued,
                 cudasim::opencl::Launching(*kernel, extents, queue->queue->stream, {file, line}));
}

}  // extern "C"
