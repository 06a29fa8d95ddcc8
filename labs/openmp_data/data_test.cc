// The public test: a few simple cases for each part. The grader tests more; data.h says what.

#include "labs/openmp_data/data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "common/lab/call/sizes.h"
#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "common/lab/testing/show_parallelism.h"

namespace {

const lab::Function<decltype(MedianFilter)> median_filter{"MedianFilter"};
const lab::Function<decltype(TallyWalks)> tally_walks{"TallyWalks"};
const lab::Function<decltype(UnpackBoth)> unpack_both{"UnpackBoth"};
const lab::Function<decltype(CountKeys)> count_keys{"CountKeys"};
const lab::Function<decltype(FindMatch)> find_match{"FindMatch"};

using Numbers = std::vector<std::uint64_t>;

void ExpectMedians(const std::vector<float>& in, const std::vector<float>& medians,
                   const std::vector<float>& window) {
  std::vector<float> out = lab::Poisoned<float>(medians.size());
  const Window last = median_filter(in, out);
  lab::ExpectAllEqual(out, medians);
  EXPECT_EQ(std::vector<float>(last.sorted, last.sorted + kWindow), window) << "the last window";
}

// Of an ascending ramp, each median is in the middle.
void ExpectRamp(std::size_t n) {
  std::vector<float> in(n + kWindow - 1);
  std::vector<float> medians(n);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
  for (std::size_t i = 0; i < n; ++i) medians[i] = static_cast<float>(i + 4);
  ExpectMedians(in, medians, {in.end() - kWindow, in.end()});
}

TEST(MedianFilterTest, FindsTheMiddleOfOneWindow) {
  ExpectMedians({9, 1, 8, 2, 7, 3, 6, 4, 5}, {5}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
}

TEST(MedianFilterTest, FindsTheMiddleOfNegativeNumbers) {
  ExpectMedians({-9, -1, -8, -2, -7, -3, -6, -4, -5, -1}, {-5, -4},
                {-8, -7, -6, -5, -4, -3, -2, -1, -1});
}

TEST(MedianFilterTest, FiltersARamp) { ExpectRamp(10'001); }

Numbers Counted(const std::vector<WalkOrder>& walks, const Numbers& weights, const Numbers& want) {
  Numbers scores = lab::Poisoned<std::uint64_t>(walks.size());
  Numbers counts = lab::Poisoned<std::uint64_t>(kBins);
  tally_walks(walks, weights, scores, counts);
  lab::ExpectAllEqual(scores, want);
  return counts;
}

std::uint64_t SumOf(const Numbers& numbers) {
  std::uint64_t sum = 0;
  for (const std::uint64_t number : numbers) sum += number;
  return sum;
}

TEST(TallyWalksTest, CountsTheStepsOfAWalk) {
  EXPECT_EQ(SumOf(Counted({{1, 100}}, Numbers(kBins, 2), {200})), 100);
}

TEST(TallyWalksTest, BeginsAnewInEveryCall) {
  const std::vector<WalkOrder> walks(40, {7, 10});
  for (std::uint64_t weight = 1; weight < 5; ++weight) {
    EXPECT_EQ(SumOf(Counted(walks, Numbers(kBins, weight), Numbers(40, 10 * weight))), 400);
  }
}

void ExpectUnpacked(const Numbers& packed_sound, const Numbers& packed_picture) {
  Numbers sound = lab::Poisoned<std::uint64_t>(packed_sound.size());
  Numbers picture = lab::Poisoned<std::uint64_t>(packed_picture.size());
  unpack_both(packed_sound, packed_picture, sound, picture);
  std::uint64_t sample = 0;
  for (std::size_t i = 0; i < sound.size(); ++i) {
    sample = NextSample(sample, packed_sound[i]);
    ASSERT_EQ(sound[i], FilterSample(sample)) << "sound[" << i << "]";
  }
  std::uint64_t pixel = 0;
  for (std::size_t i = 0; i < picture.size(); ++i) {
    pixel = NextPixel(pixel, packed_picture[i]);
    ASSERT_EQ(picture[i], FilterPixel(pixel)) << "picture[" << i << "]";
  }
}

TEST(UnpackBothTest, UnpacksAFewNumbers) { ExpectUnpacked({1, 2, 3}, {4, 5, 6, 7}); }

TEST(UnpackBothTest, UnpacksSoundWithoutAPicture) { ExpectUnpacked({1, 2, 3}, {}); }

// The chain of a bucket, by key.
std::map<std::uint64_t, std::uint32_t> Chain(const std::vector<Entry>& entries,
                                             std::uint32_t place) {
  std::map<std::uint64_t, std::uint32_t> counts;
  std::size_t steps = 0;
  for (; place < entries.size() && steps <= entries.size(); ++steps) {
    counts[entries[place].key] += entries[place].count;
    place = entries[place].next;
  }
  EXPECT_EQ(place, kNoEntry) << "the end of a chain";
  EXPECT_EQ(counts.size(), steps) << "entries in a chain of so many keys";
  return counts;
}

void ExpectCounted(const Numbers& keys, std::size_t buckets) {
  std::vector<std::map<std::uint64_t, std::uint32_t>> want(buckets);
  std::size_t different = 0;
  for (const std::uint64_t key : keys) {
    different += want[BucketOf(key, buckets)][key]++ == 0;
  }
  std::vector<std::uint32_t> heads = lab::Poisoned<std::uint32_t>(buckets);
  std::vector<Entry> entries(keys.size(), Entry{0, 0, 0});
  ASSERT_EQ(count_keys(keys, heads, entries), different);
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    ASSERT_EQ(Chain(entries, heads[bucket]), want[bucket]) << "bucket " << bucket;
  }
}

TEST(CountKeysTest, CountsEqualKeys) { ExpectCounted({5, 5, 5, 5}, 4); }

TEST(CountKeysTest, ChainsTheKeysOfOneBucket) { ExpectCounted({1, 2, 3, 2, 1, 2}, 1); }

TEST(CountKeysTest, CountsManyKeys) {
  lab::Random random;
  ExpectCounted(random.Vector<std::uint64_t>(20'000, 0, 500), 64);
}

TEST(FindMatchTest, FindsTheOnlyMatch) {
  Numbers candidates(1000);
  for (std::size_t i = 0; i < candidates.size(); ++i) candidates[i] = i;
  EXPECT_EQ(find_match(candidates, Mix(700, 5), 5), 700);
}

TEST(FindMatchTest, GivesTheSizeWhereNothingMatches) {
  EXPECT_EQ(find_match(Numbers(1000, 1), Mix(2, 5), 5), 1000);
}

// What the grader looks at beside right answers: see "The parts" in README.md.

TEST(MedianFilterTest, ShowsHowParallelItIs) {
  const std::size_t n = lab::Scaled(1 << 20);
  lab::ShowParallelism([&](int) { ExpectRamp(n); });
}

TEST(TallyWalksTest, ShowsHowParallelItIs) {
  const std::vector<WalkOrder> walks(lab::Scaled(1 << 10), {1, 10'000});
  const Numbers scores(walks.size(), 10'000);
  lab::ShowParallelism([&](int) { Counted(walks, Numbers(kBins, 1), scores); });
}

TEST(UnpackBothTest, ShowsHowParallelItIs) {
  const Numbers packed(lab::Scaled(1 << 17), 1);
  lab::ShowParallelism([&](int) { ExpectUnpacked(packed, packed); });
}

TEST(CountKeysTest, ShowsHowParallelItIs) {
  lab::Random random;
  const Numbers keys = random.Vector<std::uint64_t>(lab::Scaled(1 << 19), 0, 4095);
  lab::ShowParallelism([&](int) { ExpectCounted(keys, 128); });
}

TEST(FindMatchTest, ShowsHowParallelItIs) {
  const Numbers candidates(lab::Scaled(1 << 17), 1);
  lab::ShowParallelism(
      [&](int) { EXPECT_EQ(find_match(candidates, Mix(2, 300), 300), candidates.size()); });
}

}  // namespace
