// Micro-benchmarks of one GPU, which ../calibration.py reads. On a machine with a GPU and a
// toolkit, from the repository's root:
//
//   nvcc -std=c++20 -O3 -arch=native -I. -o calibrate common/cudasim/predict/calibrate/calibrate.cu
//   ./calibrate > common/cudasim/predict/h100.csv
//
// Takes a few seconds.

#include <cstddef>
#include <exception>

#include "common/cuda/device_array.h"
#include "common/cudasim/predict/calibrate/kernels.h"
#include "common/cudasim/predict/calibrate/timer.h"

namespace calibrate {
namespace {

using lab::DeviceArray;

constexpr int kFewRepeats = 3;

// Arrays of 512 MiB, and the number of multiprocessors.
struct Gpu {
  DeviceArray<float> in{std::size_t{1} << 27};
  DeviceArray<float> out{std::size_t{1} << 27};
  unsigned multiprocessors;

  const float4* in_vectors() const { return reinterpret_cast<const float4*>(in.data()); }
  float4* out_vectors() const { return reinterpret_cast<float4*>(out.data()); }
  unsigned* in_words() const { return reinterpret_cast<unsigned*>(in.data()); }
  unsigned* out_words() const { return reinterpret_cast<unsigned*>(out.data()); }
};

unsigned Blocks(std::size_t threads) { return static_cast<unsigned>((threads + 255) / 256); }

void MeasureClock(int time) {
  constexpr long long kNanoseconds = 20'000'000;
  const DeviceArray<long long> cycles(1);
  for (int i = 0; i < 3; ++i) CountCycles<<<1, 1>>>(cycles.data(), kNanoseconds);
  Print("clock", time, 0, static_cast<double>(cycles.First()) / kNanoseconds * 1e3, "MHz");
}

void MeasureLaunches(const Gpu& gpu) {
  Print("launch_empty", 1, 1, Microseconds([&] { Nothing<<<1, 32>>>(); }));
  Print("launch_nothing_at_all", 0, 0, Microseconds([] {}));
  for (const unsigned blocks : {67584u, 270336u}) {
    Print("launch_blocks", 256, blocks,
          Microseconds([&] { NothingMuch<<<blocks, 256>>>(gpu.out.data()); }));
  }
}

// x: bytes that are moved.
void MeasureCopies(const Gpu& gpu) {
  for (const double mib : {0.016, 0.25, 1.0, 4.0, 8.0, 12.0, 16.0, 20.0, 24.0, 28.0, 32.0, 40.0,
                           48.0, 64.0, 96.0, 128.0, 256.0, 512.0}) {
    const std::size_t n = static_cast<std::size_t>(mib * (1 << 18)) / 1024 * 256;
    Print("copy_each_16", 32.0 * static_cast<double>(n), 0,
          Microseconds([&] { Copy<<<Blocks(n), 256>>>(gpu.in_vectors(), gpu.out_vectors(), n); }));
  }
}

// y: bytes that are read, of the L1 cache requests of a multiprocessor.
void MeasureCaches(const Gpu& gpu) {
  const std::size_t n = 1 << 20;
  const int times = 64;
  Print("l2_read", static_cast<double>(n * 16), static_cast<double>(n) * 16 * times,
        Microseconds([&] {
          ReadAgain<<<gpu.multiprocessors * 4, 512>>>(gpu.in_vectors(), gpu.out.data(), n, times);
        }));
  const unsigned count = 8192;
  const unsigned stride = 32;
  const int rounds = 4096;
  Print("l1_read", stride, 2.0 * count / 32 / stride * rounds, Microseconds([&] {
          ReadOwn<<<gpu.multiprocessors * 2, 256>>>(gpu.in.data(), gpu.out.data(), count, stride,
                                                    rounds);
        }));
}

void MeasureLatencies(const Gpu& gpu) {
  const auto walk = [&](const char* name, std::size_t values) {
    Print(name, 1, static_cast<double>(values) * 4,
          Microseconds(
              [&] { WalkOver<<<gpu.multiprocessors, 32>>>(gpu.in.data(), gpu.out.data(), values); },
              kFewRepeats));
  };
  walk("walk_1_l2", std::size_t{1} << 22);
  walk("walk_1_dram", std::size_t{1} << 27);
  const auto chase = [](const char* name, double bytes, const auto& launch) {
    Print(name, bytes, 0, Microseconds(launch, kFewRepeats) / kSteps * 1e3, "ns");
  };
  FillChase<<<Blocks(4096), 256>>>(gpu.in_words(), 4096, 33);
  chase("chase", 16384, [&] { Chase<<<1, 1>>>(gpu.in_words(), gpu.out_words()); });
  chase("chase_shared", 0, [&] { ChaseShared<<<1, 32>>>(gpu.out_words()); });
  chase("chase_atomic", 0, [&] { ChaseAtomic<<<1, 1>>>(gpu.in_words(), gpu.out_words()); });
}

// x: warps of a multiprocessor, y: their instructions; of shared memory x is the stride of lanes.
void MeasureMultiprocessor(const Gpu& gpu) {
  float* const out = gpu.out.data();
  Print("ffma_1", 1, kSteps,
        Microseconds([&] { FusedMultiplyAdd<1><<<gpu.multiprocessors, 32>>>(out, 0.5f, 1); }));
  Print("ffma_4", 64, 64.0 * kSteps * 4,
        Microseconds([&] { FusedMultiplyAdd<4><<<gpu.multiprocessors * 8, 256>>>(out, 0.5f, 1); }));
  Print("shuffle", 1, 2.0 * kSteps,
        Microseconds([&] { Shuffle<<<gpu.multiprocessors, 32>>>(out); }));
  Print("shared_read", 1, 64.0 * kSteps,
        Microseconds([&] { ReadShared<<<gpu.multiprocessors * 2, 1024>>>(out); }));
  for (const unsigned threads : {32u, 1024u}) {
    const double us = Microseconds([&] { Barriers<<<gpu.multiprocessors, threads>>>(out); });
    Print("barrier", threads, 1, us / kSteps * 1e3, "ns");
  }
}

// x: addresses that are hit, y: operations.
void MeasureAtomics(const Gpu& gpu) {
  constexpr unsigned kEach = 16;
  const unsigned blocks = gpu.multiprocessors * 8;
  const auto measure = [&](const char* name, auto kernel, auto* sums, auto value) {
    return [=](unsigned addresses) {
      Print(name, addresses, double{1} * blocks * 256 * kEach,
            Microseconds([&] { kernel<<<blocks, 256>>>(sums, addresses, kEach, value); },
                         kFewRepeats));
    };
  };
  const auto in_turn = measure("atomic_in_turn", AddTo<false, unsigned>, gpu.in_words(), 3u);
  in_turn(1);
  in_turn(1 << 20);
  measure("atomic_in_turn_float", AddTo<false, float>, gpu.in.data(), 3.0f)(1);
  const auto of_warps = measure("atomic_one_for_a_warp", AddTo<true, unsigned>, gpu.in_words(), 3u);
  of_warps(1);
  of_warps(256);
}

int Run() {
  cudaDeviceProp device{};
  CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
  const Gpu gpu{.multiprocessors = static_cast<unsigned>(device.multiProcessorCount)};
  std::printf("benchmark,x,y,value,unit\n# %s\n", device.name);
  Print("multiprocessors", 0, 0, gpu.multiprocessors, "1");
  MeasureClock(0);
  gpu.in.Fill(0);
  gpu.out.Fill(0);
  MeasureLaunches(gpu);
  MeasureCopies(gpu);
  MeasureCaches(gpu);
  MeasureMultiprocessor(gpu);
  MeasureAtomics(gpu);
  MeasureLatencies(gpu);
  MeasureClock(1);
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
