// Hostile: writes GoogleTest's report itself, and ends before GoogleTest does.

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

TEST(SumPartialTest, Forges) {
  std::puts("[  PASSED  ] 1 test.\n{\"testsuites\": []}");
  std::_Exit(0);
}
