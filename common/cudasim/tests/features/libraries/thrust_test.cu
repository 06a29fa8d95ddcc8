// Thrust's algorithms, on the device, on the host and in kernels.
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>
#include <thrust/zip_function.h>

#include <algorithm>
#include <list>
#include <numeric>
#include <sstream>

#include "common/cudasim/include/cudasim/fail_call.h"
#include "common/cudasim/tests/features/test.h"

namespace {

constexpr int kSizes[] = {0, 1, 2, 3, 7, 255, 256, 257, 1000};

template <class T>
std::vector<T> ToHost(const thrust::device_vector<T>& values) {
  const thrust::host_vector<T> host(values);
  return {host.begin(), host.end()};
}

// x -> scale * x + offset, modulo 2^32: composition is associative and not commutative.
struct Affine {
  unsigned scale;
  unsigned offset;
  bool operator==(const Affine&) const = default;
};

struct Then {
  __host__ __device__ Affine operator()(const Affine& f, const Affine& g) const {
    return {f.scale * g.scale, f.offset * g.scale + g.offset};
  }
};

std::vector<Affine> Affines(int count) {
  std::vector<Affine> values(count);
  for (int i = 0; i < count; ++i) values[i] = {2u * i + 3, 5u * i + 1};
  return values;
}

struct Saxpy {
  float a;
  __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};

__global__ void AddOne(int* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] += 1;
}

