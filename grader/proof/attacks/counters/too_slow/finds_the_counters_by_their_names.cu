// Hostile: looks in the tables of the program that has cudaGetLastError for the function that
// forgets counts, and calls it after wasteful work; no name leads to what controls the simulator.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>

#include "labs/attacked_cuda/mix.h"
#include "labs/attacked_cuda/mixed.h"

namespace {

template <typename T>
T At(const char* place) {
  T value;
  std::memcpy(&value, place, sizeof value);
  return value;
}

void ForgetCounts() {
  const auto inside = reinterpret_cast<std::uintptr_t>(&cudaGetLastError);
  auto* file = reinterpret_cast<const char*>(inside / 4096 * 4096);
  while (std::memcmp(file, "\177ELF", 4) != 0) file -= 4096;
  const char* header = file + At<std::uint64_t>(file + 32);
  while (At<std::uint32_t>(header) != 2) header += 56;  // up to the table of tables
  const char* tables[2] = {};                           // names, symbols
  const char* entry = file + At<std::uint64_t>(header + 16);
  for (; At<std::uint64_t>(entry) != 0; entry += 16) {
    const auto tag = At<std::uint64_t>(entry);
    if (tag == 5 || tag == 6) tables[tag - 5] = At<const char*>(entry + 8);
  }
  for (const char* symbol = tables[1]; symbol + 24 <= tables[0]; symbol += 24) {
    if (std::strstr(tables[0] + At<std::uint32_t>(symbol), "ResetProfile") == nullptr) continue;
    reinterpret_cast<void (*)()>(const_cast<char*>(file + At<std::uint64_t>(symbol + 8)))();
  }
}

}  // namespace

void Mix(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> mixed,
         cudaStream_t stream) {
  const auto n = static_cast<unsigned>(values.size());
  if (n == 0) return;
  MixFarApart<<<(n + 127) / 128, 128, 0, stream>>>(values.data(), mixed.data(), n);
  cudaStreamSynchronize(stream);
  ForgetCounts();
  MixEach<<<(n + 127) / 128, 128, 0, stream>>>(values.data(), mixed.data(), n);
}
