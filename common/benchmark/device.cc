#include "common/benchmark/device.h"

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>

#include "common/cuda/check.h"

namespace lab {
namespace {

class EventClock {
 public:
  EventClock() {
    CUDA_CHECK(cudaEventCreate(&start_));
    CUDA_CHECK(cudaEventCreate(&stop_));
  }
  EventClock(const EventClock&) = delete;
  EventClock& operator=(const EventClock&) = delete;
  ~EventClock() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }

  double Milliseconds(const std::function<void()>& run) const {
    CUDA_CHECK(cudaEventRecord(start_));
    run();
    CUDA_CHECK(cudaEventRecord(stop_));
    CUDA_CHECK(cudaEventSynchronize(stop_));
    float milliseconds = 0;
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start_, stop_));
    return milliseconds;
  }

 private:
  cudaEvent_t start_{};
  cudaEvent_t stop_{};
};

void KeepPooledMemory() {
  int device = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  cudaMemPool_t pool;
  CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
  std::uint64_t all = UINT64_MAX;
  CUDA_CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
}

// The sizes on the command line; empty if one is out of range.
std::vector<std::size_t> Parse(int argc, char** argv, const Sizes& sizes) {
  std::vector<std::size_t> parsed;
  for (int i = 1; i < argc; ++i) {
    const std::size_t size = std::strtoull(argv[i], nullptr, 10);
    if (size < sizes.least || size > sizes.most) return {};
    parsed.push_back(size);
  }
  return parsed.empty() ? sizes.usual : parsed;
}

}  // namespace

bool CompareOnDevice(const std::string& title, std::vector<Candidate> candidates,
                     const std::function<void()>& poison, const std::string& unit) {
  const EventClock clock;
  const auto time = [&clock](const std::function<void()>& run) { return clock.Milliseconds(run); };
  if (!RunRounds(candidates, poison, time)) return false;
  PrintComparison(title, unit, candidates);
  return true;
}

Candidate DeviceCopy(void* to, const void* from, std::size_t bytes,
                     const std::function<bool()>& is_right) {
  const auto run = [=] {
    CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, nullptr));
  };
  return {"cudaMemcpyAsync, device to device", 2.0 * static_cast<double>(bytes), run, is_right};
}

int RunSizes(int argc, char** argv, const Sizes& sizes,
             const std::function<bool(std::size_t)>& run) {
  const std::vector<std::size_t> parsed = Parse(argc, argv, sizes);
  if (parsed.empty()) {
    std::fprintf(stderr, "usage: %s [%s, %zu to %zu]...\n", argv[0], sizes.what.c_str(),
                 sizes.least, sizes.most);
    return 2;
  }
  try {
    KeepPooledMemory();
    std::printf("%s\n", Machine().c_str());
    for (const std::size_t size : parsed) {
      if (!run(size)) return 1;
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

std::string Machine() {
  cudaDeviceProp device;
  CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
  int runtime = 0;
  CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
  char date[32];
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof(date), "%Y-%m-%d", std::gmtime(&now));
  return std::string(device.name) + ", CUDA runtime " + std::to_string(runtime / 1000) + "." +
         std::to_string(runtime % 1000 / 10) + ", " + date;
}

}  // namespace lab
