#include "common/benchmark/comparison.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using lab::Candidate;

constexpr int kAllRounds = lab::kWarmUpRounds + lab::kTimedRounds;

void Nothing() {}
bool Right() { return true; }

double OneMillisecond(const std::function<void()>& run) {
  run();
  return 1;
}

TEST(ComparisonTest, PreparesEachRunAndChecksItsResult) {
  std::string order;
  const auto note = [&order](const char* what) { return [&order, what] { order += what; }; };
  const auto check = [&order] {
    order += "? ";
    return true;
  };
  std::vector<Candidate> candidates{{"a", 1, note("a"), check}, {"b", 1, note("b"), check}};
  EXPECT_TRUE(lab::RunRounds(candidates, note("!"), OneMillisecond));
  std::string want;
  for (int round = 0; round < kAllRounds; ++round) want += "!a? !b? ";
  EXPECT_EQ(order, want);
}

TEST(ComparisonTest, KeepsTheTimesOfAllRoundsButThoseOfTheWarmUp) {
  std::vector<Candidate> candidates{{"a", 1, Nothing, Right}};
  EXPECT_TRUE(lab::RunRounds(candidates, Nothing, OneMillisecond));
  EXPECT_EQ(candidates[0].milliseconds, std::vector<double>(lab::kTimedRounds, 1.0));
}

TEST(ComparisonTest, EndsAtTheFirstWrongResultAndNamesIt) {
  int runs = 0;
  std::vector<Candidate> candidates{{"good", 1, Nothing, Right},
                                    {"bad", 1, [&runs] { ++runs; }, [&runs] { return runs < 5; }}};
  testing::internal::CaptureStderr();
  EXPECT_FALSE(lab::RunRounds(candidates, Nothing, OneMillisecond));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "error: wrong result: bad\n");
  EXPECT_EQ(runs, 5);
}

TEST(ComparisonTest, PrintsMediansRatesAndHowManyTimesAsFastAsTheFirst) {
  const std::vector<double> times{5, 2, 3, 3, 3, 3, 3};
  const std::vector<Candidate> candidates{{"first", 6e6, Nothing, Right, times},
                                          {"b", 6e6, Nothing, Right, {10, 1, 12, 6, 6, 6, 30}}};
  testing::internal::CaptureStdout();
  lab::PrintComparison("job", "GB/s", candidates);
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "\njob, medians of 21\n\n"
            "| what  |        ms |     GB/s | of first |  95 % interval |\n"
            "| ----- | --------: | -------: | -------: | -------------: |\n"
            "| first |    3.0000 |      2.0 |    1.000 | 1.000 to 1.000 |\n"
            "| b     |    6.0000 |      1.0 |    0.500 | 0.100 to 2.000 |\n");
}

}  // namespace
