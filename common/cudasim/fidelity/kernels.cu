// kernels [NAME]: runs one kernel, or all, and prints a checksum of what each has written.
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "atomics.h"
#include "control.h"
#include "global.h"
#include "matrices.h"
#include "shared.h"

namespace {

void Check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "error: %s\n  next: run it alone under compute-sanitizer or check mode\n",
               cudaGetErrorString(error));
  std::exit(1);
}

// Values below `limit`: floats stay small integers, whose sums are exact in any order.
template <class T>
T* NewArray(unsigned limit) {
  std::vector<T> host(kElements);
  for (unsigned i = 0; limit > 0 && i < kElements; ++i) {
    host[i] = static_cast<T>(i * 40503u % kElements % limit);
  }
  T* device = nullptr;
  Check(cudaMalloc(&device, kElements * sizeof(T)));
  Check(cudaMemcpy(device, host.data(), kElements * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

template <class T>
void AddToChecksum(const T* device, std::uint64_t& sum) {
  std::vector<T> host(kElements);
  Check(cudaMemcpy(host.data(), device, kElements * sizeof(T), cudaMemcpyDeviceToHost));
  for (const T value : host)
    sum = sum * 31 + static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
}

void Run(const Case& which) {
  Memory m{NewArray<float>(64),
           NewArray<int>(kElements),
           NewArray<__half>(8),
           NewArray<float>(0),
           NewArray<int>(0),
           NewArray<double>(0),
           NewArray<unsigned long long>(0),
           3,
           0};
  which.kernel<<<which.grid, which.block>>>(m);
  Check(cudaGetLastError());
  Check(cudaDeviceSynchronize());
  std::uint64_t sum = 0;
  AddToChecksum(m.out, sum);
  AddToChecksum(m.counts, sum);
  AddToChecksum(m.doubles, sum);
  AddToChecksum(m.longs, sum);
  std::printf("%.*s %016" PRIx64 "\n", static_cast<int>(which.name.size()), which.name.data(), sum);
  Check(cudaFree(const_cast<float*>(m.floats)));
  Check(cudaFree(const_cast<int*>(m.ints)));
  Check(cudaFree(const_cast<__half*>(m.halves)));
  Check(cudaFree(m.out));
  Check(cudaFree(m.counts));
  Check(cudaFree(m.doubles));
  Check(cudaFree(m.longs));
}

}  // namespace

int main(int argc, char** argv) {
  int ran = 0;
  const auto run = [&](const auto& cases) {
    for (const Case& which : cases) {
      if (argc > 1 && which.name != argv[1]) continue;
      Run(which);
      ++ran;
    }
  };
  run(kGlobalCases);
  run(kSharedCases);
  run(kAtomicCases);
  run(kControlCases);
  run(kMatrixCases);
  if (ran > 0) return 0;
  std::fprintf(stderr, "error: no such kernel: %s\n  next: leave the name out to run all\n",
               argv[1]);
  return 2;
}
