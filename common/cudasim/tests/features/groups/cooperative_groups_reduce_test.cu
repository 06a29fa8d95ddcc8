// cooperative_groups::reduce and the scans.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "common/cudasim/tests/features/test.h"

namespace cg = cooperative_groups;

namespace {

struct Results {
  int sum, least, greatest, bits_and, bits_or, bits_xor, inclusive, exclusive, maximum;
  double product;
};

template <unsigned Size>
__global__ void Combine(const int* in, Results* out) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int value = in[threadIdx.x];
  Results& r = out[threadIdx.x];
  r.sum = cg::reduce(tile, value, cg::plus<int>());
  r.least = cg::reduce(tile, value, cg::less<int>());
  r.greatest = cg::reduce(tile, value, cg::greater<int>());
  r.bits_and = cg::reduce(tile, value, cg::bit_and<int>());
  r.bits_or = cg::reduce(tile, value, cg::bit_or<int>());
  r.bits_xor = cg::reduce(tile, value, cg::bit_xor<int>());
  r.inclusive = cg::inclusive_scan(tile, value);
  r.exclusive = cg::exclusive_scan(tile, value, cg::plus<int>());
  r.maximum = cg::inclusive_scan(tile, value, cg::greater<int>());
  const double scale = 1.5;
  r.product = cg::reduce(tile, value % 3 + 1.0, [=](double a, double b) { return a * b * scale; });
}

template <unsigned Size>
void ExpectCombined() {
  std::vector<int> values(64);
  for (int i = 0; i < 64; ++i) values[i] = i * 29 % 64 - 20;
  DeviceVector<int> in(values);
  DeviceVector<Results> out(64);
  Combine<Size><<<1, 64>>>(in.get(), out.get());
  const auto got = out.ToHost();
  for (unsigned first = 0; first < 64; first += Size) {
    Results want = {0, values[first], values[first], -1, 0, 0, 0, 0, values[first], 0};
    for (unsigned i = first; i < first + Size; ++i) {
      const int v = values[i];
      EXPECT_EQ(got[i].exclusive, want.sum);
      want.sum += v;
      EXPECT_EQ(got[i].inclusive, want.sum);
      want.least = v < want.least ? v : want.least;
      want.greatest = v > want.greatest ? v : want.greatest;
      EXPECT_EQ(got[i].maximum, want.greatest);
      want.bits_and &= v;
      want.bits_or |= v;
      want.bits_xor ^= v;
      want.product = i == first ? v % 3 + 1.0 : want.product * (v % 3 + 1.0) * 1.5;
    }
    for (unsigned i = first; i < first + Size; ++i) {
      EXPECT_EQ(got[i].sum, want.sum);
      EXPECT_EQ(got[i].least, want.least);
      EXPECT_EQ(got[i].greatest, want.greatest);
      EXPECT_EQ(got[i].bits_and, want.bits_and);
      EXPECT_EQ(got[i].bits_or, want.bits_or);
      EXPECT_EQ(got[i].bits_xor, want.bits_xor);
      EXPECT_DOUBLE_EQ(got[i].product, want.product);
    }
  }
}

TEST(GroupReduceTest, CombinesTilesOfEverySize) {
  ExpectCombined<1>();
  ExpectCombined<2>();
  ExpectCombined<16>();
  ExpectCombined<32>();
}

__global__ void CoalescedReduce(int* out) {
  if (threadIdx.x % 4 == 3) return;
  const auto active = cg::coalesced_threads();
  out[threadIdx.x] = cg::reduce(active, static_cast<int>(threadIdx.x), cg::plus<int>());
}

TEST(GroupReduceTest, CombinesCoalescedThreads) {
  const auto got = StoredBy(CoalescedReduce, 32, 32);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(got[i], i % 4 == 3 ? 0 : 31 * 16 - (3 + 31) * 4);
}

}  // namespace
