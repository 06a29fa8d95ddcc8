// The hidden test of SortNumbers.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "common/lab/call/sizes.h"
#include "common/lab/call/team_size.h"
#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/openmp_callers.h"
#include "common/lab/testing/poison.h"
#include "common/lab/testing/timed_pairs.h"
#include "labs/openmp_tasks/tasks.h"
#include "solutions/openmp_tasks/hidden_inputs.h"

namespace openmp_tasks {
namespace {

const lab::Function<decltype(SortNumbers)> sort_numbers{"SortNumbers"};

Ints Sorted(Ints numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

// Fatal, so that a loop over many inputs stops at the first that fails.
void ExpectSorted(const Ints& in, const std::string& what) {
  Ints out = lab::Poisoned<int>(in.size());
  sort_numbers(in, out);
  ASSERT_TRUE(lab::ExpectAllEqual(out, Sorted(in))) << what << ", n = " << in.size();
}

Ints AnyNumbers(lab::Random& random, std::size_t n) {
  return random.Ints(n, std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
}

// Numbers of which a quick sort with the median of the first, the middle and the last one as pivot
// splits off two at a time. Source: Musser, "Introspective sorting and selection algorithms",
// Software: Practice and Experience 27 (1997).
Ints MedianOfThreeKiller(std::size_t n) {
  const int half = static_cast<int>(n / 2);
  Ints numbers = Ascending(n);
  for (int i = 1; i <= half; ++i) {
    numbers[i - 1] = i % 2 == 1 ? i : half + i - 1;
    numbers[half + i - 1] = 2 * i;
  }
  return numbers;
}

TEST(SortNumbersTest, SortsTheSameWithTeamsOfEverySize) {
  lab::Random random;
  const Ints in = AnyNumbers(random, 50'000);
  std::vector<Ints> outs(kMaxThreads, lab::Poisoned<int>(in.size()));
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    const lab::TeamSize team(threads);
    sort_numbers(in, outs[threads - 1]);
  }
  for (const Ints& out : outs) ASSERT_TRUE(lab::ExpectAllEqual(out, Sorted(in)));
}

TEST(SortNumbersTest, SortsEverySizeAtShareCacheLineAndPageEdges) {
  lab::Random random;
  std::vector<std::size_t> sizes = lab::EdgeSizes(16);
  for (std::size_t n = 0; n <= 2 * kMaxThreads + 1; ++n) sizes.push_back(n);
  for (const std::size_t n : {1 << 10, 1 << 11, 1 << 12, 1 << 13, 10'000}) {
    sizes.insert(sizes.end(), {n - 1, n, n + 1});
  }
  for (const std::size_t n : sizes) {
    ASSERT_NO_FATAL_FAILURE(ExpectSorted(AnyNumbers(random, n), "any numbers"));
    ASSERT_NO_FATAL_FAILURE(ExpectSorted(random.Ints(n, -2, 2), "five different numbers"));
  }
}

TEST(SortNumbersTest, SortsTheSmallestAndLargestIntegers) {
  constexpr int kLow = std::numeric_limits<int>::min();
  constexpr int kHigh = std::numeric_limits<int>::max();
  ExpectSorted({kHigh, kLow}, "both ends");
  ExpectSorted({0, kHigh, -1, kLow, 1, kHigh, kLow}, "ends and zero");
  lab::Random random;
  Ints numbers(20'000);
  for (int& number : numbers) number = random.UniformInt(0, 1) == 0 ? kLow : kHigh;
  ExpectSorted(numbers, "nothing but ends");
}

TEST(SortNumbersTest, NestsFewCallsWhenNumbersAreSorted) {
  Ints numbers = Ascending(20'000);
  ASSERT_NO_FATAL_FAILURE(ExpectSorted(numbers, "sorted"));
  std::reverse(numbers.begin(), numbers.end());
  ASSERT_NO_FATAL_FAILURE(ExpectSorted(numbers, "reversed"));
}

TEST(SortNumbersTest, StaysFastWhateverTheOrderIs) {
  const std::size_t n = lab::Scaled(1 << 18);
  Ints numbers = Ascending(n);
  ASSERT_NO_FATAL_FAILURE(ExpectSorted(numbers, "sorted"));
  numbers.back() = -1;
  ASSERT_NO_FATAL_FAILURE(ExpectSorted(numbers, "sorted but for the last one"));
  std::reverse(numbers.begin(), numbers.end());
  ASSERT_NO_FATAL_FAILURE(ExpectSorted(numbers, "reversed"));
  for (std::size_t i = 0; i < n; ++i) numbers[i] = static_cast<int>(std::min(i, n - i));
  ASSERT_NO_FATAL_FAILURE(ExpectSorted(numbers, "organ pipe"));
  for (std::size_t i = 0; i < n; ++i) numbers[i] = static_cast<int>(i % 1000);
  ASSERT_NO_FATAL_FAILURE(ExpectSorted(numbers, "saw teeth"));
  ASSERT_NO_FATAL_FAILURE(ExpectSorted(MedianOfThreeKiller(n), "killer of median of three"));
}

TEST(SortNumbersTest, StaysFastWhenNumbersAreEqual) {
  lab::Random random;
  const std::size_t n = lab::Scaled(1 << 18);
  ASSERT_NO_FATAL_FAILURE(ExpectSorted(Ints(n, 7), "all equal"));
  ASSERT_NO_FATAL_FAILURE(ExpectSorted(random.Ints(n, 0, 1), "two different numbers"));
  Ints numbers(n, 7);
  numbers[n / 2] = 6;
  ASSERT_NO_FATAL_FAILURE(ExpectSorted(numbers, "all equal but one"));
}

TEST(SortNumbersTest, SortsManyInputsOneAfterTheOther) {
  lab::Random random;
  for (int call = 0; call < 100; ++call) {
    const Ints numbers = AnyNumbers(random, random.UniformInt(0, 3000));
    ASSERT_NO_FATAL_FAILURE(ExpectSorted(numbers, "call " + std::to_string(call)));
  }
}

LAB_TEST_OPENMP_CALLERS(SortNumbersTest, [](lab::Random& random, const std::string& what) {
  ExpectSorted(AnyNumbers(random, 3000), what);
})

TEST(SortNumbersTest, SortsALargeInput) {
  lab::Random random;
  ExpectSorted(AnyNumbers(random, lab::Scaled(1 << 20) + 3), "any numbers");
}

// Pieces of different sizes, in turn random, equal and ascending.
Ints Irregular(lab::Random& random, std::size_t n) {
  Ints numbers(n);
  for (std::size_t begin = 0, kind = 0; begin < n; ++kind) {
    const std::size_t size = std::min(n - begin, random.UniformInt<std::size_t>(1, n / 8));
    const int first = static_cast<int>(random.Next() >> 40);
    for (std::size_t i = begin; i < begin + size; ++i) {
      const int step = static_cast<int>(i - begin);
      numbers[i] = kind % 3 == 1 ? first : kind % 3 == 2 ? first + step : random.Next() >> 33;
    }
    begin += size;
  }
  return numbers;
}

TEST(SortNumbersTiming, SortsAMillionNumbersOfIrregularOrder) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    const auto in = std::make_shared<Ints>(Irregular(random, lab::Scaled(1 << 20)));
    const auto want = std::make_shared<Ints>(Sorted(*in));
    return [in, want] {
      Ints out = lab::Poisoned<int>(in->size());
      sort_numbers(*in, out);
      lab::ExpectAllEqual(out, *want);
    };
  });
}

}  // namespace
}  // namespace openmp_tasks
