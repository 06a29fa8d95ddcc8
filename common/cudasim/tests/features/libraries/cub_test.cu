// CUB's algorithms for whole arrays, and those for blocks and warps.
#include <algorithm>
#include <cub/cub.cuh>
#include <limits>
#include <numeric>

#include "common/cudasim/tests/features/test.h"

namespace {

constexpr int kCubSizes[] = {0, 1, 2, 3, 255, 257, 1000};

// Makes the two calls, call(storage, bytes), and waits.
template <class Call>
void RunTwice(const Call& call) {
  std::size_t bytes = 0;
  ASSERT_OK(call(nullptr, bytes));
  ASSERT_GT(bytes, 0u);
  void* storage = nullptr;
  ASSERT_OK(cudaMalloc(&storage, bytes));
  EXPECT_OK(call(storage, bytes));
  EXPECT_OK(cudaFree(storage));
}

template <class T>
T ValueOf(const DeviceVector<T>& one) {
  return one.ToHost()[0];
}

struct Larger {
  __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};

TEST(CubTest, ReducesEveryNumberOfValues) {
  for (const int count : kCubSizes) {
    const std::vector<int> numbers = Numbers(count);
    const DeviceVector<int> in(numbers);
    const DeviceVector<int> out(1);
    RunTwice([&](void* storage, std::size_t& bytes) {
      return cub::DeviceReduce::Sum(storage, bytes, in.get(), out.get(), count);
    });
    EXPECT_EQ(ValueOf(out), std::accumulate(numbers.begin(), numbers.end(), 0)) << count;
    RunTwice([&](void* storage, std::size_t& bytes) {
      return cub::DeviceReduce::Reduce(storage, bytes, in.get(), out.get(), count, Larger(), -9999);
    });
    EXPECT_EQ(ValueOf(out), std::accumulate(numbers.begin(), numbers.end(), -9999, Larger()));
    if (count == 0) continue;
    RunTwice([&](void* storage, std::size_t& bytes) {
      return cub::DeviceReduce::Min(storage, bytes, in.get(), out.get(), count);
    });
    EXPECT_EQ(ValueOf(out), *std::min_element(numbers.begin(), numbers.end()));
    RunTwice([&](void* storage, std::size_t& bytes) {
      return cub::DeviceReduce::Max(storage, bytes, in.get(), out.get(), count);
    });
    EXPECT_EQ(ValueOf(out), *std::max_element(numbers.begin(), numbers.end()));
  }
}

TEST(CubTest, ScansInPlaceToo) {
  for (const int count : kCubSizes) {
    const std::vector<int> numbers = Numbers(count);
    std::vector<int> expected(count);
    const DeviceVector<int> values(numbers);
    RunTwice([&](void* storage, std::size_t& bytes) {
      return cub::DeviceScan::ExclusiveSum(storage, bytes, values.get(), values.get(), count);
    });
    std::exclusive_scan(numbers.begin(), numbers.end(), expected.begin(), 0);
    EXPECT_EQ(values.ToHost(), expected) << count;
    const DeviceVector<int> in(numbers);
    RunTwice([&](void* storage, std::size_t& bytes) {
      return cub::DeviceScan::InclusiveSum(storage, bytes, in.get(), values.get(), count);
    });
    std::inclusive_scan(numbers.begin(), numbers.end(), expected.begin());
    EXPECT_EQ(values.ToHost(), expected) << count;
    RunTwice([&](void* storage, std::size_t& bytes) {
      return cub::DeviceScan::ExclusiveScan(storage, bytes, in.get(), values.get(), Larger(), -7,
                                            count);
    });
    std::exclusive_scan(numbers.begin(), numbers.end(), expected.begin(), -7, Larger());
    EXPECT_EQ(values.ToHost(), expected) << count;
    RunTwice([&](void* storage, std::size_t& bytes) {
      return cub::DeviceScan::InclusiveScan(storage, bytes, in.get(), values.get(), Larger(),
                                            count);
    });
    std::inclusive_scan(numbers.begin(), numbers.end(), expected.begin(), Larger());
    EXPECT_EQ(values.ToHost(), expected) << count;
  }
}

TEST(CubTest, SelectsAndCountsWhatItSelected) {
  for (const int count : kCubSizes) {
    const std::vector<int> numbers = Numbers(count, 4);
    const DeviceVector<int> in(numbers);
    const DeviceVector<int> out(count);
    const DeviceVector<int> selected(1);
    const auto expect = [&](std::vector<int> expected) {
      ASSERT_EQ(ValueOf(selected), static_cast<int>(expected.size())) << count;
      std::vector<int> values = out.ToHost();
      values.resize(expected.size());
      EXPECT_EQ(values, expected) << count;
    };
    std::vector<int> expected;
    for (const int number : numbers) {
      if (number != 0) expected.push_back(number);
    }
    RunTwice([&](void* storage, std::size_t& bytes) {
      return cub::DeviceSelect::If(storage, bytes, in.get(), out.get(), selected.get(), count,
                                   [] __device__(int value) { return value != 0; });
    });
    expect(expected);
    RunTwice([&](void* storage, std::size_t& bytes) {
      return cub::DeviceSelect::Flagged(storage, bytes, in.get(), in.get(), out.get(),
                                        selected.get(), count);
    });
    expect(expected);
    RunTwice([&](void* storage, std::size_t& bytes) {
      return cub::DeviceSelect::Unique(storage, bytes, in.get(), out.get(), selected.get(), count);
    });
    expected = numbers;
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    expect(expected);
  }
}

TEST(CubTest, EncodesAndReducesRuns) {
  const DeviceVector<int> keys(std::vector<int>{1, 1, 3, 3, 3, 1});
  const DeviceVector<int> values(std::vector<int>{1, 2, 3, 4, 5, 6});
  const DeviceVector<int> heads(3);
  const DeviceVector<int> out(3);
  const DeviceVector<int> runs(1);
  RunTwice([&](void* storage, std::size_t& bytes) {
    return cub::DeviceRunLengthEncode::Encode(storage, bytes, keys.get(), heads.get(), out.get(),
                                              runs.get(), 6);
  });
  EXPECT_EQ(ValueOf(runs), 3);
  EXPECT_EQ(heads.ToHost(), (std::vector<int>{1, 3, 1}));
  EXPECT_EQ(out.ToHost(), (std::vector<int>{2, 3, 1}));
  RunTwice([&](void* storage, std::size_t& bytes) {
    return cub::DeviceReduce::ReduceByKey(storage, bytes, keys.get(), heads.get(), values.get(),
                                          out.get(), runs.get(), Larger(), 6);
  });
  EXPECT_EQ(out.ToHost(), (std::vector<int>{2, 5, 6}));
}

TEST(CubTest, TransformsWhatItReduces) {
  const DeviceVector<int> in(std::vector<int>{1, -2, 3});
  const DeviceVector<int> out(1);
  const auto square = [] __host__ __device__(int value) { return value * value; };
  RunTwice([&](void* storage, std::size_t& bytes) {
    return cub::DeviceReduce::TransformReduce(storage, bytes, in.get(), out.get(), 3, Larger(),
                                              square, 5);
  });
  EXPECT_EQ(ValueOf(out), 9);
}

template <class Key>
void ExpectSorted(std::vector<Key> keys) {
  const int count = static_cast<int>(keys.size());
  const DeviceVector<Key> in(keys);
  const DeviceVector<Key> out(count);
  RunTwice([&](void* storage, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(storage, bytes, in.get(), out.get(), count);
  });
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(out.ToHost(), keys);
  EXPECT_NE(in.ToHost(), keys);
  RunTwice([&](void* storage, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeysDescending(storage, bytes, in.get(), out.get(), count);
  });
  std::reverse(keys.begin(), keys.end());
  EXPECT_EQ(out.ToHost(), keys);
}

TEST(CubTest, SortsSignedUnsignedAndFloatingPointKeys) {
  ExpectSorted(Numbers(1001));
  ExpectSorted<unsigned char>({200, 3, 255, 0, 128});
  ExpectSorted<long long>({5, -1, std::numeric_limits<long long>::min(), 1LL << 40});
  ExpectSorted<unsigned long long>({5, 1, ~0ULL, 1ULL << 63, 0});
  ExpectSorted<float>({1.5f, -2, 0, 1e30f, -1e-30f, -3});
  ExpectSorted<double>({1.5, -2, 0, 1e300, -1e-300, -3});
}

TEST(CubTest, SortsPairsByTheBitsThatAreAskedForAndKeepsTheOrderOfEqualOnes) {
  const std::vector<int> numbers = Numbers(500, 64);
  std::vector<int> places(500);
  std::iota(places.begin(), places.end(), 0);
  const DeviceVector<int> keys(numbers);
  const DeviceVector<int> keys_out(500);
  const DeviceVector<int> values(places);
  const DeviceVector<int> values_out(500);
  RunTwice([&](void* storage, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(storage, bytes, keys.get(), keys_out.get(), values.get(),
                                           values_out.get(), 500, 1, 4);
  });
  std::stable_sort(places.begin(), places.end(),
                   [&](int a, int b) { return (numbers[a] >> 1 & 7) < (numbers[b] >> 1 & 7); });
  EXPECT_EQ(values_out.ToHost(), places);
  EXPECT_EQ(keys_out.ToHost()[9], numbers[places[9]]);
}

TEST(CubTest, SortsNothingInPlace) {
  const DeviceVector<int> keys(Numbers(100));
  const DeviceVector<int> other(100);
  const DeviceVector<int> values(100);
  std::size_t bytes = 0;
  ASSERT_OK(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys.get(), keys.get(), values.get(),
                                            values.get(), 100));
  const DeviceVector<char> storage(static_cast<int>(bytes));
  EXPECT_EQ(cub::DeviceRadixSort::SortKeys(storage.get(), bytes, keys.get(), keys.get(), 100),
            cudaErrorInvalidValue);
  EXPECT_EQ(cub::DeviceRadixSort::SortPairs(storage.get(), bytes, keys.get(), other.get(),
                                            values.get(), values.get(), 100),
            cudaErrorInvalidValue);
}

