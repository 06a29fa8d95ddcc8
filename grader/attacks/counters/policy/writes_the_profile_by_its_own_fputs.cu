// Hostile: defines fputs, with which the simulator writes its counts; names of the C library must
// not be defined.
// Or: too_slow, runtime_error
#include <cuda_runtime.h>

#include <cstdio>
#include <string>

#include "labs/attacked_cuda/mix.h"
#include "labs/attacked_cuda/mixed.h"

#define PASTE(a, b) a##b
extern "C" __attribute__((visibility("hidden"))) int OwnFputs(const char* text, FILE* file)
    PASTE(as, m)("fputs");
extern "C" int OwnFputs(const char* text, FILE* file) {
  std::string forged(text);
  for (std::size_t at = 0; (at = forged.find("\"global_load_sectors\":", at)) != forged.npos;) {
    for (at += 22; forged[at] != ',' && forged[at] != '}' && forged[at] != '\n'; ++at) {
      forged[at] = ' ';
    }
    forged[at - 1] = '9';
  }
  return fwrite(forged.data(), 1, forged.size(), file) == forged.size() ? 1 : -1;
}

void Mix(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> mixed,
         cudaStream_t stream) {
  const auto n = static_cast<unsigned>(values.size());
  if (n == 0) return;
  MixFarApart<<<(n + 127) / 128, 128, 0, stream>>>(values.data(), mixed.data(), n);
}
