#pragma once

#include <gtest/gtest.h>

#include <string>

#include "common/lab/call/callers.h"
#include "common/lab/testing/inputs.h"

// Two tests of a function that uses OpenMP, in this suite: several threads call it at once, or a
// parallel region does. The lambda makes a call with inputs of its own and checks the result:
//
//   LAB_TEST_OPENMP_CALLERS(SumTest, [](lab::Random& random, const std::string& what) {
//     ExpectSum(random.Floats(3000, -1, 1), what);
//   })
#define LAB_TEST_OPENMP_CALLERS(suite, ...)                                                \
  TEST(suite, ServesSeveralCallersAtOnce) {                                                \
    lab::Random random;                                                                    \
    lab::ForSeveralCallers([&](const std::string& what) { (__VA_ARGS__)(random, what); }); \
  }                                                                                        \
  TEST(suite, IsRightWhereItsRegionsGetOneThread) {                                        \
    lab::Random random;                                                                    \
    lab::ForNestedCalls([&](const std::string& what) { (__VA_ARGS__)(random, what); });    \
  }
