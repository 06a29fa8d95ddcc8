// The public test of that lab.

#include "common/lab/tests/misbehaving_lab.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string_view>
#include <vector>

#include "common/lab/call/sizes.h"
#include "common/lab/exports/exports.h"
#include "common/lab/test_program/requirement.h"
#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/inputs.h"

LAB_EXPORTS(LAB_EXPORT(Sum), LAB_EXPORT(Prefix));

namespace {

const lab::Requirement device([]() -> std::optional<lab::Requirement::Missing> {
  const char* asked = std::getenv("LAB_MISBEHAVIOUR");
  if (asked == nullptr || asked != std::string_view("no device")) return std::nullopt;
  return lab::Requirement::Missing{"no device", "connect one"};
});

const lab::Function<decltype(Sum)> sum{"Sum"};
const lab::Function<decltype(Prefix)> prefix{"Prefix"};

TEST(SumTest, AddsThreeNumbers) { EXPECT_EQ(sum(std::vector<float>{1, 2, 3}), 6); }

// Such a test passes with a stub; its program must not.
TEST(SumTest, SumOfNothingIsZeroOrRefused) {
  try {
    EXPECT_EQ(sum({}), 0);
  } catch (const std::exception&) {
  }
}

TEST(PrefixTest, AddsUpToEveryElement) {
  lab::Random random;
  for (const std::size_t n : lab::EdgeSizes(32)) {
    SCOPED_TRACE(testing::Message() << "n = " << n);
    const std::vector<int> values = random.Ints(n, 1, 1);
    std::vector<int> want(n);
    for (std::size_t i = 0; i < n; ++i) want[i] = 8 + static_cast<int>(i);
    std::vector<int> got = lab::Poisoned<int>(n);
    prefix(values, got, 7);
    lab::ExpectAllEqual(got, want);
  }
}

}  // namespace
