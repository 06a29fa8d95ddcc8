// Proves how a failure is written. What a whole run prints is whole_program_test's.

#include "common/lab/test_program/test_printer.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace {

testing::TestPartResult Failure(const char* file, int line, const char* message) {
  return {testing::TestPartResult::kNonFatalFailure, file, line, message};
}

TEST(FormatFailureTest, PutsPlaceAndMessageOnOneLine) {
  EXPECT_EQ(lab::FormatFailure(Failure("sum_test.cc", 31, "Failed\nelement 1 of 2: expected 3")),
            "  sum_test.cc:31: element 1 of 2: expected 3");
}

TEST(FormatFailureTest, IndentsFurtherLinesAndTheTrace) {
  EXPECT_EQ(lab::FormatFailure(Failure("sum_test.cc", 31,
                                       "Expected equality of these values:\n  1\n  2\n"
                                       "Google Test trace:\nsum_test.cc:29: n = 5\n")),
            "  sum_test.cc:31: Expected equality of these values:\n      1\n      2\n"
            "    sum_test.cc:29: n = 5");
}

TEST(FormatFailureTest, KeepsOnlyWhatWasAddedToAComparisonThatFailed) {
  EXPECT_EQ(lab::FormatFailure(Failure("sum_test.cc", 31,
                                       "Value of: lab::ExpectAllEqual(got, want)\n"
                                       "  Actual: false\nExpected: true\nwith 5 numbers")),
            "  sum_test.cc:31: with 5 numbers");
  EXPECT_EQ(lab::FormatFailure(Failure("sum_test.cc", 31,
                                       "Value of: IsSorted()\n  Actual: false\nExpected: true")),
            "  sum_test.cc:31: Value of: IsSorted()\n      Actual: false\n    Expected: true");
}

TEST(FormatFailureTest, DoesWithoutAPlace) {
  EXPECT_EQ(lab::FormatFailure(Failure("", -1, "C++ exception: boom")), "  C++ exception: boom");
}

TEST(ReplayCommandTest, IsWhatTheUserTyped) {
  unsetenv("TEST_TARGET");
  EXPECT_EQ(lab::ReplayCommand("./sum_test", 7), "LAB_SEED=7 ./sum_test");
  setenv("TEST_TARGET", "//labs/x:sum_test", 1);
  EXPECT_EQ(lab::ReplayCommand("./sum_test", 7),
            "bazel test //labs/x:sum_test --test_env=LAB_SEED=7");
}

}  // namespace
