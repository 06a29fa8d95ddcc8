#pragma once

// Programs of other kinds than those that the third model was fitted to, each in two versions or
// more: what it was judged by, and what later models are fitted to, too. A label is
// "PROBLEM.VERSION_SIZE". All kernels have names of their own.

#include <cuda_runtime.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/cuda/check.h"
#include "common/cuda/device_array.h"
#include "common/cudasim/predict/measure/workload.h"

namespace blind {

using predict::Filled;
using predict::Floats;
using predict::Mixed;
using predict::Room;
using predict::Workload;

inline unsigned Blocks(unsigned threads, unsigned block = 256) {
  return (threads + block - 1) / block;
}

// The input and output of most problems: arrays of `elements`.
struct Arrays {
  Arrays(unsigned n, unsigned elements)
      : n(n),
        elements(elements),
        floats(Floats(elements)),
        others(Filled<float>(
            elements, [](unsigned i) { return static_cast<float>(Mixed(i + 77) % 1024) / 1024; })),
        results(Room<float>(elements)),
        keys(Filled<unsigned>(elements, [](unsigned i) { return Mixed(i); })),
        numbers(Room<unsigned>(elements)),
        a(floats->data()),
        b(others->data()),
        c(results->data()),
        k(keys->data()),
        r(numbers->data()) {}

  // Copies the keys to the results.
  void Restart() const {
    CUDA_CHECK(cudaMemcpyAsync(r, k, numbers->bytes(), cudaMemcpyDeviceToDevice));
  }

  unsigned n;
  unsigned elements;
  std::shared_ptr<lab::DeviceArray<float>> floats, others, results;
  std::shared_ptr<lab::DeviceArray<unsigned>> keys, numbers;
  float* a;     // whole numbers from 0 to 15
  float* b;     // fractions from 0 to 1
  float* c;     // results
  unsigned* k;  // any numbers
  unsigned* r;  // results
};

template <typename Input>
using Version = std::pair<const char*, void (*)(const Input&)>;

// `make` makes the input of a size; all launches of a version go to the default stream.
template <typename Input>
std::vector<Workload> Versions(const std::string& problem, const std::vector<int>& sizes,
                               std::function<std::shared_ptr<Input>(unsigned size)> make,
                               const std::vector<Version<Input>>& versions) {
  std::vector<Workload> all;
  for (const auto& [name, run] : versions) {
    all.push_back({problem + "." + name, sizes, [make, run = run](int size) {
                     const auto input = make(static_cast<unsigned>(size));
                     return [=](cudaStream_t) { run(*input); };
                   }});
  }
  return all;
}

// The same for Arrays of `each` elements for each of a size.
inline std::vector<Workload> OfArrays(const std::string& problem, const std::vector<int>& sizes,
                                      unsigned each, const std::vector<Version<Arrays>>& versions) {
  return Versions<Arrays>(
      problem, sizes, [=](unsigned n) { return std::make_shared<Arrays>(n, n * each); }, versions);
}

// The same for Arrays of size * size elements.
inline std::vector<Workload> OfSquares(const std::string& problem, const std::vector<int>& sizes,
                                       const std::vector<Version<Arrays>>& versions) {
  return Versions<Arrays>(
      problem, sizes, [=](unsigned n) { return std::make_shared<Arrays>(n, n * n); }, versions);
}

inline void Append(std::vector<Workload>& all, const std::vector<Workload>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

std::vector<Workload> Simulations();
std::vector<Workload> Matrices();
std::vector<Workload> Images();
std::vector<Workload> Sorting();
std::vector<Workload> Lookups();
std::vector<Workload> Graphs();
std::vector<Workload> Statistics();

}  // namespace blind
