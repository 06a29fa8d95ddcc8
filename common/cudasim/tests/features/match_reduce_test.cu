// __match_any_sync, __match_all_sync and the __reduce_*_sync family.
#include <algorithm>

#include "common/cudasim/tests/features/test.h"

namespace {

template <class T>
__global__ void Match(const T* in, unsigned* any, unsigned* all, int* equal) {
  any[threadIdx.x] = __match_any_sync(kAllLanes, in[threadIdx.x]);
  all[threadIdx.x] = __match_all_sync(kAllLanes, in[threadIdx.x], &equal[threadIdx.x]);
}

template <class T>
void ExpectMatches(const std::vector<T>& values) {
  const std::size_t n = values.size();
  DeviceVector<T> in(values);
  DeviceVector<unsigned> any(n);
  DeviceVector<unsigned> all(n);
  DeviceVector<int> equal(n);
  Match<<<1, n>>>(in.get(), any.get(), all.get(), equal.get());
  const auto same = any.ToHost();
  const auto every = all.ToHost();
  const auto predicate = equal.ToHost();
  bool all_equal = true;
  for (std::size_t i = 0; i < n; ++i) {
    unsigned expected = 0;
    for (std::size_t j = 0; j < n; ++j) {
      expected |= static_cast<unsigned>(values[i] == values[j]) << j;
    }
    EXPECT_EQ(same[i], expected);
    all_equal &= values[i] == values[0];
  }
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_EQ(predicate[i], all_equal);
    EXPECT_EQ(every[i], all_equal ? kAllLanes : 0);
  }
}

TEST(MatchTest, GroupsEqualValues) {
  std::vector<int> values(32);
  for (int i = 0; i < 32; ++i) values[i] = i % 5 - 2;
  ExpectMatches(values);
  ExpectMatches(std::vector<unsigned>(32, 7u));
}

TEST(MatchTest, ComparesAllBitsOfWideValues) {
  std::vector<unsigned long long> values(32, 1ULL);
  values[9] += 1ULL << 40;
  ExpectMatches(values);
  std::vector<double> reals(32, 0.5);
  reals[31] = 0.25;
  ExpectMatches(reals);
  ExpectMatches(std::vector<float>(32, -1.5f));
}

struct Reductions {
  int add, min, max;
  unsigned unsigned_add, unsigned_min, unsigned_max, bits_and, bits_or, bits_xor;
};

__global__ void Reduce(const int* in, Reductions* out, unsigned mask) {
  const unsigned lane = threadIdx.x % 32;
  if ((mask >> lane & 1) == 0) return;
  const int value = in[threadIdx.x];
  const auto bits = static_cast<unsigned>(value);
  out[threadIdx.x] = {__reduce_add_sync(mask, value), __reduce_min_sync(mask, value),
                      __reduce_max_sync(mask, value), __reduce_add_sync(mask, bits),
                      __reduce_min_sync(mask, bits),  __reduce_max_sync(mask, bits),
                      __reduce_and_sync(mask, bits),  __reduce_or_sync(mask, bits),
                      __reduce_xor_sync(mask, bits)};
}

void ExpectReductions(const std::vector<int>& values, unsigned mask) {
  DeviceVector<int> in(values);
  DeviceVector<Reductions> out(32);
  Reduce<<<1, 32>>>(in.get(), out.get(), mask);
  Reductions want = {0, 2147483647, -2147483647 - 1, 0, kAllLanes, 0, kAllLanes, 0, 0};
  for (int i = 0; i < 32; ++i) {
    if ((mask >> i & 1) == 0) continue;
    const auto bits = static_cast<unsigned>(values[i]);
    want.add += values[i];
    want.min = std::min(want.min, values[i]);
    want.max = std::max(want.max, values[i]);
    want.unsigned_add += bits;
    want.unsigned_min = std::min(want.unsigned_min, bits);
    want.unsigned_max = std::max(want.unsigned_max, bits);
    want.bits_and &= bits;
    want.bits_or |= bits;
    want.bits_xor ^= bits;
  }
  const auto got = out.ToHost();
  for (int i = 0; i < 32; ++i) {
    if ((mask >> i & 1) == 0) continue;
    EXPECT_EQ(got[i].add, want.add);
    EXPECT_EQ(got[i].min, want.min);
    EXPECT_EQ(got[i].max, want.max);
    EXPECT_EQ(got[i].unsigned_add, want.unsigned_add);
    EXPECT_EQ(got[i].unsigned_min, want.unsigned_min);
    EXPECT_EQ(got[i].unsigned_max, want.unsigned_max);
    EXPECT_EQ(got[i].bits_and, want.bits_and);
    EXPECT_EQ(got[i].bits_or, want.bits_or);
    EXPECT_EQ(got[i].bits_xor, want.bits_xor);
  }
}

TEST(ReduceTest, CombinesSignedAndUnsignedValues) {
  std::vector<int> values(32);
  for (int i = 0; i < 32; ++i) values[i] = (i * 37 % 32 - 16) * 1000003;
  ExpectReductions(values, kAllLanes);
  ExpectReductions(values, 0x0ff0u);
  ExpectReductions(values, 1u << 31);
}

}  // namespace