TEST(ThrustTest, SortsEveryNumberOfValues) {
  for (const int count : kSizes) {
    std::vector<int> expected = Numbers(count);
    thrust::device_vector<int> values = expected;
    thrust::sort(values.begin(), values.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(ToHost(values), expected) << count;
    thrust::sort(values.begin(), values.end(), thrust::greater<int>());
    std::reverse(expected.begin(), expected.end());
    EXPECT_EQ(ToHost(values), expected) << count;
  }
}

TEST(ThrustTest, SortsByKeyAndKeepsTheOrderOfEqualKeys) {
  for (const int count : kSizes) {
    const std::vector<int> unsorted = Numbers(count, 10);
    thrust::device_vector<int> keys = unsorted;
    thrust::device_vector<int> places(count);
    thrust::sequence(places.begin(), places.end());
    thrust::stable_sort_by_key(keys.begin(), keys.end(), places.begin());
    std::vector<int> expected(count);
    std::iota(expected.begin(), expected.end(), 0);
    std::stable_sort(expected.begin(), expected.end(),
                     [&](int a, int b) { return unsorted[a] < unsorted[b]; });
    EXPECT_EQ(ToHost(places), expected) << count;
    EXPECT_TRUE(std::is_sorted(unsorted.begin(), unsorted.end()) || ToHost(keys) != unsorted);
  }
}

TEST(ThrustTest, ScansFromLeftToRightAlsoInPlace) {
  for (const int count : kSizes) {
    const std::vector<Affine> values = Affines(count);
    std::vector<Affine> inclusive(count);
    std::inclusive_scan(values.begin(), values.end(), inclusive.begin(), Then());
    std::vector<Affine> exclusive(count);
    const Affine init{7, 9};
    std::exclusive_scan(values.begin(), values.end(), exclusive.begin(), init, Then());
    thrust::device_vector<Affine> device = values;
    const auto end = thrust::inclusive_scan(device.begin(), device.end(), device.begin(), Then());
    EXPECT_EQ(end - device.begin(), count);
    EXPECT_EQ(ToHost(device), inclusive) << count;
    device = values;
    thrust::exclusive_scan(device.begin(), device.end(), device.begin(), init, Then());
    EXPECT_EQ(ToHost(device), exclusive) << count;
  }
}

TEST(ThrustTest, ReducesInNoPromisedOrder) {
  const std::vector<Affine> values = Affines(1000);
  const thrust::device_vector<Affine> device = values;
  const Affine init{1, 0};
  const Affine by_order = std::accumulate(values.begin(), values.end(), init, Then());
  const auto first = device.begin(), last = device.end();
  const auto same = [] __host__ __device__(Affine value) { return value; };
  const auto left = [] __host__ __device__(Affine value, Affine) { return value; };
  EXPECT_FALSE(thrust::reduce(first, last, init, Then()) == by_order);
  EXPECT_FALSE(thrust::transform_reduce(first, last, same, init, Then()) == by_order);
  EXPECT_FALSE(thrust::inner_product(first, last, first, init, Then(), left) == by_order);
}

TEST(ThrustTest, ReducesInTheTypeOfTheInitialValue) {
  const thrust::device_vector<int> large(3, 2'000'000'000);
  EXPECT_EQ(thrust::reduce(large.begin(), large.end(), 0LL), 6'000'000'000LL);
  const thrust::device_vector<float> halves(4, 0.5f);
  EXPECT_EQ(thrust::reduce(halves.begin(), halves.end()), 2.0f);
  EXPECT_EQ(thrust::reduce(halves.begin(), halves.end(), -1.0f, thrust::maximum<float>()), 0.5f);
}

TEST(ThrustTest, ReducesRunsOfEqualKeys) {
  const thrust::device_vector<int> keys = std::vector<int>{1, 1, 3, 3, 3, 1};
  thrust::device_vector<int> heads(6);
  thrust::device_vector<int> counts(6);
  const auto [heads_end, counts_end] = thrust::reduce_by_key(
      keys.begin(), keys.end(), thrust::make_constant_iterator(1), heads.begin(), counts.begin());
  EXPECT_EQ(counts_end - counts.begin(), 3);
  heads.erase(heads_end, heads.end());
  counts.erase(counts_end, counts.end());
  EXPECT_EQ(ToHost(heads), (std::vector<int>{1, 3, 1}));
  EXPECT_EQ(ToHost(counts), (std::vector<int>{2, 3, 1}));
}

TEST(ThrustTest, UniqueReturnsTheEndOfTheFirstOfEachRun) {
  for (const int count : kSizes) {
    std::vector<int> expected = Numbers(count, 3);
    thrust::device_vector<int> values = expected;
    const auto end = thrust::unique(values.begin(), values.end());
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    ASSERT_EQ(end - values.begin(), static_cast<int>(expected.size())) << count;
    values.erase(end, values.end());
    EXPECT_EQ(ToHost(values), expected) << count;
  }
}

TEST(ThrustTest, TransformsOneRangeOrTwoInPlace) {
  for (const int count : kSizes) {
    thrust::device_vector<float> x(count, 2.0f);
    thrust::device_vector<float> y(count);
    thrust::sequence(y.begin(), y.end(), 1.0f);
    thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), Saxpy{3});
    thrust::transform(y.begin(), y.end(), y.begin(), thrust::negate<float>());
    std::vector<float> expected(count);
    for (int i = 0; i < count; ++i) expected[i] = -(6.0f + 1.0f + static_cast<float>(i));
    EXPECT_EQ(ToHost(y), expected) << count;
  }
}

TEST(ThrustTest, TakesDeviceLambdasAndRawPointersWithThePolicyOfTheDevice) {
  int* values = nullptr;
  ASSERT_OK(cudaMalloc(&values, 100 * sizeof(int)));
  const int offset = 5;
  thrust::sequence(thrust::device, values, values + 100);
  thrust::for_each(thrust::device, values, values + 100,
                   [=] __device__(int& value) { value = (value + offset) % 10; });
  thrust::sort(thrust::device, values, values + 100);
  int* const end = thrust::unique(thrust::device, values, values + 100);
  EXPECT_EQ(end - values, 10);
  thrust::device_ptr<int> first(values);
  EXPECT_EQ(thrust::reduce(first, first + 10), 45);
  EXPECT_EQ(thrust::raw_pointer_cast(&first[3]), values + 3);
  EXPECT_OK(cudaFree(values));
}

TEST(ThrustTest, CountsFindsExtremaAndMultiplies) {
  const std::vector<int> numbers = Numbers(1000);
  const thrust::device_vector<int> values = numbers;
  EXPECT_EQ(thrust::count(values.begin(), values.end(), numbers[7]),
            std::count(numbers.begin(), numbers.end(), numbers[7]));
  EXPECT_EQ(thrust::count_if(values.begin(), values.end(), [] __device__(int v) { return v < 0; }),
            std::count_if(numbers.begin(), numbers.end(), [](int v) { return v < 0; }));
  EXPECT_EQ(thrust::max_element(values.begin(), values.end()) - values.begin(),
            std::max_element(numbers.begin(), numbers.end()) - numbers.begin());
  EXPECT_EQ(thrust::min_element(values.begin(), values.end()) - values.begin(),
            std::min_element(numbers.begin(), numbers.end()) - numbers.begin());
  EXPECT_EQ(thrust::inner_product(values.begin(), values.end(), values.begin(), 0LL),
            std::inner_product(numbers.begin(), numbers.end(), numbers.begin(), 0LL));
}

TEST(ThrustTest, CombinesIteratorsThatHoldNoMemory) {
  const thrust::counting_iterator<int> first(1);
  EXPECT_EQ(
      thrust::transform_reduce(first, first + 10, thrust::square<int>(), 0, thrust::plus<int>()),
      385);
  const thrust::device_vector<int> values(3, 4);
  const auto squares = thrust::make_transform_iterator(values.begin(), thrust::square<int>());
  EXPECT_EQ(thrust::reduce(squares, squares + 3), 48);
  std::vector<int> copy(3);
  thrust::copy(squares, squares + 3, copy.begin());
  EXPECT_EQ(copy, (std::vector<int>{16, 16, 16}));
  thrust::copy(first, first + 3, copy.begin());
  EXPECT_EQ(copy, (std::vector<int>{1, 2, 3}));
}

template <class T, class Less>
void ExpectSortedBy(std::vector<T> values, Less less) {
  thrust::device_vector<T> device = values;
  thrust::sort(device.begin(), device.end(), less);
  std::stable_sort(values.begin(), values.end(), less);
  EXPECT_EQ(ToHost(device), values);
  EXPECT_TRUE(thrust::is_sorted(device.begin(), device.end(), less));
}

TEST(ThrustTest, SortsNumbersByTheirDigitsAndOthersByComparing) {
  ExpectSortedBy<unsigned char>({200, 3, 255, 0, 3}, thrust::less<unsigned char>());
  ExpectSortedBy<short>({200, -3, 32'767, -32'768, 0}, thrust::greater<short>());
  ExpectSortedBy<double>({1.5, -2e300, 0, 1e-300, -3}, thrust::greater<>());
  ExpectSortedBy<int>({1, -2, 3, -4}, [](int a, int b) { return a * a < b * b; });
  const thrust::device_vector<int> unsorted = std::vector<int>{1, 3, 2};
  EXPECT_FALSE(thrust::is_sorted(unsorted.begin(), unsorted.end()));
}

TEST(ThrustTest, ScansEachRunOfEqualKeys) {
  const thrust::device_vector<int> keys = std::vector<int>{1, 1, 3, 3, 3, 1};
  thrust::device_vector<int> values = std::vector<int>{1, 2, 3, 4, 5, 6};
  thrust::device_vector<int> out(6);
  thrust::inclusive_scan_by_key(keys.begin(), keys.end(), values.begin(), out.begin());
  EXPECT_EQ(ToHost(out), (std::vector<int>{1, 3, 3, 7, 12, 6}));
  thrust::exclusive_scan_by_key(keys.begin(), keys.end(), values.begin(), values.begin(), 10);
  EXPECT_EQ(ToHost(values), (std::vector<int>{10, 11, 10, 13, 17, 10}));
}

TEST(ThrustTest, UniqueByKeyKeepsTheFirstOfEachRun) {
  thrust::device_vector<int> keys = std::vector<int>{1, 1, 3, 3, 3, 1};
  thrust::device_vector<int> values = std::vector<int>{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(thrust::unique_count(keys.begin(), keys.end()), 3);
  const auto ends = thrust::unique_by_key(keys.begin(), keys.end(), values.begin());
  EXPECT_EQ(ends.first - keys.begin(), 3);
  values.erase(ends.second, values.end());
  EXPECT_EQ(ToHost(values), (std::vector<int>{1, 3, 6}));
}

TEST(ThrustTest, ZipsRangesToReadAndToWrite) {
  const thrust::device_vector<int> x = std::vector<int>{1, 2, 3};
  const thrust::device_vector<float> y = std::vector<float>{0.5f, 1.5f, 2.5f};
  const auto pairs = thrust::make_zip_iterator(x.begin(), y.begin());
  const auto product = [] __host__ __device__(const thrust::tuple<int, float>& pair) {
    return static_cast<float>(thrust::get<0>(pair)) * thrust::get<1>(pair);
  };
  EXPECT_EQ(thrust::transform_reduce(pairs, pairs + 3, product, 0.0f, thrust::plus<float>()), 11);
  thrust::device_vector<int> keys = std::vector<int>{3, 1, 2};
  thrust::device_vector<int> a = x;
  thrust::device_vector<float> b = y;
  const auto both = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
  thrust::sort_by_key(keys.begin(), keys.end(), both);
  EXPECT_EQ(ToHost(a), (std::vector<int>{2, 3, 1}));
  EXPECT_EQ(ToHost(b), (std::vector<float>{1.5f, 2.5f, 0.5f}));
  const auto clear = [] __device__(int& first, float& second) { second = first = 0; };
  thrust::for_each(both + 1, both + 3, thrust::make_zip_function(clear));
  EXPECT_EQ(ToHost(b), (std::vector<float>{1.5f, 0, 0}));
}

TEST(ThrustTest, PermutesWhatItReadsAndWrites) {
  const thrust::device_vector<int> values = std::vector<int>{10, 20, 30};
  const thrust::device_vector<int> order = std::vector<int>{2, 0, 1};
  const auto permuted = thrust::make_permutation_iterator(values.begin(), order.begin());
  thrust::device_vector<int> out(3);
  thrust::transform(permuted, permuted + 3, out.begin(), thrust::negate<int>());
  EXPECT_EQ(ToHost(out), (std::vector<int>{-30, -10, -20}));
  thrust::copy(values.begin(), values.end(),
               thrust::make_permutation_iterator(out.begin(), order.begin()));
  EXPECT_EQ(ToHost(out), (std::vector<int>{20, 30, 10}));
  thrust::gather(order.begin(), order.end(), values.begin(), out.begin());
  EXPECT_EQ(ToHost(out), (std::vector<int>{30, 10, 20}));
  thrust::scatter(values.begin(), values.end(), order.begin(), out.begin());
  EXPECT_EQ(ToHost(out), (std::vector<int>{20, 30, 10}));
}

TEST(ThrustTest, DiscardsWhatNobodyNeeds) {
  const thrust::device_vector<int> keys = std::vector<int>{1, 1, 3, 3, 3, 1};
  thrust::device_vector<int> counts(6);
  const auto ends =
      thrust::reduce_by_key(keys.begin(), keys.end(), thrust::make_constant_iterator(1),
                            thrust::make_discard_iterator(), counts.begin());
  EXPECT_EQ(ends.second - counts.begin(), 3);
  EXPECT_EQ(counts[1], 3);
}

TEST(ThrustTest, FindsTheBoundsOfManyValues) {
  const thrust::device_vector<int> sorted = std::vector<int>{1, 3, 3, 7};
  const thrust::counting_iterator<int> first(0);
  thrust::device_vector<int> out(9);
  thrust::lower_bound(sorted.begin(), sorted.end(), first, first + 9, out.begin());
  EXPECT_EQ(ToHost(out), (std::vector<int>{0, 0, 1, 1, 3, 3, 3, 3, 4}));
  thrust::upper_bound(sorted.begin(), sorted.end(), first, first + 9, out.begin());
  EXPECT_EQ(ToHost(out), (std::vector<int>{0, 1, 1, 3, 3, 3, 3, 4, 4}));
}

TEST(ThrustTest, CopiesBetweenHostAndDevice) {
  const std::list<int> list{4, 5, 6};
  thrust::device_vector<int> values(list.begin(), list.end());
  thrust::host_vector<double> converted = values;
  EXPECT_EQ(converted, (std::vector<double>{4, 5, 6}));
  std::ostringstream text;
  thrust::copy(values.begin(), values.end(), std::ostream_iterator<int>(text, " "));
  EXPECT_EQ(text.str(), "4 5 6 ");
  thrust::device_vector<int> kept(3);
  const auto end = thrust::copy_if(values.begin(), values.end(), kept.begin(),
                                   [] __device__(int v) { return v != 5; });
  kept.resize(end - kept.begin());
  EXPECT_EQ(ToHost(kept), (std::vector<int>{4, 6}));
  thrust::copy_n(kept.begin(), 1, values.begin() + 2);
  EXPECT_TRUE(values == (std::vector<int>{4, 5, 4}));
}

TEST(ThrustTest, TheHostReadsAndAssignsSingleValues) {
  thrust::device_vector<int> values(2);
  EXPECT_EQ(values[0] + values[1], 0);
  values[0] = 7;
  values[1] = values[0];
  values[1] += 2;
  values.push_back(values.back());
  EXPECT_EQ(ToHost(values), (std::vector<int>{7, 9, 9}));
  values.resize(4, 1);
  thrust::device_vector<int> other = values;
  other.front() = 0;
  values = std::move(other);
  EXPECT_EQ(ToHost(values), (std::vector<int>{0, 9, 9, 1}));
}

TEST(ThrustTest, RunsOnTheHostForIteratorsOfTheHost) {
  std::vector<int> expected = Numbers(99);
  thrust::host_vector<int> values = expected;
  thrust::sort(values.begin(), values.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(values, expected);
  thrust::sort(thrust::host, expected.data(), expected.data() + 99, thrust::greater<int>());
  EXPECT_EQ(expected.front(), values.back());
  int next = 0;
  thrust::generate(values.begin(), values.end(), [&next] { return next++; });
  EXPECT_EQ(thrust::reduce(values.begin(), values.end()), 98 * 99 / 2);
}

TEST(ThrustTest, FollowsTheWorkOfItsStream) {
  cudaStream_t stream = nullptr;
  ASSERT_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  thrust::device_vector<int> values(100);
  int* const raw = thrust::raw_pointer_cast(values.data());
  AddOne<<<1, 128, 0, stream>>>(raw, 100);
  thrust::inclusive_scan(thrust::cuda::par.on(stream), raw, raw + 100, raw);
  AddOne<<<1, 128, 0, stream>>>(raw, 100);
  thrust::transform(thrust::cuda::par_nosync.on(stream), raw, raw + 100, raw,
                    thrust::negate<int>());
  EXPECT_EQ(thrust::reduce(thrust::device.on(stream), raw, raw + 100), -(50 * 101 + 100));
  EXPECT_OK(cudaStreamDestroy(stream));
}

__global__ void SortInEachThread(int* values, int* sums, int count) {
  int* const first = values + threadIdx.x * count;
  thrust::sort(thrust::seq, first, first + count);
  sums[threadIdx.x] = thrust::reduce(thrust::device, first, first + count);
}

TEST(ThrustTest, RunsInTheCallingThreadOfAKernel) {
  std::vector<int> expected = Numbers(320);
  thrust::device_vector<int> values = expected;
  thrust::device_vector<int> sums(32);
  SortInEachThread<<<1, 32>>>(thrust::raw_pointer_cast(values.data()),
                              thrust::raw_pointer_cast(sums.data()), 10);
  ASSERT_OK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) std::sort(&expected[i * 10], &expected[i * 10] + 10);
  EXPECT_EQ(ToHost(values), expected);
  EXPECT_EQ(sums[31], std::accumulate(&expected[310], &expected[310] + 10, 0));
}

TEST(ThrustTest, ThrowsWhenACallFailsAndLeaksNothing) {
  thrust::device_vector<int> values = Numbers(10);
  const auto work = [&] {
    const thrust::device_vector<int> copy = values;
    thrust::sort(values.begin(), values.end());
    return thrust::reduce(values.begin(), values.end());
  };
  simulatorFailCall(0, 0);
  work();
  const unsigned calls = simulatorCallsMade();
  EXPECT_GE(calls, 9u);
  const auto live = simulatorLiveObjects();
  for (unsigned call = 1; call <= calls; ++call) {
    simulatorFailCall(call, cudaErrorECCUncorrectable);
    try {
      work();
      ADD_FAILURE() << simulatorCallMadeToFail() << " failed without an exception";
    } catch (const thrust::system_error& error) {
      EXPECT_EQ(error.code().value(), cudaErrorECCUncorrectable);
      EXPECT_NE(std::string(error.what()).find("cudaErrorECCUncorrectable"), std::string::npos);
    }
    EXPECT_OK(cudaGetLastError());
    cudaDeviceSynchronize();
    EXPECT_EQ(simulatorLiveObjects(), live) << simulatorCallMadeToFail();
  }
  simulatorFailCall(0, 0);
}

}  // namespace
