// Hostile: writes its input to the descriptor of the simulator's findings, before a true one; only
// the catalogue's sentences pass, with names and lines that the student may read.
// Or: policy
#include <cuda_runtime.h>

#include <cstdio>
#include <string>
#include <vector>

#include "labs/attacked_cuda/mix.h"
#include "labs/attacked_cuda/mixed.h"

__global__ void WriteBehind(std::uint32_t* mixed, unsigned n) { mixed[n] = 1; }

void Mix(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> mixed,
         cudaStream_t stream) {
  const auto n = static_cast<unsigned>(values.size());
  if (n == 0) return;
  std::vector<char> input(4 * n + 1);
  cudaMemcpy(input.data(), values.data(), 4 * n, cudaMemcpyDeviceToHost);
  const std::string text(input.data());
  stdout->_fileno = 15;
  std::printf("cudasim: data_race: %s\n", text.c_str());
  std::printf("cudasim: trap: kernel %s, mix.cu:1: __trap() ended the launch\n", text.c_str());
  std::printf("  in %s\ncudasim: warning: lost_update: %s\n", text.c_str(), text.c_str());
  std::fflush(stdout);
  WriteBehind<<<1, 1, 0, stream>>>(mixed.data(), n);
  cudaStreamSynchronize(stream);
}
