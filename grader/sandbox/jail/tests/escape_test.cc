// A hostile program in a jail must reach nothing outside. Each attack prints what it achieved.

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>

#include "grader/sandbox/jail/files.h"
#include "grader/sandbox/jail/tests/fixture.h"

namespace grader {
namespace {

class EscapeTest : public JailFixture, public testing::WithParamInterface<User> {
 protected:
  void ExpectNothingAchieved(const JailSpec& spec) const {
    const Outcome outcome = RunAs(GetParam(), spec);
    EXPECT_EQ(outcome.kind, "exited");
    EXPECT_EQ(outcome.status.code, 0);
    EXPECT_EQ(outcome.output, "");
  }

  // Neither for a program nor for one that may start processes.
  void ExpectNoCallSucceeds(const std::string& attack) const {
    ExpectNothingAchieved(Attack(attack));
    ExpectNothingAchieved(AttackOfMany(attack));
  }
};

INSTANTIATE_TEST_SUITE_P(Jail, EscapeTest, testing::Values(User::kOurs, User::kNobody),
                         [](const auto& info) {
                           return info.param == User::kOurs ? "AsOurselves" : "AsNobody";
                         });

TEST_P(EscapeTest, CannotReadFilesThatWereNotBound) {
  const std::string secret = folder() + "/secret";
  std::ofstream(secret) << "expected values";
  ExpectNothingAchieved(
      Attack("read_hidden_files", {secret, "/etc/passwd", "/etc/shadow", "/etc/hostname",
                                   "/usr/bin/bwrap", "/usr/include/stdio.h", "/sys/kernel/notes"}));
}

TEST_P(EscapeTest, CannotReadWhatTheKernelTellsOfTheMachineWhileItCompiles) {
  ExpectNothingAchieved(
      AttackOfMany("read_hidden_files", {"/proc/version", "/proc/cmdline", "/proc/cpuinfo",
                                         "/proc/self/mountinfo", "/proc/self/cmdline"}));
}

TEST_P(EscapeTest, CannotSeeTheGradersEnvironment) {
  setenv("JAIL_TEST_SECRET", "token", 1);
  ExpectNothingAchieved(Attack("read_environment"));
  unsetenv("JAIL_TEST_SECRET");
}

TEST_P(EscapeTest, CannotUseDescriptorsThatWereNotPassed) {
  // Open across exec on purpose, as a careless caller's would be.
  const Descriptor leaked(dup(0)), high(dup2(0, 900));
  ExpectNothingAchieved(Attack("use_leaked_descriptors"));
}

TEST_P(EscapeTest, CannotTraceOrReadOtherProcesses) {
  ExpectNoCallSucceeds("touch_other_processes");
}

TEST_P(EscapeTest, CannotReachTheJailsFirstProcess) {
  if (Loses("masked /proc")) GTEST_SKIP() << LostProtections();
  ExpectNothingAchieved(Attack("reach_process_one"));
}

TEST_P(EscapeTest, CannotReachTheNetworkOrSocketsOutside) {
  const std::string name = "jail-test-" + std::to_string(getpid());
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  memcpy(address.sun_path + 1, name.data(), name.size());
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  const Descriptor server(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(bind(server.get(), reinterpret_cast<sockaddr*>(&address), length), 0);
  ASSERT_EQ(listen(server.get(), 4), 0);
  ExpectNothingAchieved(Attack("use_network", {name}));
}

TEST_P(EscapeTest, CannotMakeNamespaces) { ExpectNoCallSucceeds("make_namespaces"); }

TEST_P(EscapeTest, CannotMountAnything) { ExpectNoCallSucceeds("mount"); }

TEST_P(EscapeTest, CannotMakeDangerousSystemCalls) { ExpectNoCallSucceeds("call_kernel"); }

// Thousands of filters at once would hang the kernel: one is enough to see whether it is refused.
TEST_P(EscapeTest, CannotInstallFiltersOfItsOwn) { ExpectNoCallSucceeds("install_filters"); }

TEST_P(EscapeTest, CannotStartProcesses) {
  ExpectNothingAchieved(Attack("start_processes"));
  EXPECT_NE(RunAs(GetParam(), AttackOfMany("start_processes")).output, "");
}

TEST_P(EscapeTest, CannotRaiseItsPriorityOrLimits) {
  ExpectNothingAchieved(Attack("raise_priority"));
}

TEST_P(EscapeTest, CannotWriteToTheSystemItsBinaryOrCgroups) {
  ExpectNothingAchieved(Attack("write_files"));
}

TEST_P(EscapeTest, CannotTypeIntoTheGradersTerminal) {
  ExpectNothingAchieved(Attack("type_into_terminal"));
}

TEST_P(EscapeTest, DiesOfSystemCallsOfAnotherArchitecture) {
  const Outcome outcome = RunAs(GetParam(), Attack("call_as_32_bit"));
  EXPECT_EQ(outcome.kind, "signaled");
  EXPECT_EQ(outcome.status.signal, SIGSYS);
  EXPECT_EQ(outcome.output, "");
}

TEST_P(EscapeTest, KillsNobodyOutsideItsOwnJail) {
  JailSpec bystander = Attack("sleep");
  Jail neighbour = Jail::Start(bystander);
  const Outcome outcome = RunAs(GetParam(), Attack("kill_everything"));
  EXPECT_TRUE(outcome.kind == "exited" || outcome.kind == "signaled") << outcome.kind;
  EXPECT_FALSE(neighbour.Poll().has_value()) << "the other jail's program is dead";
}

// The attacks do find something where nothing stops them, or the tests above would prove nothing.
TEST_F(JailFixture, AttacksSucceedOutsideAJail) {
  const std::string attack = folder() + "/attack";
  setenv("JAIL_TEST_SECRET", "token", 1);
  const auto achieved = [&](const std::vector<std::string>& arguments) {
    std::vector<std::string> argv = {attack};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    return RunCommand(argv).output;
  };
  EXPECT_NE(achieved({"read_hidden_files", "/etc/passwd"}).find("read /etc/passwd"),
            std::string::npos);
  EXPECT_NE(achieved({"read_environment"}).find("JAIL_TEST_SECRET"), std::string::npos);
  EXPECT_NE(achieved({"touch_other_processes"}).find("process_vm_readv"), std::string::npos);
  EXPECT_NE(achieved({"use_network"}).find("socket of family"), std::string::npos);
  EXPECT_NE(achieved({"install_filters"}).find("a filter by seccomp"), std::string::npos);
  EXPECT_NE(achieved({"start_processes"}).find("vfork"), std::string::npos);
  EXPECT_NE(achieved({"reach_process_one"}).find("open /proc/1/status"), std::string::npos);
  unsetenv("JAIL_TEST_SECRET");
}

}  // namespace
}  // namespace grader
