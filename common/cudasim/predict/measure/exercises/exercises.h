#pragma once

// Exercises of textbooks and kernels of benchmark suites, of other kinds than those of
// blind/blind.h and coursework/coursework.h. Written by someone who had not seen the model.

#include <cuda_runtime.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "common/cudasim/predict/measure/compared_versions.h"

namespace predict::exercises {

template <typename T>
void Copy(const std::shared_ptr<lab::DeviceArray<T>>& from,
          const std::shared_ptr<lab::DeviceArray<T>>& to) {
  CUDA_CHECK(cudaMemcpyAsync(to->data(), from->data(), from->bytes(), cudaMemcpyDeviceToDevice));
}

std::vector<Problem> Alignment();
std::vector<Problem> Factorization();
std::vector<Problem> Diffusion();
std::vector<Problem> Fluids();
std::vector<Problem> Training();
std::vector<Problem> Networks();
std::vector<Problem> Attention();
std::vector<Problem> Products();
std::vector<Problem> Solvers();
std::vector<Problem> Particles();
std::vector<Problem> Rays();
std::vector<Problem> Pictures();
std::vector<Problem> Strings();
std::vector<Problem> Checksums();
std::vector<Problem> Integers();
std::vector<Problem> Combinatorics();
std::vector<Problem> Ordering();
std::vector<Problem> Finance();

}  // namespace predict::exercises
