#pragma once

// Calls of a lab's functions on problems of known sizes, the same on a GPU and in the simulator:
// a program per sample, `PROGRAM [LABEL...]`, makes those whose labels it is given and prints their
// kernels' times; without a label it lists all labels, a line each.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/cuda/device_array.h"

namespace predict {

// A label is "FUNCTION_SIZE". `prepare` makes the input of that size; what it returns makes one
// call and keeps the input alive.
struct Workload {
  std::string function;
  std::vector<int> sizes;
  std::function<std::function<void(cudaStream_t)>(int size)> prepare;
};

// Runs what the arguments say; the program's exit code. Calls are repeated as Repetitions() says,
// each is waited for. A call that fails is reported and ends the program.
int RunWorkloads(const std::vector<Workload>& workloads, int argc, char** argv);

// A number that looks random; the same everywhere.
constexpr std::uint32_t Mixed(std::uint32_t x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

// Device memory with element(i) at i.
template <typename T, typename Element>
std::shared_ptr<lab::DeviceArray<T>> Filled(std::size_t n, const Element& element) {
  std::vector<T> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = element(static_cast<std::uint32_t>(i));
  return std::make_shared<lab::DeviceArray<T>>(values);
}

// Device memory for results.
template <typename T>
std::shared_ptr<lab::DeviceArray<T>> Room(std::size_t n) {
  auto memory = std::make_shared<lab::DeviceArray<T>>(n);
  memory->Fill(0);
  return memory;
}

// Whole numbers from 0 to 15, so that float sums do not depend on their order.
inline std::shared_ptr<lab::DeviceArray<float>> Floats(std::size_t n) {
  return Filled<float>(n, [](std::uint32_t i) { return static_cast<float>(Mixed(i) % 16); });
}

}  // namespace predict
