// Micro-benchmarks of one GPU; the model of ../model.py reads their results. On a machine with a
// GPU and a toolkit, from the repository's root:
//
//   nvcc -std=c++20 -O3 -arch=sm_90 -I. -o calibrate common/cudasim/predict/calibrate/calibrate.cu
//   ./calibrate > h100.csv
//
// The first lines name the device, the second its clock in MHz, as it is when no kernel is
// throttled. Takes half a minute.

#include <string>

#include "common/cudasim/predict/calibrate/atomics.h"
#include "common/cudasim/predict/calibrate/compute.h"
#include "common/cudasim/predict/calibrate/latency.h"
#include "common/cudasim/predict/calibrate/memory.h"

namespace calibrate {
namespace {

__global__ void CountCycles(long long* cycles, long long nanoseconds) {
  long long begin = 0;
  long long now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  const long long first = clock64();
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < nanoseconds);
  *cycles = clock64() - first;
}

double ClockInMegahertz() {
  constexpr long long kNanoseconds = 20'000'000;
  const DeviceArray<long long> cycles(1);
  for (int i = 0; i < 3; ++i) CountCycles<<<1, 1>>>(cycles.data(), kNanoseconds);
  return static_cast<double>(cycles.First()) / kNanoseconds * 1e3;
}

int Run() {
  cudaDeviceProp device{};
  CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
  if (device.multiProcessorCount != static_cast<int>(kMultiprocessors)) {
    std::fprintf(stderr, "error: %s has %d multiprocessors, not %u\n  next: use an H100 SXM\n",
                 device.name, device.multiProcessorCount, kMultiprocessors);
    return 1;
  }
  std::printf("benchmark,x,y,value,unit\n# %s\n", device.name);
  Print("multiprocessors", 0, 0, kMultiprocessors, "1");
  Print("clock", 0, 0, ClockInMegahertz(), "MHz");
  const DeviceArray<float> in(std::size_t{1} << 27);
  const DeviceArray<float> out(std::size_t{1} << 27);
  in.Fill(0);
  out.Fill(0);
  MeasureLaunches(out);
  MeasureStreams(in, out);
  MeasureCaches(in, out);
  MeasureSectors(in, out);
  MeasureOccupancy(in, out);
  MeasureIssue(out);
  MeasureShared(out);
  MeasureAtomics(out);
  MeasureLatency(in, out);
  Print("clock", 1, 0, ClockInMegahertz(), "MHz");
  return 0;
}

}  // namespace
}  // namespace calibrate

int main() {
  try {
    return calibrate::Run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
