#include "common/cuda/contest.h"

#include <cstdint>
#include <cstdio>
#include <ctime>

#include "common/cuda/check.h"
#include "common/timing/statistics.h"

namespace lab {
namespace {

class Stopwatch {
 public:
  Stopwatch() {
    CUDA_CHECK(cudaEventCreate(&start_));
    CUDA_CHECK(cudaEventCreate(&stop_));
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }

  double Milliseconds(const std::function<void()>& run) {
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

class Stream {
 public:
  Stream() { CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { cudaStreamDestroy(stream_); }

  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_{};
};

}  // namespace

double Contender::Median() const { return lab::Median(milliseconds); }

double Contender::Rate() const { return work / Median() / 1e6; }

bool RunContest(std::vector<Contender>& contenders, const std::function<void()>& poison) {
  Stopwatch stopwatch;
  for (int round = -kContestWarmUp; round < kContestRounds; ++round) {
    for (Contender& contender : contenders) {
      poison();
      const double milliseconds = stopwatch.Milliseconds(contender.run);
      if (!contender.is_right()) {
        std::fprintf(stderr, "error: wrong result: %s\n", contender.name.c_str());
        return false;
      }
      if (round >= 0) contender.milliseconds.push_back(milliseconds);
    }
  }
  return true;
}

bool RunSideBySide(const std::string& name, const StreamTask& left, const StreamTask& right,
                   int rounds) {
  const Stream streams[2];
  for (int round = 0; round < rounds; ++round) {
    left.poison();
    right.poison();
    CUDA_CHECK(cudaDeviceSynchronize());
    left.run(streams[0].get());
    right.run(streams[1].get());
    CUDA_CHECK(cudaDeviceSynchronize());
    if (left.is_right() && right.is_right()) continue;
    std::fprintf(stderr, "error: wrong result side by side: %s\n", name.c_str());
    return false;
  }
  return true;
}

void KeepPooledMemory() {
  int device = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  cudaMemPool_t pool;
  CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
  std::uint64_t all = UINT64_MAX;
  CUDA_CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
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
