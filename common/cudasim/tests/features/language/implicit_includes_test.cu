// What programs use without an include, as nvcc's own headers bring it.  This file must include
// nothing in front of these uses.
__global__ void Classify(int* out, float x, double y) {
  StoreAll(out, isnan(x) + 2 * isinf(x) + 4 * isfinite(x) + 8 * (signbit(x) != 0),
           ::isnan(y) + 2 * ::isinf(y) + 4 * ::isfinite(y) + 8 * (::signbit(y) != 0),
           static_cast<int>(logf(1.0f) + ::expf(0.0f) + fmaxf(1, 2)));
}

static bool HostNamesAreDeclared() {
  const std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  void* const aligned = memalign(64, 64);
  const bool is_aligned = reinterpret_cast<size_t>(aligned) % 64 == 0;
  free(aligned);
  timeval now;
  const bool has_time = gettimeofday(&now, nullptr) == 0;
  assert(isnan(NAN) && !signbit(1.0f));
  const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - begin;
  return is_aligned && has_time && passed.count() >= 0 && isdigit('7') && strlen("two") == 3 &&
         std::numeric_limits<int>::max() == INT_MAX && logf(1) == 0;
}

#include "common/cudasim/tests/features/test.h"

namespace {

TEST(ImplicitIncludesTest, DeviceCodeClassifiesNumbersWithoutAnInclude) {
  DeviceVector<int> out(3);
  Classify<<<1, 1>>>(out.get(), -INFINITY, 2.0);
  EXPECT_EQ(out.ToHost(), (std::vector<int>{2 + 8, 4, 3}));
  Classify<<<1, 1>>>(out.get(), NAN, -0.0);
  EXPECT_EQ(out.ToHost()[0] & 7, 1);
  EXPECT_EQ(out.ToHost()[1], 4 + 8);
}

TEST(ImplicitIncludesTest, HostCodeFindsTimersAndAllocatorsWithoutAnInclude) {
  EXPECT_TRUE(HostNamesAreDeclared());
}

}  // namespace
