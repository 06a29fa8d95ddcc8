// The hidden test of CountQueens.

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "common/lab/call/team_size.h"
#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/openmp_callers.h"
#include "common/lab/testing/timed_pairs.h"
#include "labs/openmp_tasks/tasks.h"
#include "solutions/openmp_tasks/hidden_inputs.h"

namespace openmp_tasks {
namespace {

using Rows = std::vector<std::uint32_t>;

const lab::Function<decltype(CountQueens)> count_queens{"CountQueens"};

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

LAB_TEST_OPENMP_CALLERS(CountQueensTest, [](lab::Random& random, const std::string& what) {
  ExpectWays(Board(random, 7, 10), what);
})

TEST(CountQueensTiming, FillsABoardOfThirteenRows) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    Rows blocked(13, 0);
    for (int i = 0; i < 4; ++i) {
      blocked[random.UniformInt(0, 12)] |= 1u << random.UniformInt(0, 12);
    }
    return [blocked, want = ExpectedWays(blocked)] { EXPECT_EQ(count_queens(blocked), want); };
  });
}

}  // namespace
}  // namespace openmp_tasks
