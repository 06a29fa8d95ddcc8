// The limits of a program, and the outcome of one that exceeds them.

#include <signal.h>
#include <unistd.h>

#include "grader/sandbox/jail/tests/fixture.h"

namespace grader {
namespace {

using ResourceTest = JailFixture;

#define SKIP_IF_LOST(words) \
  if (Loses(words)) GTEST_SKIP() << "this machine lacks it: " << LostProtections()

TEST_F(ResourceTest, ForkBombGetsPidsLimit) {
  SKIP_IF_LOST("no pids cgroup");
  JailSpec spec = AttackOfMany("fork_bomb");
  spec.wall_seconds = 1;
  EXPECT_EQ(RunAs(User::kOurs, spec).kind, "pids_limit");
}

TEST_F(ResourceTest, ThreadBombGetsPidsLimit) {
  SKIP_IF_LOST("no pids cgroup");
  const Outcome outcome = RunAs(User::kOurs, Attack("thread_bomb", {"25"}));
  EXPECT_EQ(outcome.kind, "pids_limit");
  EXPECT_EQ(outcome.output, "");
}

TEST_F(ResourceTest, AllowedThreadsAreGranted) {
  const Outcome outcome = RunAs(User::kOurs, Attack("thread_bomb", {"23"}));
  EXPECT_EQ(outcome.output, "achieved: 23 threads\n");
}

TEST_F(ResourceTest, MemoryBombGetsMemoryLimit) {
  SKIP_IF_LOST("no memory cgroup");
  EXPECT_EQ(RunAs(User::kOurs, Attack("memory_bomb")).kind, "memory_limit");
}

TEST_F(ResourceTest, MemoryOfAllProcessesCountsTogether) {
  SKIP_IF_LOST("no memory cgroup");
  JailSpec spec = AttackOfMany("memory_bomb_in_children");
  spec.wall_seconds = 2;
  EXPECT_EQ(RunAs(User::kOurs, spec).kind, "memory_limit");
}

TEST_F(ResourceTest, MemoryFilesCountAsMemory) {
  SKIP_IF_LOST("no memory cgroup");
  EXPECT_EQ(RunAs(User::kOurs, Attack("fill_memory_files")).kind, "memory_limit");
}

TEST_F(ResourceTest, TmpHoldsNoMoreThanItsSize) {
  SKIP_IF_LOST("older than 0.7");
  JailSpec spec = Attack("fill_tmp", {"45"});  // two of 20 MB
  spec.tmp_mb = 20;
  const Outcome outcome = RunAs(User::kOurs, spec);
  EXPECT_EQ(outcome.kind, "exited");
  EXPECT_EQ(outcome.output, "");
}

TEST_F(ResourceTest, ManySmallFilesAreStopped) {
  JailSpec spec = Attack("make_many_files");
  spec.wall_seconds = 1;
  EXPECT_EQ(RunAs(User::kOurs, spec).output, "");
}

TEST_F(ResourceTest, FloodOfOutputIsCutAndGetsOutputLimit) {
  const Outcome outcome = RunAs(User::kOurs, Attack("flood_output"));
  EXPECT_EQ(outcome.kind, "output_limit");
  EXPECT_TRUE(outcome.output_truncated);
  EXPECT_EQ(outcome.output.size(), 64u << 10);
}

TEST_F(ResourceTest, BigFileIsCutAtTheLimit) {
  JailSpec spec = Attack("write_big_file", {"/out"});
  const std::string out = MakeFolder("out");
  spec.binds.push_back({out, "/out", true});
  spec.file_mb = 2;
  const Outcome outcome = RunAs(User::kOurs, spec);
  EXPECT_EQ(outcome.status.signal, SIGXFSZ);
  EXPECT_EQ(FileSize(out + "/big"), 2 << 20);
}

TEST_F(ResourceTest, SleeperGetsTimeLimit) {
  JailSpec spec = Attack("sleep");
  spec.wall_seconds = 0.3;
  const Outcome outcome = RunAs(User::kOurs, spec);
  EXPECT_EQ(outcome.kind, "time_limit");
  EXPECT_LT(outcome.wall_seconds, 3);
}

TEST_F(ResourceTest, LoopThatIgnoresSignalsGetsTimeLimit) {
  JailSpec spec = Attack("spin");
  spec.wall_seconds = 0.3;
  EXPECT_EQ(RunAs(User::kOurs, spec).kind, "time_limit");
}

TEST_F(ResourceTest, WallLimitExcludesRunQueueWait) {
  const OnOneCore pinned;
  ASSERT_TRUE(pinned.holds());
  Jail other = Jail::Start(AttackOfMany("spin_in_children"));  // takes at least half of the core
  JailSpec spec = Attack("spin");
  spec.wall_seconds = 1;
  const Outcome outcome = RunAs(User::kOurs, spec);
  spec = Attack("sleep");
  spec.wall_seconds = 0.3;
  const Outcome sleeper = RunAs(User::kOurs, spec);
  EXPECT_EQ(outcome.kind, "time_limit");
  EXPECT_GT(outcome.wall_seconds, 1.3);
  EXPECT_GT(outcome.cpu_seconds, 0.7);  // less than 1: starting takes wall time
  EXPECT_EQ(sleeper.kind, "time_limit");
  EXPECT_LT(sleeper.wall_seconds, 3);
}

TEST_F(ResourceTest, ProcessorTimeOfAllProcessesCountsTogether) {
  SKIP_IF_LOST("no cgroup to count time");
  JailSpec spec = AttackOfMany("spin_in_children");
  spec.wall_seconds = 10;
  spec.cpu_seconds = 0.4;  // each process alone gets RLIMIT_CPU of 1 s
  const Outcome outcome = RunAs(User::kOurs, spec);
  EXPECT_EQ(outcome.kind, "time_limit");
  EXPECT_GE(outcome.cpu_seconds, 0.4);
}

TEST_F(ResourceTest, CrashIsNoLimit) {
  const Outcome outcome = RunAs(User::kOurs, Attack("crash"));
  EXPECT_EQ(outcome.kind, "signaled");
  EXPECT_EQ(outcome.status.signal, SIGSEGV);
}

using UnprivilegedTest = JailFixture;

TEST_F(UnprivilegedTest, ForkBombIsHeldUntilItsTimeIsUp) {
  JailSpec spec = AttackOfMany("fork_bomb");
  spec.wall_seconds = 0.5;
  EXPECT_EQ(RunAs(User::kNobody, spec).kind, "time_limit");
}

TEST_F(UnprivilegedTest, ThreadsAreLimitedWithoutACgroup) {
  const Outcome outcome = RunAs(User::kNobody, Attack("thread_bomb", {"25"}));
  EXPECT_EQ(outcome.output, "");
}

TEST_F(UnprivilegedTest, AllowedThreadsAreGranted) {
  const Outcome outcome = RunAs(User::kNobody, Attack("thread_bomb", {"23"}));
  EXPECT_EQ(outcome.output, "achieved: 23 threads\n");
}

TEST_F(UnprivilegedTest, OneProcessCannotTakeAllMemory) {
  const Outcome outcome = RunAs(User::kNobody, Attack("memory_bomb"));
  EXPECT_EQ(outcome.output, "");
  EXPECT_EQ(outcome.status.code, 1);
}

TEST_F(UnprivilegedTest, FloodOfOutputIsCutAndGetsOutputLimit) {
  EXPECT_EQ(RunAs(User::kNobody, Attack("flood_output")).kind, "output_limit");
}

TEST_F(UnprivilegedTest, DaemonDiesWithTheJail) {
  JailSpec spec = AttackOfMany("leave_daemon", {"/out/beats"});
  const std::string out = MakeFolder("out", User::kNobody);
  spec.binds.push_back({out, "/out", true});
  EXPECT_EQ(RunAs(User::kNobody, spec).kind, "exited");
  const long size = FileSize(out + "/beats");
  EXPECT_GT(size, 0) << "the daemon never ran";
  usleep(100'000);
  EXPECT_EQ(FileSize(out + "/beats"), size) << "the daemon lives";
}

}  // namespace
}  // namespace grader
