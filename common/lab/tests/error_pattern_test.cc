// Proves that wrong elements with a rule are described by it, and others are not.

#include "common/lab/testing/error_pattern.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace {

using lab::Extents;

// The phrase for an array whose elements are wrong where `is_wrong` says so.
std::string Where(std::size_t size, const std::function<bool(std::size_t)>& is_wrong,
                  const std::vector<Extents>& shapes = {}) {
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < size; ++i) {
    if (is_wrong(i)) wrong.push_back(i);
  }
  return lab::DescribeErrors(wrong, size, shapes);
}

TEST(DescribeErrorsTest, NamesARangeByItsEnds) {
  EXPECT_EQ(Where(1000, [](std::size_t) { return true; }), "all");
  EXPECT_EQ(Where(9000, [](std::size_t i) { return i >= 4096; }), "from 4096 to the end");
  EXPECT_EQ(Where(9000, [](std::size_t i) { return i < 96; }), "from 0 to 95");
  EXPECT_EQ(Where(10, [](std::size_t i) { return i == 8 || i == 9; }), "from 8 to the end");
}

TEST(DescribeErrorsTest, NamesAStrideByItsDistanceAndFirstElement) {
  const auto lane = [](std::size_t i) { return i % 32 == 31; };
  EXPECT_EQ(Where(1024, lane), "every 32nd from 31 to the end");
  EXPECT_EQ(Where(1054, lane), "every 32nd from 31 to the end");
  EXPECT_EQ(Where(1024, [&](std::size_t i) { return lane(i) && i < 900; }),
            "every 32nd from 31 to 895");
  EXPECT_EQ(Where(4096, [](std::size_t i) { return i >= 256 && i % 256 == 0; }),
            "every 256th from 256 to the end");
  EXPECT_EQ(Where(64, [](std::size_t i) { return i % 2 == 1; }), "every 2nd from 1 to the end");
  EXPECT_EQ(Where(64, [](std::size_t i) { return i % 3 == 1; }), "every 3rd from 1 to the end");
  EXPECT_EQ(Where(640, [](std::size_t i) { return i % 11 == 0; }), "every 11th from 0 to the end");
  EXPECT_EQ(Where(900, [](std::size_t i) { return i % 101 == 0; }),
            "every 101st from 0 to the end");
}

TEST(DescribeErrorsTest, NamesThePartOfEachPeriod) {
  EXPECT_EQ(Where(1024, [](std::size_t i) { return i % 32 >= 16; }), "16 to 31 of each 32");
  EXPECT_EQ(Where(1000, [](std::size_t i) { return i % 32 >= 16; }), "16 to 31 of each 32");
  EXPECT_EQ(Where(640, [](std::size_t i) { return i % 64 == 0 || i % 64 == 63; }),
            "0 and 63 of each 64");
  EXPECT_EQ(Where(2048, [](std::size_t i) { return i >= 256 && i % 256 != 0; }),
            "all but 0 of each 256 from 256 to the end");
  EXPECT_EQ(Where(2048, [](std::size_t i) { return i < 1024 && i % 256 > 250; }),
            "251 to 255 of each 256 from 0 to 1023");
}

TEST(DescribeErrorsTest, SaysHowManyAreRightByChance) {
  EXPECT_EQ(Where(1000, [](std::size_t i) { return i >= 100 && i != 300 && i != 301; }),
            "from 100 to the end but for 2");
  EXPECT_EQ(Where(1024, [](std::size_t i) { return i % 32 == 31 && i % 128 != 127; }),
            "31, 63 and 95 of each 128");
  EXPECT_EQ(Where(1024, [](std::size_t i) { return i % 32 == 31 && i != 95 && i != 255; }),
            "every 32nd from 31 to the end but for 2");
}

TEST(DescribeErrorsTest, ClaimsNoRuleWhereThereIsNone) {
  EXPECT_EQ(Where(100, [](std::size_t i) { return i % 17 == 5 && i % 4 != 3; }),
            "between 5 and 90");
  EXPECT_EQ(Where(1000, [](std::size_t i) { return i * 2654435761u % 1024 < 100; }),
            "between 0 and 998");
}

