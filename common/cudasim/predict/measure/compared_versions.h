#pragma once

// A set of programs to judge the predictions of times by. Each of its problems has two versions or
// more, whose results are the same. A label is "PROBLEM.VERSION_SIZE". All kernels of a set have
// names of their own.

#include <cuda_runtime.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/cuda/check.h"
#include "common/cuda/device_array.h"
#include "common/cudasim/predict/measure/workload.h"

namespace predict {

using FloatArray = std::shared_ptr<lab::DeviceArray<float>>;
using NumberArray = std::shared_ptr<lab::DeviceArray<unsigned>>;

inline constexpr unsigned kAllLanes = 0xffffffffu;

inline unsigned Blocks(unsigned threads, unsigned block = 256) {
  return (threads + block - 1) / block;
}

// Fractions from 0 to 1, and whole numbers of 32 bits.
inline FloatArray Fractions(unsigned n) {
  return Filled<float>(n, [](unsigned i) { return static_cast<float>(Mixed(i) >> 8) * 0x1p-24f; });
}
inline NumberArray Numbers(unsigned n) { return Filled<unsigned>(n, Mixed); }

template <typename T>
std::vector<double> OnHost(const std::shared_ptr<lab::DeviceArray<T>>& values) {
  const std::vector<T> copied = values->OnHost();
  return {copied.begin(), copied.end()};
}

// A version with its input: `run` makes the launches, all in the default stream, as often as it is
// called; `results` copies what they left.
struct Call {
  std::function<void()> run;
  std::function<std::vector<double>()> results;
};

struct Version {
  std::string name;
  std::function<Call(unsigned size)> prepare;
};

struct Problem {
  std::string name;
  std::vector<int> sizes;
  std::vector<Version> versions;
};

// Input has a constructor that takes a size and the function `std::vector<double> Results() const`.
template <typename Input>
Problem Of(const std::string& name, const std::vector<int>& sizes,
           const std::vector<std::pair<const char*, void (*)(const Input&)>>& versions) {
  Problem made{name, sizes, {}};
  for (const auto& [version, run] : versions) {
    made.versions.push_back({version, [run = run](unsigned size) {
                               const auto input = std::make_shared<const Input>(size);
                               return Call{[=] { run(*input); }, [=] { return input->Results(); }};
                             }});
  }
  return made;
}

// The program of a set; returns its exit code: see RunWorkloads(). `PROGRAM --check [SIZE]` instead
// compares the results of each problem's versions, in the size of that number from 0 on.
int RunOrCheck(const std::vector<std::vector<Problem>>& parts, int argc, char** argv);

}  // namespace predict
