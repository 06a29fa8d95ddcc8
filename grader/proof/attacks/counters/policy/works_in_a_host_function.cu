// Hostile: an empty kernel, and the work in a host function on the stream; outputs that the host
// computed are refused.
// Or: out_of_bounds, runtime_error, wrong_answer
#include <cuda_runtime.h>

#include "labs/attacked_cuda/mix.h"
#include "labs/attacked_cuda/mixed.h"

namespace {

__global__ void Nothing(const std::uint32_t* values) {
  if (values == nullptr) __trap();
}

struct Job {
  const std::uint32_t* values;
  std::uint32_t* mixed;
  unsigned n;
};

void Work(void* data) {
  const auto* const job = static_cast<Job*>(data);
  for (unsigned i = 0; i < job->n; ++i) {
    std::uint32_t value = job->values[i];
    for (int round = 0; round < 64; ++round) {
      value = (value ^ value >> 16) * 0x85ebca6b;
      value = (value ^ value >> 13) * 0xc2b2ae35;
      value ^= value >> 16;
    }
    job->mixed[i] = value;
  }
  delete job;
}

}  // namespace

void Mix(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> mixed,
         cudaStream_t stream) {
  const auto n = static_cast<unsigned>(values.size());
  if (n == 0) return;
  Nothing<<<1, 1, 0, stream>>>(values.data());
  cudaLaunchHostFunc(stream, Work, new Job{values.data(), mixed.data(), n});
}
