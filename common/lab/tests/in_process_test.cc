// Proves the door of a test that is linked with the functions it calls.

#include <gtest/gtest.h>
#include <omp.h>

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/lab/comparisons.h"
#include "common/lab/exports.h"
#include "common/lab/function.h"
#include "common/lab/team_size.h"
#include "common/lab/timed_pairs.h"

void Double(std::span<const int> in, std::span<int> out) {
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = 2 * in[i];
}
int Half(int value) {
  if (value % 2 != 0) throw std::domain_error("odd");
  return value / 2;
}

int CountTeam() { return omp_get_max_threads(); }

LAB_EXPORTS(LAB_EXPORT(Double), LAB_EXPORT(Half), LAB_EXPORT(CountTeam));

namespace {

const lab::Function<decltype(Double)> twice{"Double"};
const lab::Function<decltype(Half)> half{"Half"};

TEST(InProcessTest, WritesTheCallersSpans) {
  std::vector<int> out = lab::Poisoned<int>(3);
  twice(std::vector{1, 2, 3}, out);
  lab::ExpectAllEqual(out, std::vector{2, 4, 6});
}

TEST(InProcessTest, ReturnsTheResult) { EXPECT_EQ(half(8), 4); }

TEST(InProcessTest, LetsExceptionsThrough) { EXPECT_THROW(half(3), std::domain_error); }

TEST(InProcessTest, NamesAFunctionThatIsNotThere) {
  try {
    lab::Function<decltype(Half)>{"Hlaf"}(2);
    FAIL() << "returned";
  } catch (const lab::CallFailed& error) {
    EXPECT_NE(std::string(error.what()).find("no such function: Hlaf"), std::string::npos);
  }
}

TEST(InProcessTest, RefusesAFunctionOfAnotherType) {
  const lab::Function<int(unsigned)> other{"Half"};
  EXPECT_THROW(other(2u), lab::CallFailed);
}

TEST(InProcessTest, CallsWithTheTeamSizeOfTheTestAndThenWithTheFirstOneAgain) {
  const lab::Function<decltype(CountTeam)> count_team{"CountTeam"};
  const int before = count_team();
  {
    const lab::TeamSize three(3);
    EXPECT_EQ(count_team(), 3);
    {
      const lab::TeamSize seven(7);
      EXPECT_EQ(count_team(), 7);
    }
    EXPECT_EQ(count_team(), 3);
  }
  EXPECT_EQ(count_team(), before);
}

TEST(InProcessTest, RefusesATeamOfNobody) {
  EXPECT_THROW(lab::TeamSize(0), std::invalid_argument);
  EXPECT_EQ(lab::CurrentTeamSize(), 0);
}

TEST(InProcessTest, RunsOneCaseOfATimingTest) {
  int made = 0;
  int ran = 0;
  lab::RunTimedPairs([&](lab::Random& random) {
    ++made;
    auto in = std::make_shared<std::vector<int>>(random.Ints(100, 0, 9));
    return [&ran, in] {
      ++ran;
      std::vector<int> out(in->size());
      twice(*in, out);
      EXPECT_EQ(out[99], 2 * (*in)[99]);
    };
  });
  EXPECT_EQ(made, 1);
  EXPECT_EQ(ran, 1);
}

}  // namespace
