// The parts that need no jail.

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "grader/sandbox/command_line/command_line.h"
#include "grader/sandbox/jail/allowed_cores.h"
#include "grader/sandbox/jail/files.h"
#include "grader/sandbox/jail/hierarchies.h"
#include "grader/sandbox/jail/limits.h"
#include "grader/sandbox/jail/lost_time.h"
#include "grader/sandbox/jail/options.h"
#include "grader/sandbox/jail/outcome.h"
#include "grader/sandbox/jail/output_capture.h"
#include "grader/sandbox/jail/unjailed.h"
#include "grader/sandbox/jail/user_id.h"

namespace grader {
namespace {

TEST(QuotaTest, IsTimeOverPeriodInBothVersions) {
  EXPECT_EQ(QuotaOf("200000 100000\n"), 2);
  EXPECT_EQ(QuotaOf("150000 100000\n"), 1.5);
  EXPECT_EQ(QuotaOf("50000\n", "100000\n"), 0.5);
}

TEST(QuotaTest, IsInfiniteWhereThereIsNone) {
  EXPECT_TRUE(std::isinf(QuotaOf("max 100000\n")));
  EXPECT_TRUE(std::isinf(QuotaOf("-1\n", "100000\n")));
  EXPECT_TRUE(std::isinf(QuotaOf("")));
  EXPECT_TRUE(std::isinf(QuotaOf("", "")));
}

TEST(LostTimeTest, IsTheRunQueueWait) {
  EXPECT_DOUBLE_EQ(LostSeconds(8, 2, 6, 8, 1), 6);  // one thread, a quarter of the only core
  EXPECT_DOUBLE_EQ(LostSeconds(8, 2, 5, 8, 4), 5);  // a thread of four cores: what it waited
}

TEST(LostTimeTest, IsZeroForSleepAndForWaitsOnOwnThreads) {
  EXPECT_DOUBLE_EQ(LostSeconds(8, 0, 0, 8, 2), 0);     // a deadlock
  EXPECT_DOUBLE_EQ(LostSeconds(8, 8, 0, 8, 2), 0);     // an endless loop
  EXPECT_DOUBLE_EQ(LostSeconds(8, 16, 7, 8, 2), 0);    // sixteen of them, on both cores
  EXPECT_DOUBLE_EQ(LostSeconds(8, 12, 7, 8, 2), 2);    // the same beside another program
  EXPECT_DOUBLE_EQ(LostSeconds(8, 16.5, 7, 8, 2), 0);  // clocks differ
}

TEST(LostTimeTest, IsNoMoreThanOtherProgramsRan) {
  EXPECT_DOUBLE_EQ(LostSeconds(8, 8, 6, 0, 2), 0);  // many threads, all on one of two cores
  EXPECT_DOUBLE_EQ(LostSeconds(8, 8, 6, 1.5, 2), 1.5);
  const CoreTimes before{.machine_us = 9};
  EXPECT_DOUBLE_EQ(OthersSeconds(before, {.cpu_us = 1'000'000, .machine_us = 3'000'009}), 2);
  EXPECT_DOUBLE_EQ(OthersSeconds(before, {.cpu_us = 20'000, .machine_us = 10'000}), 0);
}

TEST(LostTimeTest, IsNotBoundedWhereTheKernelDoesNotTellWhatOthersRan) {
  EXPECT_GT(OthersSeconds({}, {.cpu_us = 1}), 1e9);
}

TEST(LostTimeTest, ReadsWhatTheMachineRan) {
  const std::int64_t tick = 1'000'000 / sysconf(_SC_CLK_TCK);
  EXPECT_EQ(MachineCpuMicroseconds("cpu  1 2 3 400 500 6 7 8 9 9\ncpu0 1 1"), 27 * tick);
  EXPECT_EQ(MachineCpuMicroseconds("cpu  1 2 3"), 0);
  EXPECT_EQ(MachineCpuMicroseconds(""), 0);
}

TEST(LostTimeTest, CountsTheWaitOfTheLivingThreadThatWaitedLongest) {
  const CoreTimes before{1'000'000, 1'000'000, 300'000, 500'000};
  EXPECT_EQ(WaitedMicroseconds(before, {2'000'000, 1'990'000, 700'000, 9'000'000}), 400'000);
}

TEST(LostTimeTest, CountsThePressureWhereThreadsHaveEnded) {
  const CoreTimes before{1'000'000, 1'000'000, 300'000, 500'000};
  EXPECT_EQ(WaitedMicroseconds(before, {2'000'000, 1'100'000, 300'000, 9'000'000}), 8'500'000);
  EXPECT_EQ(WaitedMicroseconds(before, {2'000'000, 1'100'000, 400'000, 500'000}), 100'000);
}

TEST(LostTimeTest, CountsTheWholeWaitOfAProcessThatFollowsAnother) {
  EXPECT_EQ(WaitedMicroseconds({0, 0, 300'000, 0}, {0, 0, 200'000, 0}), 200'000);
}

TEST(LostTimeTest, ReadsThePressureThatTheKernelReports) {
  EXPECT_EQ(PressureMicroseconds("some avg10=1.50 avg60=0.40 avg300=0.10 total=3456789\n"
                                 "full avg10=0.00 avg60=0.00 avg300=0.00 total=0\n"),
            3'456'789);
  EXPECT_EQ(PressureMicroseconds(""), std::nullopt);
  EXPECT_EQ(PressureMicroseconds("full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n"), std::nullopt);
  EXPECT_EQ(PressureMicroseconds("some avg10=0.00\n"), std::nullopt);
}

TEST(HierarchiesTest, FindsVersionsOneAndTwoSideBySide) {
  const Hierarchies found = ParseHierarchies(
      "30 20 0:26 / /sys/fs/cgroup ro - tmpfs tmpfs ro,mode=755\n"
      "31 30 0:27 / /sys/fs/cgroup/unified rw,nosuid shared:9 - cgroup2 cgroup2 rw\n"
      "32 30 0:28 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n"
      "33 30 0:29 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
      "34 30 0:30 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n",
      "8:pids:/\n4:memory:/jobs/7\n2:cpu,cpuacct:/jobs\n0::/user.slice\n");
  EXPECT_EQ(found.v2->own_folder, "/sys/fs/cgroup/unified/user.slice");
  EXPECT_EQ(found.v1_pids->own_folder, "/sys/fs/cgroup/pids");
  EXPECT_EQ(found.v1_memory->own_folder, "/sys/fs/cgroup/memory/jobs/7");
  EXPECT_EQ(found.v1_memory->mount_point, "/sys/fs/cgroup/memory");
  EXPECT_EQ(found.v1_cpu->own_folder, "/sys/fs/cgroup/cpu,cpuacct/jobs");
}

TEST(HierarchiesTest, FindsVersionTwoAlone) {
  const Hierarchies found =
      ParseHierarchies("26 24 0:23 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate\n",
                       "0::/user.slice/user-0.slice/session-2.scope\n");
  EXPECT_EQ(found.v2->own_folder, "/sys/fs/cgroup/user.slice/user-0.slice/session-2.scope");
  EXPECT_FALSE(found.v1_memory.has_value());
  EXPECT_FALSE(found.v1_pids.has_value());
}

TEST(HierarchiesTest, CutsTheMountsRootFromThePathInAContainer) {
  const std::string mounts =
      "26 24 0:23 /docker/abc /sys/fs/cgroup/memory ro - cgroup c rw,memory\n";
  EXPECT_EQ(ParseHierarchies(mounts, "4:memory:/docker/abc/x\n").v1_memory->own_folder,
            "/sys/fs/cgroup/memory/x");
  EXPECT_EQ(ParseHierarchies(mounts, "4:memory:/docker/abc\n").v1_memory->own_folder,
            "/sys/fs/cgroup/memory");
  EXPECT_FALSE(ParseHierarchies(mounts, "4:memory:/docker/abcd\n").v1_memory.has_value());
}

TEST(HierarchiesTest, IgnoresAHierarchyThatItCannotSee) {
  const std::string mounts = "26 24 0:23 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
  EXPECT_FALSE(ParseHierarchies(mounts, "0::/../other\n").v2.has_value());
  EXPECT_FALSE(ParseHierarchies(mounts, "").v2.has_value());
  EXPECT_FALSE(ParseHierarchies("garbage\n - \n", "0::/\n").v2.has_value());
}

TEST(HierarchiesTest, PrefersAnAncestorWhoseChildrenGetLimits) {
  char name[] = "/tmp/hierarchies-XXXXXX";
  ASSERT_NE(mkdtemp(name), nullptr);
  const std::string top = name, slice = top + "/slice", scope = slice + "/scope";
  std::filesystem::create_directories(scope);
  std::ofstream(top + "/cgroup.subtree_control") << "cpu memory pids\n";
  std::ofstream(slice + "/cgroup.subtree_control") << "memory pids\n";
  EXPECT_EQ(ParentsForV2({top, scope}), (std::vector<std::string>{slice, top, scope}));
  EXPECT_EQ(ParentsForV2({slice, scope}), (std::vector<std::string>{slice, scope}));
  std::ofstream(slice + "/cgroup.subtree_control") << "memory\n";
  EXPECT_EQ(ParentsForV2({top, scope}), (std::vector<std::string>{top, scope}));
  std::filesystem::remove_all(top);
}

TEST(FilesTest, FindsTheNumberAfterAWholeKey) {
  const std::string text = "oom_kill_disable 1\nunder_oom 0\noom_kill 7\n";
  EXPECT_EQ(NumberAfter(text, "oom_kill", -1), 7);
  EXPECT_EQ(NumberAfter(text, "oom", -1), -1);
  EXPECT_EQ(NumberAfter("", "oom_kill", -1), -1);
  EXPECT_EQ(NumberAfter("frozen 1", "frozen", 0), 1);
}

TEST(OutcomeTest, IsOneLineOfUtf8WhateverTheProgramPrints) {
  Outcome outcome;
  outcome.kind = "exited";
  outcome.output = "a\"\n\xff\xc3";
  outcome.protections_lost = {"one"};
  EXPECT_EQ(ToJson(outcome), R"({"outcome":"exited","code":0,"signal":0,"wall_s":0.0,"cpu_s":0.0,)"
                             "\"output\":\"a\\\"\\n\xEF\xBF\xBD\xEF\xBF\xBD\","
                             R"("output_truncated":false,"protections_lost":["one"]})"
                             "\n");
}

std::vector<std::string> WithLimits(std::vector<std::string> words) {
  const std::vector<std::string> limits = {"--wall=1",     "--cpu=2",      "--memory-mb=3",
                                           "--pids=4",     "--file-mb=5",  "--tmp-mb=6",
                                           "--stack-mb=7", "--output-kb=8"};
  words.insert(words.begin(), limits.begin(), limits.end());
  return words;
}

TEST(OptionsTest, RequiresEveryLimit) {
  const std::vector<std::string> program = {"--", "/usr/bin/true"};
  EXPECT_NO_THROW(ParseOptions(WithLimits(program)));
  EXPECT_EQ(ParseOptions(WithLimits(program)).spec.stack_mb, 7);
  for (std::size_t left_out = 0; left_out < 8; ++left_out) {
    std::vector<std::string> words = WithLimits(program);
    words.erase(words.begin() + static_cast<long>(left_out));
    EXPECT_THROW(ParseOptions(words), UsageError) << left_out;
  }
}

TEST(OptionsTest, FillsTheSpecification) {
  const Options options = ParseOptions(WithLimits(
      {"--wall", "1.5",     "--memory-mb", "99",           "--ro",   "/a:b",         "/c",
       "--rw",   "/d",      "/e",          "--env",        "K=V=W",  "--to-compile", "--output-kb",
       "7",      "--ranks", "--",          "/usr/bin/g++", "--wall", "--",           "[x,y]"}));
  EXPECT_EQ(options.spec.wall_seconds, 1.5);
  EXPECT_EQ(options.spec.memory_mb, 99);
  EXPECT_EQ(options.output_kb, 7);
  EXPECT_TRUE(options.spec.starts_ranks);
  ASSERT_EQ(options.spec.binds.size(), 2u);
  EXPECT_EQ(options.spec.binds[0].source, "/a:b");
  EXPECT_TRUE(options.spec.binds[1].writable);
  EXPECT_EQ(options.spec.env, (decltype(options.spec.env){{"K", "V=W"}}));
  EXPECT_EQ(options.spec.argv, (std::vector<std::string>{"/usr/bin/g++", "--wall", "--", "[x,y]"}));
}

// In MiB; 0 without a limit.
rlim_t DataLimit(const std::vector<ResourceLimit>& limits) {
  for (const ResourceLimit& limit : limits) {
    if (limit.resource == RLIMIT_DATA) return limit.hard >> 20;
  }
  return 0;
}

TEST(LimitsTest, LimitsEachProcessesMemoryOnlyWhereNothingElseDoes) {
  JailSpec spec;
  spec.memory_mb = 10;
  spec.pids = 3;
  spec.stack_mb = 64;
  EXPECT_EQ(DataLimit(ResourceLimits(spec, true)), 0);
  EXPECT_EQ(DataLimit(ResourceLimits(spec, false)), 10 + 3 * 8);
  spec.huge_address_space = true;
  EXPECT_EQ(DataLimit(ResourceLimits(spec, false)), 0);
}

TEST(LimitsTest, AddsWhatAProgramReservesToItsDataLimit) {
  JailSpec spec;
  spec.memory_mb = 10;
  const rlim_t usual = DataLimit(ResourceLimits(spec, false));
  spec.reserved_mb = 100;
  EXPECT_EQ(DataLimit(ResourceLimits(spec, false)), usual + 100);
  EXPECT_EQ(DataLimit(ResourceLimits(spec, true)), 0);
}

TEST(LimitsTest, RefusesInvalidSpecifications) {
  JailSpec spec;
  spec.memory_mb = spec.pids = spec.file_mb = spec.tmp_mb = spec.stack_mb = 1;
  EXPECT_THROW(Checked(spec), JailError);
  spec.argv = {"/usr/bin/true"};
  EXPECT_NO_THROW(Checked(spec));
  spec.fds = {{0, 64}};
  EXPECT_THROW(Checked(spec), JailError);
  spec.fds = {};
  spec.binds = {{"relative", "/x", false}};
  EXPECT_THROW(Checked(spec), JailError);
  spec.binds = {};
  spec.pids = 0;
  EXPECT_THROW(Checked(spec), JailError);
}

TEST(UnjailedTest, RewritesPathsWhereTheyBegin) {
  const std::vector<Bind> binds = {{"/home/kit", "/kit", false}, {"/home/lib", "/kit/lib", false}};
  EXPECT_EQ(PathsOutside("/kit", binds), "/home/kit");
  EXPECT_EQ(PathsOutside("/kit/include/a.h", binds), "/home/kit/include/a.h");
  EXPECT_EQ(PathsOutside("-I/kit/include", binds), "-I/home/kit/include");
  EXPECT_EQ(PathsOutside("/kit/lib/x.o", binds), "/home/lib/x.o");
  EXPECT_EQ(PathsOutside("--path=/kit:/kit/lib", binds), "--path=/home/kit:/home/lib");
  EXPECT_EQ(PathsOutside("/kitchen", binds), "/kitchen");
  EXPECT_EQ(PathsOutside("/usr/kit/x", binds), "/usr/kit/x");
}

TEST(UserIdTest, NoTwoAreTheSameWhileBothLive) {
  const UserId first(0);
  const UserId second(0);
  EXPECT_NE(first.id(), second.id());
  EXPECT_EQ(UserId(61000).id(), 61000);
}

TEST(OutputCaptureTest, KeepsTheBeginningUpToTheCap) {
  OutputCapture capture(5);
  ASSERT_EQ(write(capture.write_end(), "abcdefgh", 8), 8);
  EXPECT_TRUE(capture.Drain());
  EXPECT_EQ(capture.text(), "abcde");
  EXPECT_TRUE(capture.overflowed());
  capture.CloseWriteEnd();
  EXPECT_FALSE(capture.Drain());
}

TEST(OutputCaptureTest, TheCapItselfIsNoOverflow) {
  OutputCapture capture(5);
  ASSERT_EQ(write(capture.write_end(), "abcde", 5), 5);
  capture.Drain();
  EXPECT_FALSE(capture.overflowed());
}

}  // namespace
}  // namespace grader
