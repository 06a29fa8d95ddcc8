// The hidden test of the lab "Tasks with OpenMP".

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "common/lab/comparisons.h"
#include "common/lab/function.h"
#include "common/lab/inputs.h"
#include "common/lab/poison.h"
#include "common/lab/sizes.h"
#include "common/lab/team_size.h"
#include "common/lab/timed_pairs.h"
#include "labs/openmp_tasks/tasks.h"

namespace {

using Rows = std::vector<std::uint32_t>;
using Ints = std::vector<int>;
using Text = std::vector<char>;

constexpr int kMaxThreads = 8;

// The first test of each suite makes all its calls before it looks at an answer: the first one that
// is wrong would end the suite, and what the race checker sees of it may take several calls.

const lab::Function<decltype(CountQueens)> count_queens{"CountQueens"};
const lab::Function<decltype(SortNumbers)> sort_numbers{"SortNumbers"};
const lab::Function<decltype(EditDistance)> edit_distance{"EditDistance"};

// The ways to fill the rows from `row` on, where the bits say which columns are attacked.
std::uint64_t Ways(std::span<const std::uint32_t> blocked, std::size_t row, std::uint32_t columns,
                   std::uint32_t left, std::uint32_t right) {
  if (row == blocked.size()) return 1;
  const std::uint32_t all = (1u << blocked.size()) - 1;
  std::uint64_t ways = 0;
  for (std::uint32_t free = all & ~(columns | left | right | blocked[row]); free != 0;
       free &= free - 1) {
    const std::uint32_t queen = free & -free;
    ways += Ways(blocked, row + 1, columns | queen, (left | queen) << 1, (right | queen) >> 1);
  }
  return ways;
}

std::uint64_t ExpectedWays(const Rows& blocked) { return Ways(blocked, 0, 0, 0, 0); }

// A board of n rows in which every square is blocked with a chance of percent / 100.
Rows Board(lab::Random& random, std::size_t n, int percent) {
  Rows blocked(n);
  for (std::uint32_t& row : blocked) {
    for (std::size_t column = 0; column < n; ++column) {
      if (random.UniformInt(0, 99) < percent) row |= 1u << column;
    }
  }
  return blocked;
}

// Fatal, so that a loop over many boards stops at the first that fails.
void ExpectWays(const Rows& blocked, const std::string& what) {
  ASSERT_EQ(count_queens(blocked), ExpectedWays(blocked)) << what << ", n = " << blocked.size();
}

constexpr std::array<std::uint64_t, 12> kEmptyBoards{1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680};

TEST(CountQueensTest, CountsTheSameWithTeamsOfEverySize) {
  lab::Random random;
  const Rows blocked = Board(random, 11, 3);
  const std::uint64_t want = ExpectedWays(blocked);
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    const lab::TeamSize team(threads);
    ASSERT_EQ(count_queens(blocked), want) << "n = 11, a team of " << threads;
  }
}

TEST(CountQueensTest, CountsTheWaysOnEmptyBoards) {
  for (std::size_t n = 0; n < kEmptyBoards.size(); ++n) {
    ASSERT_EQ(count_queens(Rows(n, 0)), kEmptyBoards[n]) << "n = " << n;
  }
}

TEST(CountQueensTest, PutsNoQueenOnBlockedSquares) {
  lab::Random random;
  for (const int percent : {0, 1, 5, 10, 30, 60}) {
    const std::string what = std::to_string(percent) + " % blocked";
    for (std::size_t n = 0; n <= 9; ++n) {
      ASSERT_NO_FATAL_FAILURE(ExpectWays(Board(random, n, percent), what));
    }
  }
}

