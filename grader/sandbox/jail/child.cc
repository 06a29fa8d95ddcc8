#include "grader/sandbox/jail/child.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace grader {
namespace {

// Above every number that a plan may ask for.
constexpr int kFirstSpare = 128;
constexpr unsigned kCloseRangeCloexec = 4;  // CLOSE_RANGE_CLOEXEC

void Report(const ChildPlan& child, ChildReport::What what, int index, int error) {
  const ChildReport report{what, index, error};
  while (write(child.report, &report, sizeof report) < 0 && errno == EINTR) {
  }
}

[[noreturn]] void Fail(const ChildPlan& child, ChildReport::What what, int index, int error) {
  Report(child, what, index, error);
  _exit(125);
}

void ResetSignals() {
  for (int number = 1; number < 65; ++number) {
    struct sigaction standard = {};
    standard.sa_handler = SIG_DFL;
    sigaction(number, &standard, nullptr);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

void MarkAllCloseOnExec() {
  if (syscall(SYS_close_range, 3u, ~0u, kCloseRangeCloexec) == 0) return;
  const long last = sysconf(_SC_OPEN_MAX);  // before Linux 5.11
  for (int fd = 3; fd < last; ++fd) fcntl(fd, F_SETFD, FD_CLOEXEC);
}

void MoveDescriptors(ChildPlan& child) {
  const auto& fds = child.plan->fds;
  child.report = fcntl(child.report, F_DUPFD_CLOEXEC, kFirstSpare);
  child.go = fcntl(child.plan->go, F_DUPFD_CLOEXEC, kFirstSpare);
  for (std::size_t i = 0; i < fds.size(); ++i) {
    child.moved[i] = fcntl(fds[i].first, F_DUPFD_CLOEXEC, kFirstSpare);
    if (child.moved[i] < 0) Fail(child, ChildReport::What::kDescriptors, fds[i].first, errno);
  }
  MarkAllCloseOnExec();
  for (std::size_t i = 0; i < fds.size(); ++i) {
    if (dup2(child.moved[i], fds[i].second) >= 0) continue;
    Fail(child, ChildReport::What::kDescriptors, fds[i].second, errno);
  }
}

// Raw system calls: the C library's wrappers would try to signal the parent's threads.
void TakeUserId(const ChildPlan& child) {
  const int uid = child.plan->uid;
  if (uid < 0) return;
  const bool taken = syscall(SYS_setgroups, 0, nullptr) == 0 &&
                     syscall(SYS_setresgid, uid, uid, uid) == 0 &&
                     syscall(SYS_setresuid, uid, uid, uid) == 0;
  if (!taken) Report(child, ChildReport::What::kUidKept, 0, errno);
}

void CheckSources(const ChildPlan& child) {
  for (std::size_t i = 0; i < child.sources.size(); ++i) {
    struct stat info;
    const bool folder = stat(child.sources[i], &info) == 0 && S_ISDIR(info.st_mode);
    const int mode = folder ? R_OK | X_OK : R_OK;
    if (access(child.sources[i], mode) == 0) continue;
    Fail(child, ChildReport::What::kSource, static_cast<int>(i), errno);
  }
}

// When the machine runs out of memory, the kernel kills jailed programs first.
void PreferForOomKiller() {
  const int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  if (write(fd, "1000", 4) < 0) errno = 0;  // a refusal costs only this preference
  close(fd);
}

void DieWith(pid_t parent) {
  // After the user id: the kernel forgets this setting when ids change.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(125);
}

void InstallFilter(const ChildPlan& child) {
  const std::string& text = child.plan->filter;
  if (text.empty()) return;
  sock_fprog program{};
  program.len = static_cast<unsigned short>(text.size() / sizeof(sock_filter));
  program.filter = reinterpret_cast<sock_filter*>(const_cast<char*>(text.data()));
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    Fail(child, ChildReport::What::kFilter, 0, errno);
  }
}

[[noreturn]] void Execute(const ChildPlan& child) {
  InstallFilter(child);
  execve(child.plan->path.c_str(), child.argv.data(), child.environment.data());
  Fail(child, ChildReport::What::kExec, 0, errno);
}

// Adopts orphans until the program ends, then exits with its status.
[[noreturn]] void Supervise(pid_t program) {
  for (int fd = 0; fd < kFirstSpare * 2; ++fd) close(fd);
  syscall(SYS_close_range, 0u, ~0u, 0u);
  for (;;) {
    int status = 0;
    const pid_t ended = waitpid(-1, &status, 0);
    if (ended < 0 && errno != EINTR) _exit(125);
    if (ended != program) continue;
    _exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
  }
}

[[noreturn]] void ExecuteSupervised(const ChildPlan& child) {
  char go;
  if (read(child.go, &go, 1) != 1) _exit(125);  // the parent is gone
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const long supervisor = syscall(SYS_getpid);
  const long program = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (program < 0) Fail(child, ChildReport::What::kFork, 0, errno);
  if (program > 0) Supervise(static_cast<pid_t>(program));
  DieWith(static_cast<pid_t>(supervisor));
  setsid();
  if (chdir("/tmp") != 0) Fail(child, ChildReport::What::kExec, 0, errno);
  Execute(child);
}

}  // namespace

ChildPlan::ChildPlan(const LaunchPlan& the_plan) : plan(&the_plan), moved(the_plan.fds.size()) {
  for (const std::string& word : plan->argv) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  for (const std::string& variable : plan->environment) {
    environment.push_back(const_cast<char*>(variable.c_str()));
  }
  environment.push_back(nullptr);
  for (const std::string& source : plan->sources) sources.push_back(source.c_str());
}

void RunChild(ChildPlan& child) {
  ResetSignals();
  MoveDescriptors(child);
  PreferForOomKiller();
  const auto& limits = child.plan->limits;
  if (const int error = ApplyLimits(limits.data(), limits.size()); error != 0) {
    Fail(child, ChildReport::What::kLimits, 0, error);
  }
  TakeUserId(child);
  DieWith(child.parent);
  CheckSources(child);
  if (child.plan->disable_aslr) personality(ADDR_NO_RANDOMIZE);
  if (child.plan->supervised) ExecuteSupervised(child);
  Execute(child);
}

}  // namespace grader
