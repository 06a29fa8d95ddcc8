#include <cuda_runtime.h>
#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <unordered_map>
#include <vector>

#include "common/cuda/check.h"
#include "common/cudasim/predict/measure/timed_launches.h"

namespace predict {
namespace {

constexpr long long kBusyNanoseconds = 25'000;  // longer than the host needs to submit a launch

__global__ void BusyKernel(long long nanoseconds) {
  long long begin = 0;
  long long now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < nanoseconds);
}

struct Timer {
  cudaEvent_t begin{};
  cudaEvent_t end{};
};

// The launches of one kernel in one shape in one call.
struct Launches {
  int count = 0;
  std::vector<Timer> timers;
  cudaFuncAttributes attributes{};
};

struct Times {
  int count = 0;
  cudaFuncAttributes attributes{};
  std::vector<double> microseconds;  // of a call
};

struct State {
  bool is_on = false;
  std::string label;
  std::vector<Timer> free_timers;
  std::map<std::string, Launches> of_call;  // by "kernel,grid,block,dynamic bytes"
  std::vector<std::pair<std::string, Times>> all;
  std::unordered_map<const void*, std::string> names;      // by the host's function
  std::unordered_map<const void*, const void*> functions;  // by the kernel's handle
};

State& TheState() {
  static State& state = *new State;
  return state;
}

// "Kernel" of "void space::Kernel<3>(int)".
std::string PlainName(const char* mangled) {
  int status = 0;
  char* const text = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  std::string name = status == 0 ? text : mangled;
  std::free(text);
  for (std::size_t at; (at = name.find("(anonymous namespace)::")) != std::string::npos;) {
    name.erase(at, 23);
  }
  name = name.substr(0, name.find_first_of("<("));
  const std::size_t at = name.find_last_of(": ");
  return at == std::string::npos ? name : name.substr(at + 1);
}

std::string Extent(dim3 e) {
  return std::to_string(e.x) + "x" + std::to_string(e.y) + "x" + std::to_string(e.z);
}

Timer TakeTimer() {
  State& state = TheState();
  Timer timer;
  if (state.free_timers.empty()) {
    CUDA_CHECK(cudaEventCreate(&timer.begin));
    CUDA_CHECK(cudaEventCreate(&timer.end));
  } else {
    timer = state.free_timers.back();
    state.free_timers.pop_back();
  }
  return timer;
}

template <typename Launch>
cudaError_t Timed(const void* function, dim3 grid, dim3 block, std::size_t dynamic_bytes,
                  cudaStream_t stream, const Launch& launch) {
  State& state = TheState();
  if (!state.is_on) return launch();
  const auto handle = state.functions.find(function);
  if (handle != state.functions.end()) function = handle->second;
  const auto name = state.names.find(function);
  Launches& launches =
      state.of_call[(name == state.names.end() ? "unknown" : name->second) + "," + Extent(grid) +
                    "," + Extent(block) + "," + std::to_string(dynamic_bytes)];
  if (launches.count++ == 0) (void)cudaFuncGetAttributes(&launches.attributes, function);
  if (launches.count > kTimedLaunches) return launch();
  launches.timers.push_back(TakeTimer());
  if (Repetitions() > 1) {  // else a profiler measures
    state.is_on = false;
    BusyKernel<<<1, 1, 0, stream>>>(kBusyNanoseconds);
    state.is_on = true;
  }
  CUDA_CHECK(cudaEventRecord(launches.timers.back().begin, stream));
  const cudaError_t error = launch();
  CUDA_CHECK(cudaEventRecord(launches.timers.back().end, stream));
  return error;
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n == 0 ? 0 : (values[(n - 1) / 2] + values[n / 2]) / 2;
}

Times& TimesOf(const std::string& key) {
  for (auto& [name, times] : TheState().all) {
    if (name == key) return times;
  }
  TheState().all.push_back({key, {}});
  return TheState().all.back().second;
}

}  // namespace

int Repetitions() {
  const char* const given = std::getenv("PREDICT_REPETITIONS");
  return given == nullptr ? 7 : std::atoi(given);
}

void BeginCall(const std::string& label) {
  TheState().label = label;
  TheState().is_on = true;
}

void EndCall() {
  State& state = TheState();
  state.is_on = false;
  CUDA_CHECK(cudaDeviceSynchronize());
  for (auto& [key, launches] : state.of_call) {
    double sum = 0;
    for (const Timer& timer : launches.timers) {
      float milliseconds = 0;
      CUDA_CHECK(cudaEventElapsedTime(&milliseconds, timer.begin, timer.end));
      sum += 1e3 * milliseconds;
      state.free_timers.push_back(timer);
    }
    Times& times = TimesOf(state.label + "," + key);
    times.count = launches.count;
    times.attributes = launches.attributes;
    times.microseconds.push_back(sum * launches.count /
                                 static_cast<double>(launches.timers.size()));
  }
  state.of_call.clear();
}

void PrintTimes(std::FILE* file) {
  for (const auto& [key, times] : TheState().all) {
    std::fprintf(file, "%s,%zu,%d,%d,%.3f\n", key.c_str(), times.attributes.sharedSizeBytes,
                 times.attributes.numRegs, times.count, Median(times.microseconds));
  }
  std::fflush(file);
  TheState().all.clear();
}

}  // namespace predict

extern "C" {

cudaError_t __real___cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, std::size_t, cudaStream_t);
cudaError_t __wrap___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                                      std::size_t bytes, cudaStream_t stream) {
  return predict::Timed(kernel, grid, block, bytes, stream, [&] {
    return __real___cudaLaunchKernel(kernel, grid, block, arguments, bytes, stream);
  });
}

cudaError_t __real_cudaLaunchKernel(const void*, dim3, dim3, void**, std::size_t, cudaStream_t);
cudaError_t __wrap_cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                    std::size_t bytes, cudaStream_t stream) {
  return predict::Timed(function, grid, block, bytes, stream, [&] {
    return __real_cudaLaunchKernel(function, grid, block, arguments, bytes, stream);
  });
}

cudaError_t __real_cudaLaunchCooperativeKernel(const void*, dim3, dim3, void**, std::size_t,
                                               cudaStream_t);
cudaError_t __wrap_cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                               void** arguments, std::size_t bytes,
                                               cudaStream_t stream) {
  return predict::Timed(function, grid, block, bytes, stream, [&] {
    return __real_cudaLaunchCooperativeKernel(function, grid, block, arguments, bytes, stream);
  });
}

cudaError_t __real___cudaGetKernel(cudaKernel_t*, const void*);
cudaError_t __wrap___cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  const cudaError_t error = __real___cudaGetKernel(kernel, function);
  predict::TheState().functions[*kernel] = function;
  return error;
}

void __real___cudaRegisterFunction(void**, const char*, char*, const char*, int, uint3*, uint3*,
                                   dim3*, dim3*, int*);
void __wrap___cudaRegisterFunction(void** module, const char* function, char* device_function,
                                   const char* name, int limit, uint3* thread, uint3* block,
                                   dim3* block_extent, dim3* grid_extent, int* warp) {
  predict::TheState().names[function] = predict::PlainName(name);
  __real___cudaRegisterFunction(module, function, device_function, name, limit, thread, block,
                                block_extent, grid_extent, warp);
}

}  // extern "C"
