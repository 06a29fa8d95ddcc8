// guard PROGRAM [ARGUMENT...]: runs a lab's test (LAB_GTEST=1 in the environment) and fails it if
// it did not reach its end: after exit(0), a crash, a kill. Any other program is simply run.
// Ends with the program's exit code, 128 + its signal, or 1 if it claimed success too early.

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>

#include "common/cudasim/include/cudasim/exit_code.h"
#include "common/lab/race_checker/race_log.h"
#include "common/lab/test_program/failure_page.h"
#include "common/lab/test_program/progress.h"

namespace {

constexpr int kTrouble = 126;  // as the shell's "cannot execute"

volatile sig_atomic_t child = 0;
volatile sig_atomic_t told_to_stop = 0;

// A test runner sends SIGTERM when the time is up.
void StopChild(int) {
  told_to_stop = 1;
  if (child > 0) kill(child, SIGKILL);
}

// Two lines, and a third that repeats the run if it ended in a test.
void Report(const lab::Progress& progress, const std::string& what, const std::string& next) {
  std::printf("error: %s\n  next: %s\n", what.c_str(), next.c_str());
  if (!progress.running_test().empty()) {
    std::printf("  next: the same inputs again: %s\n", progress.replay_command().c_str());
  }
  std::fflush(stdout);
}

int Run(char** argv) {
  execvp(argv[0], argv);
  std::fprintf(stderr, "error: cannot run: %s: %s\n", argv[0], std::strerror(errno));
  return kTrouble;
}

// Where the program was: "in SumTest.AddsThree".
std::string Place(const lab::Progress& progress) {
  const std::string test = progress.running_test();
  if (!test.empty()) return "in " + test;
  if (progress.finished()) return "after the last test";
  return progress.started() ? "between two tests" : "before the first test";
}

std::string Debugger(const char* program) {
  const std::string first = "a debugger shows the line: ";
  const char* target = std::getenv("TEST_TARGET");
  if (target == nullptr) return first + "gdb --args " + program;
  return first + "bazel run --run_under='gdb --args' " + target +
         "; for a CPU lab, so does: bazel test --config=asan " + target;
}

// What to do about a test whose time is up. Bazel's own limit is a matter of minutes.
std::string AfterTimeLimit(const std::string& test, const char* program) {
  const std::string look =
      "look for an endless loop, a lock that is not released, a thread that waits for an event "
      "that never comes: a missing unlock, notify or post";
  if (test.empty()) return look;
  const std::string next = look + "\n  next: this test alone";
  const char* target = std::getenv("TEST_TARGET");
  if (target == nullptr) return next + ": " + program + " --gtest_filter=" + test;
  return next + ", for at most 10 seconds: bazel test " + target + " --test_filter=" + test +
         " --test_timeout=10";
}

int ReportSignal(const lab::Progress& progress, int signal, const char* program) {
  const std::string name = std::string(strsignal(signal)) + ", signal " + std::to_string(signal);
  if (told_to_stop) {
    Report(progress, "time limit " + Place(progress),
           AfterTimeLimit(progress.running_test(), program));
  } else if (signal == SIGKILL) {
    Report(progress, "killed " + Place(progress) + ": " + name,
           "look for memory that grows without bound: the system kills a program that uses it all");
  } else {
    Report(progress, "crash " + Place(progress) + ": " + name, Debugger(program));
  }
  return 128 + signal;
}

int ReportLateExit(const lab::Progress& progress, int code) {
  const int due = progress.exit_code();
  if (code == due) return code;
  Report(progress,
         "exit code " + std::to_string(code) + " after the last test, limit " + std::to_string(due),
         code == 0 ? "remove what calls exit() when the program ends"
                   : "read the report above: it was written when the program ended");
  return code != 0 ? code : due;
}

std::string AfterEarlyExit(const lab::Progress& progress, int code, bool has_race) {
  if (has_race) return "read the report above";
  if (code == cudasim::kFindingExitCode) {
    return "read the report above: with this code the CUDA simulator ends a program in which it "
           "has found an error";
  }
  const bool silent = code == 0 || !progress.started();
  return silent ? "return from the function: a lab's file never calls exit()"
                : "read the report above; if there is none, look for a call of exit()";
}

int ReportEarlyExit(const lab::Progress& progress, int code, bool has_race) {
  Report(progress, "the program ended " + Place(progress) + ": exit code " + std::to_string(code),
         AfterEarlyExit(progress, code, has_race));
  return code != 0 ? code : 1;
}

std::string HowItEnded(int status) {
  return told_to_stop ? "time_limit" : WIFSIGNALED(status) ? "crash" : "wrong_answer";
}

int ReportEnd(const lab::Progress& progress, int status, const char* program, bool has_race) {
  if (WIFSIGNALED(status)) return ReportSignal(progress, WTERMSIG(status), program);
  const int code = WEXITSTATUS(status);
  return progress.finished() ? ReportLateExit(progress, code)
                             : ReportEarlyExit(progress, code, has_race);
}

// The child's status; false if there is none. Its id may belong to another process as soon as it
// has been waited for, so the signal's handler forgets it before.
bool WaitForChild(pid_t pid, int& status) {
  siginfo_t info;
  while (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) < 0) {
    if (errno != EINTR) return false;
  }
  child = 0;
  return waitpid(pid, &status, 0) == pid;
}

int Guard(char** argv) {
  const lab::Progress progress = lab::Progress::Create();
  const lab::RaceLog races = lab::RaceLog::Redirect();
  const lab::FailurePage page = lab::FailurePage::Prepare();
  struct sigaction stop = {};
  stop.sa_handler = StopChild;
  sigaction(SIGTERM, &stop, nullptr);
  const pid_t guard = getpid();
  const pid_t pid = fork();
  if (pid < 0) {
    std::perror("error: cannot start the test");
    return kTrouble;
  }
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != guard) _exit(kTrouble);
    _exit(Run(argv));
  }
  child = pid;
  if (told_to_stop) kill(pid, SIGKILL);
  int status = 0;
  if (!WaitForChild(pid, status)) return kTrouble;
  const bool has_race = races.Print();
  if (!has_race && status != 0) races.PrintPauses(HowItEnded(status).c_str());
  const int code = ReportEnd(progress, status, argv[0], has_race);
  if (status != 0) page.Write(HowItEnded(status));
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "error: no program\n  next: guard PROGRAM [ARGUMENT...]\n");
    return 2;
  }
  if (std::getenv("LAB_GTEST") == nullptr) return Run(argv + 1);
  try {
    return Guard(argv + 1);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: cannot guard the test: %s\n", error.what());
    return kTrouble;
  }
}
