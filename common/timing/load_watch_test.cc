#include "common/timing/load_watch.h"

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <barrier>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace lab {
namespace {

double ThreadCpuSeconds() {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

void Work(double cpu_seconds) {
  const double end = ThreadCpuSeconds() + cpu_seconds;
  while (ThreadCpuSeconds() < end) {
  }
}

// How exactly the CPU time of the watch's own thread is told from that of others.
constexpr double kTolerance = 0.001;

// Whatever the machine does, the CPU time is that of the work: closer to that of four threads than
// of three, on a machine whose accounts differ from the threads' own clocks by its ticks.
TEST(LoadWatchTest, CountsTheWorkOfThreadsThatHaveEnded) {
  LoadWatch watch(getpid(), 4);
  {
    std::vector<std::jthread> team;
    for (int i = 0; i < 4; ++i) team.emplace_back([] { Work(0.05); });
  }
  const Load load = watch.Stop();
  EXPECT_GE(load.run_seconds, 0.175);
  EXPECT_LE(load.run_seconds, 0.25);
  EXPECT_LE(load.busiest_seconds, 0.08);
}

TEST(LoadWatchTest, LeavesItsOwnThreadOut) {
  LoadWatch watch(getpid(), 4);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_LE(watch.Stop().run_seconds, kTolerance);
}

TEST(LoadWatchTest, OneThreadAtATimeIsOneThread) {
  if (!KernelCountsWaits()) GTEST_SKIP() << "this kernel does not count waits";
  LoadWatch watch(getpid(), 4);
  for (int i = 0; i < 4; ++i) std::jthread([] { Work(0.05); }).join();
  const Load load = watch.Stop();
  EXPECT_LE(load.Parallelism(), 1.1);
}

// It slows the thread that runs on its core; always on the same core, it would slow a part of a
// team.
TEST(LoadWatchTest, LooksFromEachCoreInTurn) {
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
  const LoadWatch watch(getpid(), 4);
  cpu_set_t seen;
  CPU_ZERO(&seen);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!CPU_EQUAL(&seen, &allowed) && std::chrono::steady_clock::now() < end) {
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
      const pid_t thread = std::stoi(task.path().filename());
      cpu_set_t cores;
      if (thread == getpid() || sched_getaffinity(thread, sizeof(cores), &cores) != 0) continue;
      if (CPU_COUNT(&cores) == 1) CPU_OR(&seen, &seen, &cores);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  EXPECT_TRUE(CPU_EQUAL(&seen, &allowed));
}

// On any number of cores, with any neighbours.
TEST(LoadWatchTest, FourThreadsThatAllWorkAreMoreThanTwo) {
  if (!KernelCountsWaits()) GTEST_SKIP() << "this kernel does not count waits";
  std::barrier start(5);
  std::vector<std::jthread> team;
  for (int i = 0; i < 4; ++i) {
    team.emplace_back([&start] {
      start.arrive_and_wait();
      Work(0.1);
      start.arrive_and_wait();
    });
  }
  LoadWatch watch(getpid(), 4);
  start.arrive_and_wait();
  start.arrive_and_wait();
  EXPECT_GE(watch.Stop().Parallelism(), 2);
}

TEST(LoadWatchTest, ReadsAnotherProcessAndOneThatIsGone) {
  const pid_t child = fork();
  if (child == 0) {
    Work(0.05);
    pause();
  }
  ThreadTable table(child);
  while (table.RunNanoseconds() < 50'000'000) usleep(1000);
  EXPECT_EQ(table.Read().size(), 1u);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(table.Read().empty());
  EXPECT_EQ(table.RunNanoseconds(), 0);
}

}  // namespace
}  // namespace lab
