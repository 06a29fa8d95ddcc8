// Proves calls in a test that is linked with the functions it calls.

#include <gtest/gtest.h>
#include <omp.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "common/lab/call/callers.h"
#include "common/lab/call/team_size.h"
#include "common/lab/exports/exports.h"
#include "common/lab/testing/comparisons.h"
#include "common/lab/testing/function.h"
#include "common/lab/testing/timed_pairs.h"

void Double(std::span<const int> in, std::span<int> out) {
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = 2 * in[i];
}
int Half(int value) {
  if (value % 2 != 0) throw std::domain_error("odd");
  return value / 2;
}

int CountTeam() { return omp_get_max_threads(); }

int CountTeamOfARegion() {
  int size = 0;
#pragma omp parallel
#pragma omp single
  size = omp_get_num_threads();
  return size;
}

// Whether `callers` calls, or more, were in here at the same time; each adds 1 to own[0].
bool Meet(int callers, std::span<int> own) {
  static std::atomic<int> here = 0;
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  ++own[0];
  ++here;
  while (here < callers) {
    if (std::chrono::steady_clock::now() > patience) return false;
    std::this_thread::yield();
  }
  return true;
}

// Throws for all callers but the first.
void ServeOne() {
  static std::atomic<int> served = 0;
  if (served++ > 0) throw std::domain_error("served already");
}

LAB_EXPORTS(LAB_EXPORT(Double), LAB_EXPORT(Half), LAB_EXPORT(CountTeam),
            LAB_EXPORT(CountTeamOfARegion), LAB_EXPORT(Meet), LAB_EXPORT(ServeOne));

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

TEST(InProcessTest, CallsFromSeveralThreadsAtOnceEachWithArraysOfItsOwn) {
  const lab::Function<decltype(Meet)> meet{"Meet"};
  const lab::Callers callers(3);
  std::vector<int> own = {40};
  EXPECT_TRUE(meet(3, own));
  EXPECT_EQ(own[0], 41);
}

TEST(InProcessTest, CallsOnceWhereNoCallersAreAskedFor) {
  { const lab::Callers callers(5); }
  EXPECT_EQ(lab::CurrentCallers(), 1);
  EXPECT_NO_THROW(lab::Function<decltype(ServeOne)>{"ServeOne"}());
}

TEST(InProcessTest, ThrowsWhatAnyOfTheCallersThrows) {
  const lab::Callers callers(2);
  EXPECT_THROW(lab::Function<decltype(ServeOne)>{"ServeOne"}(), std::domain_error);
}

TEST(InProcessTest, RefusesACallByNobody) {
  EXPECT_THROW(lab::Callers(0), std::invalid_argument);
  EXPECT_EQ(lab::CurrentCallers(), 1);
}

TEST(InProcessTest, NestedRegionsGetOneThreadWhateverTheSizeOfATeam) {
  const lab::Function<decltype(CountTeamOfARegion)> count_team_of_a_region{"CountTeamOfARegion"};
  const lab::TeamSize four(4);
  {
    const lab::NestedCalls nested;
    EXPECT_EQ(count_team_of_a_region(), 1);
    EXPECT_EQ(lab::Function<decltype(CountTeam)>{"CountTeam"}(), 4);
  }
  EXPECT_EQ(count_team_of_a_region(), 4);
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
