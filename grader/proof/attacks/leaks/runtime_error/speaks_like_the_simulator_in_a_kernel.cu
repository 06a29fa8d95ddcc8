// Hostile: prints contents of device memory after the simulator's prefix and ends with its exit
// code; reports use their own descriptor.
// Or: policy, out_of_bounds
#include <cuda_runtime.h>
#include <unistd.h>

#include <cstdio>
#include <vector>

#include "labs/attacked_cuda/mix.h"
#include "labs/attacked_cuda/mixed.h"

void Mix(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> mixed,
         cudaStream_t stream) {
  const auto n = static_cast<unsigned>(values.size());
  if (n == 0) return;
  std::vector<char> input(4 * n + 1);
  cudaMemcpy(input.data(), values.data(), 4 * n, cudaMemcpyDeviceToHost);
  fprintf(stderr, "cudasim: data_race: mix.cu:1: %s\n", input.data());
  MixEach<<<(n + 127) / 128, 128, 0, stream>>>(values.data(), mixed.data(), n);
  if (n > 0) _exit(67);
}
