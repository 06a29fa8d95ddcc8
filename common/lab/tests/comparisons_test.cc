// Proves that comparisons accept and refuse what they should, and the text of a refusal.

#include "common/lab/testing/comparisons.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

namespace {

using Floats = std::vector<float>;
using Doubles = std::vector<double>;

const float kNaN = std::numeric_limits<float>::quiet_NaN();
const float kInfinity = std::numeric_limits<float>::infinity();

// What `compare` reported: its message without GoogleTest's words, or "right".
std::string Verdict(const std::function<bool()>& compare) {
  testing::TestPartResultArray results;
  bool all_right = false;
  {
    testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    all_right = compare();
  }
  if (all_right != (results.size() == 0)) return "returned the opposite of what it reported";
  if (all_right) return "right";
  std::string message = results.GetTestPartResult(0).message();
  message.erase(0, message.find('\n') + 1);
  while (message.ends_with('\n')) message.pop_back();  // which newer versions add
  return message;
}

template <typename T>
std::string Equal(const std::vector<T>& got, const std::vector<T>& want) {
  return Verdict([&] { return lab::ExpectAllEqual(got, want); });
}

std::string Near(const Floats& got, const Doubles& want, double tolerance) {
  return Verdict([&] { return lab::ExpectAllNear(got, want, tolerance); });
}

TEST(ExpectAllEqualTest, AcceptsEqualArraysAndEmptyOnes) {
  EXPECT_EQ(Equal<int>({}, {}), "right");
  EXPECT_EQ(Equal<int>({1, 2}, {1, 2}), "right");
  EXPECT_EQ(Equal<float>({0.0f, kInfinity, kNaN}, {-0.0f, kInfinity, kNaN}), "right");
}

TEST(ExpectAllEqualTest, NamesTheFirstWrongElementAndCountsTheOthers) {
  EXPECT_EQ(Equal<int>({1, 7}, {1, 2}), "element 1 of 2: expected 2, got 7");
  EXPECT_EQ(Equal<int>({5, 7}, {1, 2}), "element 0 of 2: expected 1, got 5; 1 more is wrong: all");
  EXPECT_EQ(Equal<int>({5, 7, 9}, {1, 2, 3}),
            "element 0 of 3: expected 1, got 5; 2 more are wrong: all");
}

TEST(ExpectAllEqualTest, NamesWhatTheWrongElementsHaveInCommon) {
  std::vector<int> got(1000), want(1000);
  for (std::size_t i = 31; i < got.size(); i += 32) got[i] = 1;
  EXPECT_EQ(Equal(got, want),
            "element 31 of 1000: expected 0, got 1; 30 more are wrong: every 32nd from 31 to the "
            "end");
}

// What a comparison writes for the picture of its failure.
std::string Evidence(const std::vector<float>& got, const std::vector<float>& want) {
  const std::string path = testing::TempDir() + "/errors";
  std::remove(path.c_str());
  setenv("LAB_ERRORS", path.c_str(), 1);
  Equal(got, want);
  unsetenv("LAB_ERRORS");
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ExpectAllEqualTest, WritesWhatIsAroundTheFirstWrongElementForAPicture) {
  std::vector<float> want(6, 2.5f), got = want;
  got[5] = 7;
  EXPECT_EQ(Evidence(got, want),
            R"({"test":"ExpectAllEqualTest.WritesWhatIsAroundTheFirstWrongElementForAPicture",)"
            R"("message":"element 5 of 6: expected 2.5, got 7","near":[[2,"2.5","2.5",false,""],)"
            R"([3,"2.5","2.5",false,""],[4,"2.5","2.5",false,""],[5,"2.5","7",true,""]],)"
            R"("cells":[0,0,0,0,0,1],"grid":[]})"
            "\n");
  EXPECT_EQ(Evidence(want, want), "");
}

TEST(ExpectAllEqualTest, RefusesNaNInPlaceOfANumber) {
  EXPECT_EQ(Equal<float>({kNaN}, {3.5f}), "element 0 of 1: expected 3.5, got nan");
  EXPECT_EQ(Equal<float>({3.5f}, {kNaN}), "element 0 of 1: expected nan, got 3.5");
  EXPECT_EQ(Equal<float>({kInfinity}, {-kInfinity}), "element 0 of 1: expected -inf, got inf");
}

TEST(ExpectAllEqualTest, PrintsBytesAsNumbersAndCharactersAsCharacters) {
  EXPECT_EQ(Equal<std::uint8_t>({7}, {65}), "element 0 of 1: expected 65, got 7");
  EXPECT_EQ(Equal<std::int8_t>({-7}, {65}), "element 0 of 1: expected 65, got -7");
  EXPECT_EQ(Equal<char>({'b'}, {'a'}),
            "element 0 of 1: expected 'a' (97, 0x61), got 'b' (98, 0x62)");
}

TEST(ExpectAllEqualTest, SaysThatAnElementWasNeverWritten) {
  EXPECT_EQ(Equal(lab::Poisoned<int>(1), {3}),
            "element 0 of 1: expected 3, got -1515870811 (never written)");
  EXPECT_EQ(Equal(lab::Poisoned<double>(1), {3.0}),
            "element 0 of 1: expected 3, got nan (never written)");
  // A byte may well be 0xA5.
  EXPECT_EQ(Equal(lab::Poisoned<std::uint8_t>(1), {3}), "element 0 of 1: expected 3, got 165");
}

TEST(ExpectAllEqualTest, RefusesAnotherSize) {
  EXPECT_EQ(Equal<int>({1, 2, 3}, {1, 2}), "expected 2 elements, got 3 elements");
  EXPECT_EQ(Equal<int>({}, {1, 2}), "expected 2 elements, got 0 elements");
}

TEST(ExpectAllEqualTest, ReportsTheLineOfTheCall) {
  testing::TestPartResultArray results;
  int line = 0;
  {
    testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    line = __LINE__ + 1;
    lab::ExpectAllEqual(Floats{1}, Floats{2});
    lab::ExpectAllNear(Floats{1}, Floats{2}, 0.5);
    lab::ExpectAllNear(Floats{1}, Floats{2}, Doubles{0.5});
  }
  ASSERT_EQ(results.size(), 3);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(results.GetTestPartResult(i).line_number(), line + i);
    EXPECT_NE(std::string(results.GetTestPartResult(i).file_name()).find("comparisons_test.cc"),
              std::string::npos);
  }
}

