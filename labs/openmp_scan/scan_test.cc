// The public test: a few simple cases for each part. The grader tests more; scan.h says what.

#include "labs/openmp_scan/scan.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "common/lab/call/sizes.h"
#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "common/lab/testing/show_parallelism.h"

namespace {

using Floats = std::vector<float>;

const lab::Function<decltype(InclusiveScan)> inclusive_scan{"InclusiveScan"};
const lab::Function<decltype(ExclusiveScan)> exclusive_scan{"ExclusiveScan"};
const lab::Function<decltype(Pack)> pack{"Pack"};

void ExpectSums(const std::vector<std::int32_t>& values, const std::vector<std::int64_t>& want) {
  auto sums = lab::Poisoned<std::int64_t>(values.size());
  inclusive_scan(values, sums);
  lab::ExpectAllEqual(sums, want);
}

void ExpectStarts(const std::vector<std::uint32_t>& counts,
                  const std::vector<std::uint64_t>& want) {
  auto starts = lab::Poisoned<std::uint64_t>(counts.size());
  exclusive_scan(counts, starts);
  lab::ExpectAllEqual(starts, want);
}

// `want` is all of the room, which is full of 99 before.
void ExpectPacked(const Floats& values, float limit, std::size_t count, const Floats& want) {
  Floats room(values.size(), 99);
  EXPECT_EQ(pack(values, limit, room), count);
  lab::ExpectAllEqual(room, want);
}

TEST(InclusiveScanTest, ScansTheHandoutsNumbers) {
  ExpectSums({3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, {3, 4, 8, 9, 14, 23, 25, 31, 36, 39, 44, 52});
}

TEST(InclusiveScanTest, ScansNoValuesOneAndTwo) {
  ExpectSums({}, {});
  ExpectSums({-7}, {-7});
  ExpectSums({-7, 8}, {-7, 1});
}

TEST(InclusiveScanTest, AddsIn64Bits) {
  ExpectSums({2'000'000'000, 2'000'000'000, -1}, {2'000'000'000, 4'000'000'000, 3'999'999'999});
}

TEST(InclusiveScanTest, ScansManyValues) {
  lab::Random random;
  const std::vector<std::int32_t> values = random.Ints(100'003, -1'000'000, 1'000'000);
  std::vector<std::int64_t> want;
  std::int64_t sum = 0;
  for (const std::int32_t value : values) want.push_back(sum += value);
  ExpectSums(values, want);
}

TEST(ExclusiveScanTest, ScansTheHandoutsNumbers) {
  ExpectStarts({3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, {0, 3, 4, 8, 9, 14, 23, 25, 31, 36, 39, 44});
}

TEST(ExclusiveScanTest, ScansNoCountsOneAndTwo) {
  ExpectStarts({}, {});
  ExpectStarts({7}, {0});
  ExpectStarts({7, 8}, {0, 7});
}

TEST(ExclusiveScanTest, LetsAGroupAfterAnEmptyOneStartAtTheSamePlace) {
  ExpectStarts({2, 0, 0, 3, 1}, {0, 2, 2, 2, 5});
}

TEST(ExclusiveScanTest, ScansManyCounts) {
  lab::Random random;
  const auto counts = random.Vector<std::uint32_t>(100'003, 0, 1'000'000);
  std::vector<std::uint64_t> want;
  std::uint64_t sum = 0;
  for (const std::uint32_t count : counts) {
    want.push_back(sum);
    sum += count;
  }
  ExpectStarts(counts, want);
}

TEST(PackTest, KeepsWhatIsAboveTheLimitInOrder) {
  ExpectPacked({5, -2, 7, 1, 6, 0, 8, 3}, 4, 4, {5, 7, 6, 8, 99, 99, 99, 99});
}

TEST(PackTest, KeepsAllOrNothing) {
  ExpectPacked({3, 1, 2}, 0, 3, {3, 1, 2});
  ExpectPacked({3, 1, 2}, 3, 0, {99, 99, 99});
  ExpectPacked({}, 0, 0, {});
}

TEST(PackTest, DropsNotANumber) {
  ExpectPacked({1, std::numeric_limits<float>::quiet_NaN(), 2}, -1, 2, {1, 2, 99});
}

TEST(PackTest, PacksManyValues) {
  lab::Random random;
  const Floats values = random.Floats(100'003, -1, 1);
  Floats want(values.size(), 99);
  std::size_t count = 0;
  for (const float value : values) {
    if (value > 0.25f) want[count++] = value;
  }
  ExpectPacked(values, 0.25f, count, want);
}

// What the grader looks at beside right answers: see "The parts" in README.md.

TEST(InclusiveScanTest, ShowsHowParallelItIs) {
  const std::vector<std::int32_t> ones(lab::Scaled(1 << 23), 1);
  std::vector<std::int64_t> sums(ones.size());
  lab::ShowParallelism([&](int) { inclusive_scan(ones, sums); });
}

TEST(ExclusiveScanTest, ShowsHowParallelItIs) {
  const std::vector<std::uint32_t> ones(lab::Scaled(1 << 23), 1);
  std::vector<std::uint64_t> starts(ones.size());
  lab::ShowParallelism([&](int) { exclusive_scan(ones, starts); });
}

TEST(PackTest, ShowsHowParallelItIs) {
  lab::Random random;
  const Floats values = random.Floats(lab::Scaled(1 << 22), 0, 1);
  Floats room(values.size());
  lab::ShowParallelism([&](int) { pack(values, 0.9f, room); });
}

}  // namespace
