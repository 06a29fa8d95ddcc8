#pragma once

// GoogleTest prints floating-point numbers with six digits, so that two different sums of a failed
// EXPECT_EQ may read alike. With this header it prints as many digits as tell them apart.
// GoogleTest offers no other hook for a built-in type; newer versions print all digits themselves.

#include <gtest/gtest.h>

#include <ostream>

#include "common/lab/testing/comparisons.h"

template <>
class testing::internal::UniversalPrinter<float> {
 public:
  static void Print(float value, std::ostream* out) { *out << lab::internal::NumberText(value); }
};

template <>
class testing::internal::UniversalPrinter<double> {
 public:
  static void Print(double value, std::ostream* out) { *out << lab::internal::NumberText(value); }
};
