#include "grader/sandbox/checker/free_cores.h"

#include <sched.h>

#include <thread>

#include "grader/sandbox/jail/allowed_cores.h"
#include "grader/sandbox/jail/tests/run_only_on.h"
#include "gtest/gtest.h"

namespace grader::checker {
namespace {

TEST(FreeCoresTest, RoundsUpByAQuarterOfACore) {
  EXPECT_EQ(WholeCores(1.99), 2);
  EXPECT_EQ(WholeCores(1.8), 2);
  EXPECT_EQ(WholeCores(1.7), 1);
  EXPECT_EQ(WholeCores(7.5), 7);
  EXPECT_EQ(WholeCores(0.4), 0);
}

TEST(FreeCoresTest, ManyThreadsOnOneCoreGetNoMoreThanOne) {
  double spun = 0;
  int allowed = 0;
  int free = 0;
  std::thread([&] {  // a thread of its own: the affinity goes with it
    ASSERT_TRUE(RunOnlyOn(sched_getcpu()));
    allowed = AllowedCores();
    spun = SpunCores(4, 0.05);
    free = FreeCores(8);
  })
      .join();
  EXPECT_EQ(allowed, 1);
  EXPECT_GT(spun, 0);
  EXPECT_LE(spun, 1.01);
  EXPECT_LE(free, 1);
}

}  // namespace
}  // namespace grader::checker
