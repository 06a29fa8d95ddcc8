// Linked into a test program, this makes it say that there is no GPU instead of failing in each
// test. The simulator always has one.

#include <cuda_runtime.h>

#include <optional>
#include <string>

#include "common/lab/test_program/requirement.h"

namespace {

std::optional<lab::Requirement::Missing> MissingGpu() {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess && count > 0) return std::nullopt;
  const std::string why = error == cudaSuccess ? "none is visible" : cudaGetErrorString(error);
  return lab::Requirement::Missing{
      "no GPU: " + why,
      "run it on a machine with a GPU, or leave out --config=gpu to use the simulator"};
}

const lab::Requirement gpu(MissingGpu);

}  // namespace