TEST(CountQueensTest, FindsTheSquaresThatAloneAreLeft) {
  // One of the ways of six queens, with nothing but its squares free, and then one of them blocked.
  Rows blocked{~0b000010u, ~0b001000u, ~0b100000u, ~0b000001u, ~0b000100u, ~0b010000u};
  EXPECT_EQ(count_queens(blocked), 1u);
  blocked[5] = ~0u;
  EXPECT_EQ(count_queens(blocked), 0u);
  EXPECT_EQ(count_queens(Rows{1}), 0u);
  EXPECT_EQ(count_queens(Rows{0, ~0u, 0, 0}), 0u);
  EXPECT_EQ(count_queens(Rows{~0u, 0, 0, 0}), 0u);
}

TEST(CountQueensTest, IgnoresBitsBeyondTheBoard) {
  for (std::size_t n = 1; n <= 8; ++n) {
    ASSERT_EQ(count_queens(Rows(n, ~0u << n)), kEmptyBoards[n]) << "n = " << n;
  }
}

TEST(CountQueensTest, FillsTheLargestBoards) {
  lab::Random random;
  for (std::size_t n = 12; n <= kMaxQueens; ++n) {
    ASSERT_NO_FATAL_FAILURE(ExpectWays(Board(random, n, 60), "60 % blocked"));
  }
}

TEST(CountQueensTest, KeepsNothingFromOneCallToTheNext) {
  lab::Random random;
  for (int call = 0; call < 100; ++call) {
    const Rows blocked = Board(random, random.UniformInt(0, 7), 10);
    ASSERT_NO_FATAL_FAILURE(ExpectWays(blocked, "call " + std::to_string(call)));
  }
}

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

