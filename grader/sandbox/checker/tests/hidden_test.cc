#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

#include "common/lab/call/callers.h"
#include "common/lab/call/team_size.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"
#include "common/lab/testing/poison.h"
#include "common/lab/testing/timed_pairs.h"
#include "grader/sandbox/checker/tests/roots.h"

namespace {

const lab::Function<decltype(Roots)> roots{"Roots"};
const lab::Function<decltype(TeamRoots)> team_roots{"TeamRoots"};
const lab::Function<decltype(Total)> total{"Total"};

void ExpectRoots(const std::vector<float>& values, const std::vector<float>& got) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float want = std::sqrt(values[i]);
    ASSERT_TRUE(std::abs(got[i] - want) <= 1e-5F * want)
        << "element " << i << " of " << values.size() << ": expected " << want << ", got "
        << got[i];
  }
}

void CheckRoots(std::size_t size) {
  lab::Random random;
  const std::vector<float> values = random.Floats(size, 1, 100);
  std::vector<float> got = lab::Poisoned<float>(size);
  roots(values, got);
  ExpectRoots(values, got);
}

void CheckTeamRoots() {
  lab::Random random;
  const std::vector<float> values = random.Floats(100, 1, 100);
  std::vector<float> got = lab::Poisoned<float>(values.size());
  team_roots(values, got, 2);
  ExpectRoots(values, got);
}

TEST(RootsTest, HandlesNoValues) { CheckRoots(0); }
TEST(RootsTest, HandlesOneValue) { CheckRoots(1); }
TEST(RootsTest, HandlesMoreThanAPage) { CheckRoots(5000); }
TEST(RootsTest, HandlesMoreThanAPageAgain) { CheckRoots(5000); }

TEST(TeamTest, ServesOneCaller) { CheckTeamRoots(); }

TEST(TeamTest, ServesTwoCallersAtOnce) {
  const lab::Callers two(2);
  CheckTeamRoots();
}

TEST(TotalTest, AddsToTheBase) { EXPECT_EQ(total(std::vector<double>{1, 2, 3.5}, 10), 16.5); }
TEST(TotalTest, OfNothingIsTheBase) { EXPECT_EQ(total(std::vector<double>{}, -3), -3); }

TEST(RootsTiming, TakesTheRootsOfManyValues) {
  lab::RunTimedPairs([](lab::Random& random) {
    constexpr std::size_t kSize = 1 << 17;
    auto values = std::make_shared<std::vector<float>>(random.Floats(kSize, 1, 100));
    return [values] {
      std::vector<float> got = lab::Poisoned<float>(values->size());
      roots(*values, got);
      ExpectRoots(*values, got);
    };
  });
}

TEST(TeamTiming, TakesTheRootsOfManyValues) {
  lab::RunTimedPairs([](lab::Random& random) {
    auto values = std::make_shared<std::vector<float>>(random.Floats(1 << 21, 1, 100));
    return [values] {
      std::vector<float> got = lab::Poisoned<float>(values->size());
      team_roots(*values, got, std::max(1, lab::CurrentTeamSize()));
      ExpectRoots(*values, got);
    };
  });
}

// A faulty test: its second call begins with what the first one wrote.
TEST(KeptOutputTiming, TakesTheRootsOfManyValues) {
  lab::RunTimedPairs([](lab::Random& random) {
    auto values = std::make_shared<std::vector<float>>(random.Floats(1000, 1, 100));
    auto got = std::make_shared<std::vector<float>>(lab::Poisoned<float>(values->size()));
    return [values, got] {
      roots(*values, *got);
      ExpectRoots(*values, *got);
    };
  });
}

}  // namespace
