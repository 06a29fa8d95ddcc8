// The public test: a few simple cases for each part. The grader tests more; tasks.h says what.

#include "labs/openmp_tasks/tasks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "common/lab/call/sizes.h"
#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "common/lab/testing/show_parallelism.h"

namespace {

const lab::Function<decltype(CountQueens)> count_queens{"CountQueens"};
const lab::Function<decltype(SortNumbers)> sort_numbers{"SortNumbers"};
const lab::Function<decltype(EditDistance)> edit_distance{"EditDistance"};

std::uint64_t WaysOnAnEmptyBoard(std::size_t n) {
  return count_queens(std::vector<std::uint32_t>(n, 0));
}

void ExpectSorted(const std::vector<int>& in) {
  std::vector<int> want = in;
  std::sort(want.begin(), want.end());
  std::vector<int> out = lab::Poisoned<int>(in.size());
  sort_numbers(in, out);
  lab::ExpectAllEqual(out, want);
}

TEST(CountQueensTest, FindsTwoWaysForFourQueens) { EXPECT_EQ(WaysOnAnEmptyBoard(4), 2u); }

TEST(CountQueensTest, FindsNinetyTwoWaysForEightQueens) { EXPECT_EQ(WaysOnAnEmptyBoard(8), 92u); }

TEST(CountQueensTest, CountsTheEmptyBoardAsOneWay) { EXPECT_EQ(WaysOnAnEmptyBoard(0), 1u); }

TEST(CountQueensTest, FindsNoWayForTwoQueens) { EXPECT_EQ(WaysOnAnEmptyBoard(2), 0u); }

TEST(CountQueensTest, PutsNoQueenOnABlockedSquare) {
  // The two ways have their first queen in column 1 or in column 2; column 1 is blocked here.
  EXPECT_EQ(count_queens(std::vector<std::uint32_t>{0b0010, 0, 0, 0}), 1u);
}

TEST(SortNumbersTest, SortsFiveNumbers) { ExpectSorted({3, 1, 4, -1, 5}); }

TEST(SortNumbersTest, SortsNothing) { ExpectSorted({}); }

TEST(SortNumbersTest, SortsManyNumbers) {
  lab::Random random;
  ExpectSorted(random.Ints(100'003, -1'000'000, 1'000'000));
}

TEST(SortNumbersTest, SortsWhatIsSortedAlready) {
  std::vector<int> numbers(100'003);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i);
  ExpectSorted(numbers);
}

TEST(SortNumbersTest, SortsEqualNumbers) { ExpectSorted(std::vector<int>(100'003, 7)); }

TEST(EditDistanceTest, TurnsKittenIntoSitting) {
  for (const std::size_t block : {1, 2, 3, 100}) {
    EXPECT_EQ(edit_distance(std::string_view("kitten"), std::string_view("sitting"), block), 3)
        << "with block = " << block;
  }
}

TEST(EditDistanceTest, InsertsAllOfATextThatStartsEmpty) {
  EXPECT_EQ(edit_distance(std::string_view(), std::string_view("task"), 2), 4);
}

TEST(EditDistanceTest, FindsNoDifferenceInALongText) {
  lab::Random random;
  const std::vector<char> text = random.Vector<char>(1003, 'a', 'd');
  EXPECT_EQ(edit_distance(text, text, 64), 0);
}

TEST(EditDistanceTest, CountsWhatWasReplacedInALongText) {
  const std::string text(1000, 'a');
  std::string other = text;
  for (const std::size_t place : {0, 63, 64, 500, 999}) other[place] = 'b';
  EXPECT_EQ(edit_distance(text, other, 64), 5);
}

// What the grader looks at beside right answers: see "The parts" in README.md.

TEST(CountQueensTest, ShowsHowParallelItIs) {
  lab::ShowParallelism([](int) { WaysOnAnEmptyBoard(lab::Scaled(16) == 16 ? 12 : 8); });
}

TEST(SortNumbersTest, ShowsHowParallelItIs) {
  lab::Random random;
  const std::vector<int> in = random.Ints(lab::Scaled(1 << 20), 0, 1 << 20);
  std::vector<int> out(in.size());
  lab::ShowParallelism([&](int) { sort_numbers(in, out); });
}

TEST(EditDistanceTest, ShowsHowParallelItIs) {
  const std::string text(2000 + lab::Scaled(4000), 'a');
  lab::ShowParallelism([&](int) { EXPECT_EQ(edit_distance(text, text, 256), 0); });
}

}  // namespace
