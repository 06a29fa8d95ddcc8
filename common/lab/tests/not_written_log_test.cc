// Proves the line that a student reads about an untouched file.

#include "common/lab/test_program/not_written_log.h"

#include <gtest/gtest.h>

#include <string>

namespace {

using lab::DescribeNotWritten;
using lab::NotWritten;

TEST(NotWrittenTest, KnowsWhereItWasThrown) {
  try {
    LAB_NOT_WRITTEN();
    FAIL() << "returned";
  } catch (const NotWritten& error) {
    EXPECT_EQ(error.line(), __LINE__ - 3);
    EXPECT_EQ(error.function(), "TestBody");
    EXPECT_EQ(std::string(error.what()), std::string(__FILE__) + ":" +
                                             std::to_string(error.line()) +
                                             ": TestBody is not written yet");
  }
}

TEST(DescribeNotWrittenTest, SaysNothingAboutNothing) { EXPECT_EQ(DescribeNotWritten({}), ""); }

TEST(DescribeNotWrittenTest, NamesOneFunction) {
  EXPECT_EQ(DescribeNotWritten({{"labs/x/sum.cc", 12, "SumPartial"}}),
            "labs/x/sum.cc: SumPartial (line 12) is not written yet: replace LAB_NOT_WRITTEN() and "
            "run the test again");
}

TEST(DescribeNotWrittenTest, NamesEachFunctionOnceInTheOrderOfTheFile) {
  EXPECT_EQ(DescribeNotWritten({{"labs/x/sum.cc", 30, "SumTree"},
                                {"labs/x/sum.cc", 12, "SumPartial"},
                                {"labs/x/sum.cc", 20, "SumQueue"},
                                {"labs/x/sum.cc", 12, "SumPartial"}}),
            "labs/x/sum.cc: SumPartial (line 12), SumQueue (line 20) and SumTree (line 30) are not "
            "written yet: replace LAB_NOT_WRITTEN() and run the test again");
}

TEST(DescribeNotWrittenTest, GivesEachFileItsLine) {
  EXPECT_EQ(
      DescribeNotWritten({{"b.cc", 1, "B"}, {"a.cc", 2, "A"}}),
      "a.cc: A (line 2) is not written yet: replace LAB_NOT_WRITTEN() and run the test again\n"
      "b.cc: B (line 1) is not written yet: replace LAB_NOT_WRITTEN() and run the test again");
}

TEST(NotWrittenLogTest, CountsCallsAndKeepsFunctionsOnce) {
  lab::NotWrittenLog log;
  EXPECT_EQ(log.calls(), 0u);
  EXPECT_EQ(log.Describe(), "");
  log.Add({"a.cc", 2, "A"});
  log.Add({"a.cc", 2, "A"});
  EXPECT_EQ(log.calls(), 2u);
  EXPECT_EQ(log.Describe(), DescribeNotWritten({{"a.cc", 2, "A"}}));
}

}  // namespace