Ints Ascending(std::size_t n) {
  Ints numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
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

TEST(SortNumbersTest, SortsALargeInput) {
  lab::Random random;
  ExpectSorted(AnyNumbers(random, lab::Scaled(1 << 20) + 3), "any numbers");
}

int ExpectedDistance(std::span<const char> a, std::span<const char> b) {
  Ints row = Ascending(b.size() + 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    int diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const int replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

// Fatal, so that a loop over many texts stops at the first that fails.
void ExpectDistance(std::span<const char> a, std::span<const char> b, std::size_t block,
                    const std::string& what) {
  ASSERT_EQ(edit_distance(a, b, block), ExpectedDistance(a, b))
      << what << ", n = " << a.size() << ", m = " << b.size() << ", block = " << block;
}

// A text of the first `letters` letters.
Text Letters(lab::Random& random, std::size_t n, int letters) {
  return random.Vector<char>(n, 'a', static_cast<char>('a' + letters - 1));
}

TEST(EditDistanceTest, FindsTheSameWithTeamsOfEverySize) {
  lab::Random random;
  const Text a = Letters(random, 401, 4);
  const Text b = Letters(random, 359, 4);
  Ints distances;
  for (int threads = 1; threads <= kMaxThreads; ++threads) {
    const lab::TeamSize team(threads);
    for (const std::size_t block : {13, 32, 300}) distances.push_back(edit_distance(a, b, block));
  }
  lab::ExpectAllEqual(distances, Ints(distances.size(), ExpectedDistance(a, b)));
}

TEST(EditDistanceTest, FillsEveryCellOnceAtBlockEdges) {
  lab::Random random;
  for (const std::size_t n : {0, 1, 2, 7, 8, 9, 17, 33}) {
    for (const std::size_t m : {0, 1, 2, 7, 8, 9, 16, 31}) {
      const Text a = Letters(random, n, 3);
      const Text b = Letters(random, m, 3);
      for (const std::size_t block : {1, 2, 7, 8, 16, 64}) {
        ASSERT_NO_FATAL_FAILURE(ExpectDistance(a, b, block, "three letters"));
      }
    }
  }
}

TEST(EditDistanceTest, TakesBlocksThatAreLargerThanTheTable) {
  lab::Random random;
  const Text a = Letters(random, 20, 2);
  const Text b = Letters(random, 30, 2);
  for (const std::size_t block : {20, 21, 29, 30, 31, 1'000'000, std::numeric_limits<int>::max()}) {
    ASSERT_NO_FATAL_FAILURE(ExpectDistance(a, b, block, "two letters"));
  }
}

TEST(EditDistanceTest, KnowsTextsThatAreEqualShiftedReversedOrDisjoint) {
  lab::Random random;
  const Text text = Letters(random, 200, 2);
  const std::span<const char> whole(text);
  for (const std::size_t block : {16, 50, 64}) {
    ASSERT_NO_FATAL_FAILURE(ExpectDistance(whole, whole, block, "equal"));
    ASSERT_NO_FATAL_FAILURE(ExpectDistance(whole.first(150), whole, block, "beginning"));
    ASSERT_NO_FATAL_FAILURE(ExpectDistance(whole, whole.last(120), block, "end"));
    ASSERT_NO_FATAL_FAILURE(ExpectDistance(whole.subspan(1), whole.first(199), block, "shifted"));
    const Text reversed(text.rbegin(), text.rend());
    ASSERT_NO_FATAL_FAILURE(ExpectDistance(whole, reversed, block, "reversed"));
    ASSERT_NO_FATAL_FAILURE(ExpectDistance(whole, Text(170, 'z'), block, "disjoint"));
  }
}

TEST(EditDistanceTest, ComparesAnyBytes) {
  lab::Random random;
  constexpr char kLow = std::numeric_limits<char>::min();
  constexpr char kHigh = std::numeric_limits<char>::max();
  for (int round = 0; round < 10; ++round) {
    const Text a = random.Vector<char>(100, kLow, kHigh);
    Text b = a;
    for (int change = 0; change < 20; ++change) {
      b[random.UniformInt(0, 99)] = random.Uniform<char>(kLow, kHigh);
    }
    ASSERT_NO_FATAL_FAILURE(ExpectDistance(a, b, 33, "any bytes"));
  }
}

TEST(EditDistanceTest, ComparesManyTextsOneAfterTheOther) {
  lab::Random random;
  for (int call = 0; call < 100; ++call) {
    const Text a = Letters(random, random.UniformInt(0, 100), 2);
    const Text b = Letters(random, random.UniformInt(0, 100), 2);
    const std::size_t block = random.UniformInt(1, 40);
    ASSERT_NO_FATAL_FAILURE(ExpectDistance(a, b, block, "call " + std::to_string(call)));
  }
}

TEST(EditDistanceTest, ComparesLongTexts) {
  lab::Random random;
  const Text a = Letters(random, 400 + lab::Scaled(500), 4);
  const Text b = Letters(random, 300 + lab::Scaled(500), 4);
  ExpectDistance(a, b, 64, "four letters");
  ExpectDistance(b, a, 30, "four letters");
}

TEST(CountQueensTiming, FillsABoardOfThirteenRows) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    Rows blocked(13, 0);
    for (int i = 0; i < 4; ++i) {
      blocked[random.UniformInt(0, 12)] |= 1u << random.UniformInt(0, 12);
    }
    return [blocked, want = ExpectedWays(blocked)] { EXPECT_EQ(count_queens(blocked), want); };
  });
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
    const auto in = std::make_shared<Ints>(Irregular(random, 1 << 20));
    const auto want = std::make_shared<Ints>(Sorted(*in));
    return [in, want] {
      Ints out = lab::Poisoned<int>(in->size());
      sort_numbers(*in, out);
      lab::ExpectAllEqual(out, *want);
    };
  });
}

TEST(EditDistanceTiming, ComparesTwoTextsOfThreeThousandLetters) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    const auto a = std::make_shared<Text>(Letters(random, 3000, 4));
    const auto b = std::make_shared<Text>(Letters(random, 3000, 4));
    return [a, b, want = ExpectedDistance(*a, *b)] { EXPECT_EQ(edit_distance(*a, *b, 128), want); };
  });
}

}  // namespace
