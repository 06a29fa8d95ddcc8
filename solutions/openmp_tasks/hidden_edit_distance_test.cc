// The hidden test of EditDistance.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/lab/call/sizes.h"
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

using Text = std::vector<char>;

const lab::Function<decltype(EditDistance)> edit_distance{"EditDistance"};

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

LAB_TEST_OPENMP_CALLERS(EditDistanceTest, [](lab::Random& random, const std::string& what) {
  const Text a = Letters(random, 100, 2);
  ExpectDistance(a, Letters(random, 90, 2), 20, what);
})

TEST(EditDistanceTest, ComparesLongTexts) {
  lab::Random random;
  const Text a = Letters(random, 400 + lab::Scaled(500), 4);
  const Text b = Letters(random, 300 + lab::Scaled(500), 4);
  ExpectDistance(a, b, 64, "four letters");
  ExpectDistance(b, a, 30, "four letters");
}

TEST(EditDistanceTiming, ComparesTwoTextsOfSixThousandLetters) {
  lab::RunTimedPairs([](lab::Random& random) -> std::function<void()> {
    const auto a = std::make_shared<Text>(Letters(random, lab::Scaled(6000), 4));
    const auto b = std::make_shared<Text>(Letters(random, lab::Scaled(6000), 4));
    return [a, b, want = ExpectedDistance(*a, *b)] { EXPECT_EQ(edit_distance(*a, *b, 256), want); };
  });
}

}  // namespace
}  // namespace openmp_tasks
