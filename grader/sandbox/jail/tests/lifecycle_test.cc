// Starting, freezing, killing and cleaning up.

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "grader/sandbox/jail/files.h"
#include "grader/sandbox/jail/output_capture.h"
#include "grader/sandbox/jail/tests/fixture.h"
#include "grader/sandbox/jail/tests/run_only_on.h"

namespace grader {
namespace {

using LifecycleTest = JailFixture;
using std::chrono::steady_clock;

steady_clock::time_point Soon() { return steady_clock::now() + std::chrono::seconds(10); }

// Waits for bytes on a pipe and takes them.
std::size_t Take(int fd, int milliseconds) {
  pollfd readable{fd, POLLIN, 0};
  if (poll(&readable, 1, milliseconds) <= 0) return 0;
  char block[4096];
  return static_cast<std::size_t>(std::max<ssize_t>(read(fd, block, sizeof block), 0));
}

void ExpectFreezeStops(const JailSpec& ticking) {
  auto [reader, writer] = MakePipe();
  JailSpec spec = ticking;
  spec.fds = {{writer.get(), 1}};
  Jail jail = Jail::Start(spec);
  ASSERT_GT(Take(reader.get(), 5000), 0u) << "it never ran";
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(jail.Freeze(Soon()));
    Take(reader.get(), 0);
    EXPECT_EQ(Take(reader.get(), 60), 0u) << "it ran while frozen";
    jail.Thaw();
    EXPECT_GT(Take(reader.get(), 5000), 0u) << "it does not run again";
  }
}

TEST_F(LifecycleTest, FreezeStopsTheProgramUntilThaw) { ExpectFreezeStops(Attack("tick")); }

TEST_F(LifecycleTest, FreezeStopsTheProgramWithoutACgroup) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become nobody";
  const JailSpec spec = Attack("tick");
  const pid_t child = fork();
  if (child == 0) {
    if (setgid(65534) != 0 || setuid(65534) != 0) _exit(2);
    ExpectFreezeStops(spec);
    _exit(HasFailure());
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST_F(LifecycleTest, FrozenProcessesUseNoTime) {
  Jail jail = Jail::Start(AttackOfMany("spin_in_children"));
  usleep(100'000);
  ASSERT_TRUE(jail.Freeze(Soon()));
  const auto before = jail.Times().cpu_us;
  usleep(100'000);
  EXPECT_EQ(jail.Times().cpu_us, before);
  jail.Thaw();
  usleep(100'000);
  EXPECT_GT(jail.Times().cpu_us, before);
}

TEST_F(LifecycleTest, ThreadsThatSleepWaitForNoCore) {
  Jail jail = Jail::Start(Attack("sleep"));
  usleep(100'000);
  const CoreTimes before = jail.Times();
  usleep(300'000);
  EXPECT_LT(WaitedMicroseconds(before, jail.Times()), 100'000);
}

TEST_F(LifecycleTest, ThreadsOnABusyCoreWait) {
  const OnOneCore pinned;
  ASSERT_TRUE(pinned.holds());
  Jail jail = Jail::Start(AttackOfMany("spin_in_children"));
  Jail other = Jail::Start(AttackOfMany("spin_in_children"));
  usleep(300'000);
  const CoreTimes before = jail.Times();
  usleep(300'000);
  EXPECT_GT(WaitedMicroseconds(before, jail.Times()), 50'000);
}

// Whether this process may make a cgroup that tells its pressure, in either usual place.
bool CgroupsHavePressure() {
  for (const std::string folder : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"}) {
    if (access((folder + "/cpu.pressure").c_str(), R_OK) != 0) continue;
    if (access(folder.c_str(), W_OK) == 0) return true;
  }
  return false;
}

TEST_F(LifecycleTest, ThePressureIsThatOfItsOwnThreads) {
  if (!CgroupsHavePressure()) GTEST_SKIP() << "no cgroup with a cpu.pressure can be made here";
  const OnOneCore pinned;
  ASSERT_TRUE(pinned.holds());
  Jail sleeping = Jail::Start(Attack("sleep"));
  Jail busy = Jail::Start(AttackOfMany("spin_in_children"));
  usleep(300'000);
  const std::int64_t asleep = sleeping.Times().pressure_us, awake = busy.Times().pressure_us;
  usleep(300'000);
  EXPECT_LT(sleeping.Times().pressure_us - asleep, 100'000);
  EXPECT_GT(busy.Times().pressure_us - awake, 200'000);
}

// Keeps every core busy with one thread.
class BusyCores {
 public:
  BusyCores() {
    for (int core = 0; core < get_nprocs(); ++core) {
      threads_.emplace_back([core](const std::stop_token& stop) {
        RunOnlyOn(core);
        while (!stop.stop_requested()) {
        }
      });
    }
  }

 private:
  std::vector<std::jthread> threads_;
};

TEST_F(LifecycleTest, ThePressureIsNoLessThanTheWaitOfAThreadThatChangesItsCore) {
  Jail jail = Jail::Start(Attack("spin_on_every_core"));
  const BusyCores others;
  usleep(300'000);
  const CoreTimes before = jail.Times();
  usleep(600'000);
  const CoreTimes now = jail.Times();
  EXPECT_GT(now.longest_wait_us - before.longest_wait_us, 100'000);
  EXPECT_GE(static_cast<double>(now.pressure_us - before.pressure_us),
            0.9 * static_cast<double>(now.longest_wait_us - before.longest_wait_us));
}

TEST_F(LifecycleTest, KillEndsAFrozenJail) {
  Jail jail = Jail::Start(AttackOfMany("spin_in_children"));
  ASSERT_TRUE(jail.Freeze(Soon()));
  jail.Kill();
  const auto status = jail.Poll();
  ASSERT_TRUE(status.has_value());
  EXPECT_EQ(status->signal, SIGKILL);
}

TEST_F(LifecycleTest, WaitReturnsNothingAtItsDeadline) {
  Jail jail = Jail::Start(Attack("sleep"));
  const auto start = steady_clock::now();
  EXPECT_FALSE(jail.Wait(start + std::chrono::milliseconds(50)).has_value());
  EXPECT_LT(steady_clock::now() - start, std::chrono::seconds(2));
}

TEST_F(LifecycleTest, PassesOnTheExitCode) {
  Jail jail = Jail::Start(System({"/usr/bin/sh", "-c", "exit 7"}));
  const auto status = jail.Wait(Soon());
  ASSERT_TRUE(status.has_value());
  EXPECT_EQ(status->code, 7);
  EXPECT_EQ(status->signal, 0);
}

TEST_F(LifecycleTest, PassesDescriptorsAtTheirNumbersEvenWhenTheyCollide) {
  auto [request_reader, request_writer] = MakePipe();
  auto [reply_reader, reply_writer] = MakePipe();
  JailSpec spec = Attack("answer", {"12", "13"});
  // Each number is the other's source and target.
  const Descriptor twelve(dup2(reply_writer.get(), 12)), thirteen(dup2(request_reader.get(), 13));
  spec.fds = {{13, 12}, {12, 13}};
  Jail jail = Jail::Start(spec);
  ASSERT_EQ(write(request_writer.get(), "hello", 5), 5);
  pollfd answer{reply_reader.get(), POLLIN, 0};
  ASSERT_EQ(poll(&answer, 1, 5000), 1) << "no answer";
  char reply[32] = {};
  EXPECT_GT(read(reply_reader.get(), reply, sizeof reply - 1), 0);
  EXPECT_STREQ(reply, "hello");
}

TEST_F(LifecycleTest, DeathOfTheProgramClosesItsPipes) {
  auto [reader, writer] = MakePipe();
  JailSpec spec = System({"/usr/bin/true"});
  spec.fds = {{writer.get(), 13}};
  Jail jail = Jail::Start(spec);
  writer.Close();
  pollfd end{reader.get(), POLLIN, 0};
  ASSERT_EQ(poll(&end, 1, 5000), 1);
  EXPECT_TRUE(end.revents & POLLHUP);
}

TEST_F(LifecycleTest, EnvironmentIsWhatWasAskedFor) {
  JailSpec spec = System({"/usr/bin/env"});
  spec.env = {{"TSAN_OPTIONS", "exitcode=66 a=b"}};
  EXPECT_EQ(RunAs(User::kOurs, spec).output,
            "PATH=/usr/bin\nHOME=/tmp\nTSAN_OPTIONS=exitcode=66 a=b\nPWD=/tmp\n");
}

TEST_F(LifecycleTest, AslrIsOffOnRequest) {
  JailSpec spec = System({"/grep", "stack", "/proc/self/maps"});
  spec.compiles = false;  // what compiles sees no /proc
  spec.binds = {{"/usr/bin/grep", "/grep", false}};
  spec.disable_aslr = true;
  const std::string first = RunAs(User::kOurs, spec).output;
  EXPECT_EQ(first, RunAs(User::kOurs, spec).output);
  spec.disable_aslr = false;
  EXPECT_NE(first, RunAs(User::kOurs, spec).output);
}

TEST_F(LifecycleTest, JailsAtTheSameTimeHaveDifferentUsers) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give jails user ids of their own";
  std::vector<uid_t> owners;
  std::vector<Jail> jails;
  for (const std::string name : {"first", "second"}) {
    JailSpec spec = System({"/usr/bin/sh", "-c", "touch /out/file; sleep 10"});
    spec.binds = {{MakeFolder(name), "/out", true}};
    jails.push_back(Jail::Start(spec));
    struct stat info {};
    for (int i = 0; i < 500 && stat((folder() + "/" + name + "/file").c_str(), &info) != 0; ++i) {
      usleep(10'000);
    }
    owners.push_back(info.st_uid);
  }
  EXPECT_NE(owners[0], owners[1]);
  EXPECT_NE(owners[0], 0u);
  EXPECT_NE(owners[1], 0u);
}

TEST_F(LifecycleTest, NamesTheSourceThatItsUserCannotReach) {
  if (geteuid() != 0) GTEST_SKIP() << "only a jail of root has another user than the caller";
  const std::string closed = MakeFolder("closed folder");
  chmod(closed.c_str(), 0700);
  JailSpec spec = Attack("sleep");
  spec.binds.push_back({closed + "/file", "/file", false});
  Descriptor(open((closed + "/file").c_str(), O_CREAT | O_WRONLY, 0644));
  const std::string error = RunAs(User::kOurs, spec).kind;
  EXPECT_NE(error.find("the jail cannot read " + closed + "/file"), std::string::npos) << error;
  EXPECT_NE(error.find("cannot enter or read " + closed + ")"), std::string::npos) << error;
  EXPECT_NE(error.find("\n  next: copy the file"), std::string::npos) << error;
}

TEST_F(LifecycleTest, NamesTheProgramThatIsNotThere) {
  const std::string error = RunAs(User::kOurs, System({"/usr/bin/no-such-program"})).kind;
  EXPECT_NE(error.find("the jail cannot execute /usr/bin/no-such-program"), std::string::npos)
      << error;
}

TEST_F(LifecycleTest, NamesTheMountThatFailed) {
  JailSpec spec = System({"/usr/bin/true"});
  spec.binds = {{folder() + "/attack", "/usr/new/place", false}};
  const std::string error = RunAs(User::kOurs, spec).kind;
  EXPECT_NE(error.find("the jail could not be set up: bwrap: Can't"), std::string::npos) << error;
}

TEST_F(LifecycleTest, DaemonDiesWithTheJail) {
  JailSpec spec = AttackOfMany("leave_daemon", {"/out/beats"});
  const std::string out = MakeFolder("out");
  spec.binds.push_back({out, "/out", true});
  EXPECT_EQ(RunAs(User::kOurs, spec).kind, "exited");
  const long size = FileSize(out + "/beats");
  EXPECT_GT(size, 0) << "the daemon never ran";
  usleep(100'000);
  EXPECT_EQ(FileSize(out + "/beats"), size) << "the daemon lives";
}

TEST_F(LifecycleTest, LeavesNoCgroupBehind) {
  const std::string mine = "/grader-jail-" + std::to_string(getpid()) + "-";
  const auto count = [&mine] {
    const auto all = JailCgroups();
    return std::count_if(all.begin(), all.end(), [&](const std::string& path) {
      return path.find(mine) != std::string::npos;
    });
  };
  {
    Jail jail = Jail::Start(AttackOfMany("fork_bomb"));
    EXPECT_TRUE(count() > 0 || Loses("no cgroup to freeze"));
    usleep(50'000);
  }
  EXPECT_EQ(count(), 0);
}

TEST_F(LifecycleTest, NextGraderSweepsWhatAKilledOneLeft) {
  const std::string out = MakeFolder("out");
  JailSpec spec = AttackOfMany("leave_daemon", {"/out/beats", "stay"});
  spec.binds.push_back({out, "/out", true});
  const pid_t grader = fork();
  if (grader == 0) {
    Jail jail = Jail::Start(spec);
    pause();
  }
  for (int i = 0; i < 500 && FileSize(out + "/beats") < 20; ++i) usleep(10'000);
  kill(grader, SIGKILL);
  waitpid(grader, nullptr, 0);
  usleep(100'000);
  const long size = FileSize(out + "/beats");
  EXPECT_GE(size, 20) << "the daemon never ran";
  usleep(100'000);
  EXPECT_EQ(FileSize(out + "/beats"), size) << "the daemon outlived the grader";

  EXPECT_EQ(RunCommand({Stage("jail"), "--probe"}).status, 0);
  for (const std::string& path : JailCgroups()) {
    EXPECT_EQ(path.find("/grader-jail-" + std::to_string(grader) + "-"), std::string::npos) << path;
  }
}

}  // namespace
}  // namespace grader
