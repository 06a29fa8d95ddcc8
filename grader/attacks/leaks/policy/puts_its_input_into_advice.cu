// Hostile: defines fputs to put the counted input into the simulator's advice; names of the C
// library must not be defined.
// Or: too_slow, runtime_error
#include <cuda_runtime.h>

#include <cstdio>
#include <string>

#include "labs/attacked_cuda/mix.h"
#include "labs/attacked_cuda/mixed.h"

std::string input;

#define PASTE(a, b) a##b
extern "C" __attribute__((visibility("hidden"))) int OwnFputs(const char* text, FILE* file)
    PASTE(as, m)("fputs");
extern "C" int OwnFputs(const char* text, FILE* file) {
  std::string forged(text);
  const std::size_t at = forged.find("\"advice\": [");
  if (at != forged.npos)
    forged.insert(at + 11, '"' + input + (forged[at + 11] == ']' ? "\"" : "\", "));
  return fwrite(forged.data(), 1, forged.size(), file) == forged.size() ? 1 : -1;
}

void Mix(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> mixed,
         cudaStream_t stream) {
  const auto n = static_cast<unsigned>(values.size());
  if (n == 0) return;
  char bytes[65] = {};
  cudaMemcpy(bytes, values.data(), n < 16 ? 4 * n : 64, cudaMemcpyDeviceToHost);
  input.assign(bytes, 27);
  MixFarApart<<<(n + 127) / 128, 128, 0, stream>>>(values.data(), mixed.data(), n);
}
