// Calls one function and looks at nothing, so it detects only what the simulator finds.

#include <gtest/gtest.h>

#include <vector>

#include "common/lab/testing/function.h"
#include "labs/cuda_vecadd/vecadd.h"

namespace {

const lab::Function<decltype(VecAdd)> vec_add{"VecAdd"};

TEST(VecAddTest, Returns) {
  std::vector<float> c(1000);
  vec_add(std::vector<float>(1000), std::vector<float>(1000), c);
}

}  // namespace
