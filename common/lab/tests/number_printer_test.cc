// Proves that a failed comparison of two numbers never shows the same text twice.

#include "common/lab/testing/number_printer.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace {

using testing::PrintToString;

TEST(NumberPrinterTest, ShowsTheDigitsInWhichTwoSumsDiffer) {
  EXPECT_NONFATAL_FAILURE(EXPECT_EQ(15173610.0, 15173608.0), "Which is: 15173608");
  EXPECT_EQ(PrintToString(std::nextafter(1.0, 2.0)), "1.0000000000000002");
  EXPECT_EQ(PrintToString(0.1f), "0.1");
  EXPECT_EQ(PrintToString(16777216.0f), "16777216");
}

TEST(NumberPrinterTest, ShowsInfinitiesAndNotANumber) {
  EXPECT_EQ(PrintToString(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(PrintToString(std::numeric_limits<float>::quiet_NaN()), "nan");
}

TEST(NumberPrinterTest, HoldsForTheElementsOfAVector) {
  EXPECT_EQ(PrintToString(std::vector<double>{1234567.5}), "{ 1234567.5 }");
}

}  // namespace