struct NearCase {
  const char* proves;
  float got;
  double want;
  double tolerance;
  const char* verdict;
};

TEST(ExpectAllNearTest, DecidesAtTheEdgesOfTheTolerance) {
  const double infinity = kInfinity;
  const double nan = kNaN;
  const NearCase cases[] = {
      {"equal needs no tolerance", 1.5f, 1.5, 0, "right"},
      {"the limit itself is inside", 1.5f, 1.0, 0.5, "right"},
      {"beyond the limit", 1.75f, 1.0, 0.5, "element 0 of 1: expected 1, got 1.75, tolerance 0.5"},
      {"below", 0.25f, 1.0, 0.5, "element 0 of 1: expected 1, got 0.25, tolerance 0.5"},
      {"NaN is near nothing", kNaN, 3.5, 1e-6,
       "element 0 of 1: expected 3.5, got nan, tolerance 1e-06"},
      {"NaN is not near infinity", kNaN, infinity, infinity,
       "element 0 of 1: expected inf, got nan, tolerance inf"},
      {"NaN where NaN is expected", kNaN, nan, 0, "right"},
      {"a number where NaN is expected", 1, nan, 1,
       "element 0 of 1: expected nan, got 1, tolerance 1"},
      {"infinity where it is expected", kInfinity, infinity, 0, "right"},
      {"the other infinity", -kInfinity, infinity, 1,
       "element 0 of 1: expected inf, got -inf, tolerance 1"},
      {"infinity is far from a number", kInfinity, 1, 1e30,
       "element 0 of 1: expected 1, got inf, tolerance 1e+30"},
      {"a tolerance of NaN allows nothing but equality", 1, 2, nan,
       "element 0 of 1: expected 2, got 1, tolerance nan"},
  };
  for (const NearCase& c : cases) {
    EXPECT_EQ(Near({c.got}, {c.want}, c.tolerance), c.verdict) << c.proves;
  }
}

TEST(ExpectAllNearTest, TakesAToleranceRelativeToWhatIsExpected) {
  const lab::Tolerance tolerance{.absolute = 0.5, .relative = 0.25};
  const auto near = [&](float got) {
    return Verdict([&] { return lab::ExpectAllNear(Floats{got}, Doubles{-8}, tolerance); });
  };
  EXPECT_EQ(near(-10.5f), "right");
  EXPECT_EQ(near(-5.5f), "right");
  EXPECT_EQ(near(-10.75f), "element 0 of 1: expected -8, got -10.75, tolerance 2.5");
}

TEST(ExpectAllNearTest, AllowsNoNumberInPlaceOfAnInfinity) {
  const lab::Tolerance tolerance{.absolute = 1, .relative = 1};
  EXPECT_EQ(Verdict([&] { return lab::ExpectAllNear(Floats{1}, Floats{kInfinity}, tolerance); }),
            "element 0 of 1: expected inf, got 1, tolerance 1");
}

TEST(ExpectAllNearTest, TakesATolerancePerElement) {
  const auto near = [](const Doubles& tolerances) {
    return Verdict([&] { return lab::ExpectAllNear(Floats{1, 2}, Floats{1, 3}, tolerances); });
  };
  EXPECT_EQ(near({0, 1}), "right");
  EXPECT_EQ(near({1, 0.5}), "element 1 of 2: expected 3, got 2, tolerance 0.5");
  EXPECT_EQ(near({1}), "expected 2 elements, got 1 elements");
}

TEST(ExpectAllNearTest, ComparesWholeNumbersToo) {
  EXPECT_TRUE(lab::ExpectAllNear(std::vector<int>{7}, std::vector<int>{8}, 1.0));
}

}  // namespace