__global__ void CombineBlocks(int* sums, int* before, int* totals, int* warps) {
  using Reduce = cub::BlockReduce<int, 128>;
  using Scan = cub::BlockScan<int, 128>;
  using WarpReduce = cub::WarpReduce<int>;
  __shared__ typename Reduce::TempStorage reduce;
  __shared__ typename Scan::TempStorage scan;
  __shared__ typename WarpReduce::TempStorage warp[4];
  const int value = static_cast<int>(threadIdx.x) + 1;
  const int sum = Reduce(reduce).Sum(value);
  if (threadIdx.x == 0) sums[0] = sum;
  __syncthreads();
  const int largest = Reduce(reduce).Reduce(-value, cub::Max());
  if (threadIdx.x == 0) sums[1] = largest;
  int total = 0;
  Scan(scan).ExclusiveSum(value, before[threadIdx.x], total);
  totals[threadIdx.x] = total;
  const int of_warp = WarpReduce(warp[threadIdx.x / 32]).Sum(value);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = of_warp;
}

TEST(CubTest, CombinesTheValuesOfABlockAndOfAWarp) {
  const DeviceVector<int> sums(2);
  const DeviceVector<int> before(128);
  const DeviceVector<int> totals(128);
  const DeviceVector<int> warps(4);
  CombineBlocks<<<1, 128>>>(sums.get(), before.get(), totals.get(), warps.get());
  ASSERT_OK(cudaDeviceSynchronize());
  EXPECT_EQ(sums.ToHost(), (std::vector<int>{128 * 129 / 2, -1}));
  EXPECT_EQ(before.ToHost()[127], 127 * 128 / 2);
  EXPECT_EQ(totals.ToHost()[5], 128 * 129 / 2);
  EXPECT_EQ(warps.ToHost()[1], 32 * 32 + 32 * 33 / 2);
}

}  // namespace
