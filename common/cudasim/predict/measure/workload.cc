#include "common/cudasim/predict/measure/workload.h"

#include <chrono>
#include <cstdio>
#include <exception>

#include "common/cuda/check.h"
#include "common/cudasim/predict/measure/timed_launches.h"

namespace predict {
namespace {

// A label is not repeated any more after so long.
constexpr std::chrono::seconds kEnough(2);

void Run(const Workload& workload, int size, const std::string& label, cudaStream_t stream) {
  const std::function<void(cudaStream_t)> call = workload.prepare(size);
  CUDA_CHECK(cudaDeviceSynchronize());
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < Repetitions(); ++i) {
    if (std::chrono::steady_clock::now() - begin > kEnough) break;
    BeginCall(label);
    call(stream);
    CUDA_CHECK(cudaStreamSynchronize(stream));
    CUDA_CHECK(cudaDeviceSynchronize());
    EndCall();
  }
  PrintTimes(stdout);
}

bool IsOneOf(const std::string& label, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (label == argv[i]) return true;
  }
  return false;
}

}  // namespace

int RunWorkloads(const std::vector<Workload>& workloads, int argc, char** argv) {
  try {
    cudaStream_t stream = nullptr;
    if (argc > 1) CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (const Workload& workload : workloads) {
      for (const int size : workload.sizes) {
        const std::string label = workload.function + "_" + std::to_string(size);
        if (argc == 1) std::printf("%s\n", label.c_str());
        if (IsOneOf(label, argc, argv)) Run(workload, size, label, stream);
      }
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

}  // namespace predict
