#include "common/timing/step_back.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <latch>
#include <thread>
#include <vector>

namespace lab {
namespace {

// A thread that lives until the test ends.
class Bystander {
 public:
  Bystander()
      : thread_([this] {
          id_ = static_cast<pid_t>(syscall(SYS_gettid));
          started_.count_down();
          ended_.wait();
        }) {
    started_.wait();
  }
  ~Bystander() { ended_.count_down(); }

  pid_t id() const { return id_; }
  int niceness() const { return getpriority(PRIO_PROCESS, static_cast<id_t>(id_)); }

 private:
  pid_t id_ = 0;
  std::latch started_{1};
  std::latch ended_{1};
  std::jthread thread_;
};

class StepBackTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!StepBack(getpid()).IsAllowed()) GTEST_SKIP() << "no right to make threads less nice";
  }

  // As if the threads had run for so many nanoseconds in their lives.
  void Look(StepBack& step_back, std::int64_t first_ns, std::int64_t second_ns) const {
    const std::vector<ThreadTimes> threads = {{first_.id(), first_ns, 0, 1},
                                              {second_.id(), second_ns, 0, 1}};
    step_back.Look(threads);
  }

  const int usual_ = getpriority(PRIO_PROCESS, 0);
  Bystander first_;
  Bystander second_;
};

TEST_F(StepBackTest, MakesTheThreadNiceThatRanMostSinceTheLastLook) {
  StepBack step_back(getpid());
  Look(step_back, 500, 100);
  EXPECT_EQ(first_.niceness(), 19);
  EXPECT_EQ(second_.niceness(), usual_);
  Look(step_back, 510, 200);
  EXPECT_EQ(first_.niceness(), usual_);
  EXPECT_EQ(second_.niceness(), 19);
}

TEST_F(StepBackTest, LeavesThreadsAloneThatDidNotRun) {
  StepBack step_back(getpid());
  Look(step_back, 500, 100);
  Look(step_back, 500, 100);
  EXPECT_EQ(first_.niceness(), usual_);
  EXPECT_EQ(second_.niceness(), usual_);
}

TEST_F(StepBackTest, LeavesEverythingAsItWasWhenItEnds) {
  {
    StepBack step_back(getpid());
    Look(step_back, 500, 100);
  }
  EXPECT_EQ(first_.niceness(), usual_);
  EXPECT_EQ(getpriority(PRIO_PROCESS, 0), usual_);
}

TEST_F(StepBackTest, GoesOnWhenAThreadHasEnded) {
  StepBack step_back(getpid());
  pid_t ended = 0;
  {
    const Bystander brief;
    ended = brief.id();
    const std::vector<ThreadTimes> threads = {{ended, 500, 0, 1}};
    step_back.Look(threads);
  }
  Look(step_back, 500, 100);
  EXPECT_EQ(first_.niceness(), 19);
}

}  // namespace
}  // namespace lab