TEST(DescribeErrorsTest, ListsAFewElements) {
  EXPECT_EQ(Where(100, [](std::size_t i) { return i == 5 || i == 6 || i == 40 || i == 91; }),
            "5 to 6, 40 and 91");
  EXPECT_EQ(Where(100, [](std::size_t i) { return i == 0 || i == 32; }), "0 and 32");
  EXPECT_EQ(Where(100, [](std::size_t i) { return i == 0 || i == 2 || i == 6; }), "0, 2 and 6")
      << "three elements have a common divisor by chance";
}

TEST(DescribeErrorsTest, IsQuickWhereManyPeriodsAreAlmostRight) {
  // Each 5,000 elements have one run; only a few end elsewhere.
  const auto is_wrong = [](std::size_t i) {
    return i % 5000 < 2500 + (i % 1'500'000 < 5000 ? 1 : 0);
  };
  EXPECT_EQ(Where(4'000'000, is_wrong), "between 0 and 3997499");
}

TEST(DescribeErrorsTest, IsQuickWhereMillionsAreWrongAndFewRight) {
  EXPECT_EQ(Where(1'000'000, [](std::size_t i) { return i % 99'991 != 7; }),
            "from 0 to the end but for 11");
}

TEST(DescribeErrorsTest, NamesRowsAndColumnsWhereTheShapeIsKnown) {
  const std::vector<Extents> shape = {{48, 64}};
  const auto where = [&](const std::function<bool(std::size_t, std::size_t)>& is_wrong) {
    return Where(
        48 * 64, [&](std::size_t i) { return is_wrong(i / 64, i % 64); }, shape);
  };
  EXPECT_EQ(where([](std::size_t row, std::size_t column) {
              return row == 0 || row == 47 || column == 0 || column == 63;
            }),
            "rows 0 and 47 or columns 0 and 63 in 48 rows of 64");
  EXPECT_EQ(where([](std::size_t, std::size_t column) { return column == 63; }),
            "column 63 in 48 rows of 64");
  EXPECT_EQ(where([](std::size_t row, std::size_t column) {
              return row >= 8 && row < 16 && column >= 16 && column < 32;
            }),
            "columns 16 to 31 of rows 8 to 15 in 48 rows of 64");
  EXPECT_EQ(
      where([](std::size_t row, std::size_t column) { return row % 16 == 0 || column % 16 == 0; }),
      "rows 0, 16 and 32 or every 16th column from 0 to the end in 48 rows of 64");
  EXPECT_EQ(where([](std::size_t row, std::size_t column) {
              return row > 0 && row < 47 && column > 0 && column < 63;
            }),
            "columns 1 to 62 of rows 1 to 46 in 48 rows of 64");
  EXPECT_EQ(where([](std::size_t row, std::size_t column) {
              const bool is_inside = row > 0 && row < 47 && column > 0 && column < 63;
              return is_inside && (row == 16 || column == 31 || column == 32);
            }),
            "row 16 or columns 31 to 32 inside the border in 48 rows of 64");
  EXPECT_EQ(where([](std::size_t row, std::size_t column) {
              return (row == 16 || column == 31 || column == 32) && row != 20;
            }),
            "row 16 or columns 31 to 32 in 48 rows of 64 but for 2");
  EXPECT_EQ(where([](std::size_t row, std::size_t column) { return row * 64 + column >= 100; }),
            "from 100 to the end")
      << "no rectangle";
}

TEST(DescribeErrorsTest, NamesSlicesOfACube) {
  EXPECT_EQ(Where(8 * 4 * 16, [](std::size_t i) { return i / 64 == 7; }, {{8, 4, 16}}),
            "slice 7 in 8 slices of 4 rows of 16");
}

TEST(DescribeErrorsTest, TakesTheShapeInWhichTheErrorsAreRegular) {
  EXPECT_EQ(Where(48 * 64, [](std::size_t i) { return i % 48 == 47; }, {{48, 64}, {64, 48}}),
            "column 47 in 64 rows of 48");
}

TEST(DescribeErrorsTest, TakesTheFirstShapeWhereWholeRowsOfBothAreWrong) {
  EXPECT_EQ(Where(48 * 64, [](std::size_t i) { return i / 48 >= 12 && i / 48 < 16; },
                  {{64, 48}, {48, 64}}),
            "rows 12 to 15 in 64 rows of 48");
}

}  // namespace
