// __shfl_sync and its variants.
#include "common/cudasim/tests/features/test.h"

namespace {

// Returns the results of 32 lanes; their values are 100 + lane.
template <class F>
__global__ void Record(int* out, F shuffle) {
  out[threadIdx.x] = shuffle(100 + static_cast<int>(threadIdx.x % 32));
}

template <class F>
std::vector<int> Shuffled(F shuffle, int threads = 32) {
  DeviceVector<int> out(threads);
  Record<<<1, threads>>>(out.get(), shuffle);
  EXPECT_OK(cudaDeviceSynchronize());
  return out.ToHost();
}

TEST(ShuffleTest, TakesTheLaneModuloTheWidth) {
  const auto got = Shuffled([] __device__(int v) { return __shfl_sync(kAllLanes, v, 11, 8); });
  for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(got[lane], 100 + lane / 8 * 8 + 3);
}

TEST(ShuffleTest, EveryWidthShiftsWithinItsSegments) {
  for (int width = 2; width <= 32; width *= 2) {
    for (int by : {0, 1, width - 1, width, 31}) {
      const auto up =
          Shuffled([=] __device__(int v) { return __shfl_up_sync(kAllLanes, v, by, width); });
      const auto down =
          Shuffled([=] __device__(int v) { return __shfl_down_sync(kAllLanes, v, by, width); });
      // A delta has five bits: that of 32 is that of 0.
      const int delta = by % 32;
      for (int lane = 0; lane < 32; ++lane) {
        const int in_segment = lane % width;
        EXPECT_EQ(up[lane], 100 + lane - (in_segment >= delta ? delta : 0));
        EXPECT_EQ(down[lane], 100 + lane + (in_segment + delta < width ? delta : 0));
      }
    }
  }
}

TEST(ShuffleTest, XorReachesEarlierSegmentsButNotLaterOnes) {
  const auto full = Shuffled([] __device__(int v) { return __shfl_xor_sync(kAllLanes, v, 5); });
  const auto by_eight =
      Shuffled([] __device__(int v) { return __shfl_xor_sync(kAllLanes, v, 12, 8); });
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(full[lane], 100 + (lane ^ 5));
    const int source = lane ^ 12;
    EXPECT_EQ(by_eight[lane], 100 + (source / 8 <= lane / 8 ? source : lane));
  }
}

template <class T>
__global__ void Reverse(const T* in, T* out) {
  out[threadIdx.x] = __shfl_xor_sync(kAllLanes, in[threadIdx.x], 31);
}

template <class T>
void ExpectReversed(T step) {
  std::vector<T> values(32);
  for (int i = 0; i < 32; ++i) values[i] = static_cast<T>(step * static_cast<T>(i - 16));
  DeviceVector<T> in(values);
  DeviceVector<T> out(32);
  Reverse<<<1, 32>>>(in.get(), out.get());
  const std::vector<T> got = out.ToHost();
  for (int i = 0; i < 32; ++i) EXPECT_EQ(got[i], values[31 - i]);
}

TEST(ShuffleTest, CarriesEveryType) {
  ExpectReversed<int>(3);
  ExpectReversed<unsigned>(0x10000001u);
  ExpectReversed<long>(1L << 40);
  ExpectReversed<unsigned long>(1UL << 41);
  ExpectReversed<long long>(-(1LL << 42));
  ExpectReversed<unsigned long long>(1ULL << 43);
  ExpectReversed<float>(0.37f);
  ExpectReversed<double>(1e-9);
  ExpectReversed<short>(-5);
  ExpectReversed<unsigned char>(7);
}

// Masks whose lowest lane is the same follow each other without a pause.
__global__ void OverlappingMasks(int* out) {
  const int lane = static_cast<int>(threadIdx.x);
  int value = lane;
  if (lane % 2 == 0) value = __shfl_sync(0x55555555u, value, 30);
  value += __shfl_sync(kAllLanes, lane, 1);
  if (lane < 4) value += __shfl_sync(0xfu, lane, 3);
  out[lane] = value;
}

TEST(ShuffleTest, KnowsACollectiveByItsWholeMask) {
  const std::vector<int> got = StoredBy(OverlappingMasks, 32, 32);
  for (int i = 0; i < 32; ++i) {
    EXPECT_EQ(got[i], (i % 2 == 0 ? 30 : i) + 1 + (i < 4 ? 3 : 0));
  }
}

__global__ void PartialWarp(int* out, unsigned mask) {
  out[threadIdx.x] = __shfl_down_sync(mask, static_cast<int>(threadIdx.x), 1, 8);
}

TEST(ShuffleTest, ALastWarpMayBePartial) {
  DeviceVector<int> out(40);
  PartialWarp<<<1, 40>>>(out.get(), kAllLanes);
  const std::vector<int> got = out.ToHost();
  for (int i = 0; i < 40; ++i) EXPECT_EQ(got[i], i % 8 == 7 ? i : i + 1);
}

// Lanes of a warp follow the linear index: x fastest.
__global__ void TwoDimensions(int* out) {
  const int linear = static_cast<int>(threadIdx.x + blockDim.x * threadIdx.y);
  out[linear] = __shfl_sync(kAllLanes, linear, 0);
}

TEST(ShuffleTest, WarpsSpanTheRowsOfABlock) {
  DeviceVector<int> out(8 * 16);
  TwoDimensions<<<1, dim3(8, 16)>>>(out.get());
  const std::vector<int> got = out.ToHost();
  for (int i = 0; i < 8 * 16; ++i) EXPECT_EQ(got[i], i / 32 * 32);
}

}  // namespace
