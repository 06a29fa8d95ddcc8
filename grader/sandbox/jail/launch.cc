#include "grader/sandbox/jail/launch.h"

#include <errno.h>
#include <linux/sched.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/sandbox/jail/child.h"
#include "grader/sandbox/jail/files.h"

namespace grader {
namespace {

// As fork(), but into a cgroup if it is >= 0, which glibc's fork() cannot do. Until exec the child
// makes only system calls, so it does not need glibc's fork handlers.
pid_t Fork(int cgroup) {
  clone_args arguments{};
  arguments.exit_signal = SIGCHLD;
  if (cgroup >= 0) {
    arguments.flags = CLONE_INTO_CGROUP;
    arguments.cgroup = static_cast<std::uint64_t>(cgroup);
  }
  return static_cast<pid_t>(syscall(SYS_clone3, &arguments, sizeof arguments));
}

// The first folder on the way to the path which this user id cannot enter, or the path.
std::string Obstacle(const std::string& path, int uid) {
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    struct stat info;
    const std::string folder = path.substr(0, slash);
    if (stat(folder.c_str(), &info) != 0) return folder;
    const bool owner = info.st_uid == static_cast<uid_t>(uid);
    if ((info.st_mode & (owner ? S_IXUSR : S_IXOTH)) == 0) return folder;
  }
  return path;
}

std::string DescribeSource(const std::string& source, const LaunchPlan& plan, int error) {
  std::string text = "the jail cannot read " + source + ": " + strerror(error);
  if (error == EACCES && plan.uid >= 0) {
    const std::string obstacle = Obstacle(source, plan.uid);
    return text + " (user id " + std::to_string(plan.uid) + " cannot enter or read " + obstacle +
           ")\n  next: copy the file to a folder that everybody can enter, such as one below /tmp";
  }
  return text + "\n  next: check that the path exists and is readable";
}

std::string Describe(const ChildReport& report, const LaunchPlan& plan) {
  const std::string reason = strerror(report.error);
  switch (report.what) {
    case ChildReport::What::kSource:
      return DescribeSource(plan.sources[static_cast<std::size_t>(report.index)], plan,
                            report.error);
    case ChildReport::What::kDescriptors:
      return "cannot pass descriptor " + std::to_string(report.index) + " to the jail: " + reason +
             "\n  next: check that it is open; raise `ulimit -n`";
    case ChildReport::What::kLimits:
      return "cannot set the jail's limits: " + reason + "\n  next: check `ulimit -H -a`";
    case ChildReport::What::kFilter:
      return "cannot install the system call filter: " + reason +
             "\n  next: use a kernel with seccomp filters";
    case ChildReport::What::kFork:
      return "cannot start a process for the jail: " + reason + "\n  next: check `ulimit -u`";
    default:
      return "cannot execute " + plan.path + ": " + reason + "\n  next: check that it is installed";
  }
}

}  // namespace

Launched StartLaunch(const LaunchPlan& plan) {
  auto [reader, writer] = MakePipe();
  ChildPlan child(plan);
  child.report = writer.get();
  child.parent = getpid();
  Launched launched;
  launched.pid = plan.cgroup >= 0 ? Fork(plan.cgroup) : -1;
  launched.in_cgroup = launched.pid >= 0;
  if (launched.pid < 0) launched.pid = fork();
  if (launched.pid == 0) RunChild(child);
  if (launched.pid < 0) {
    throw JailError(std::string("cannot start a process for the jail: ") + strerror(errno) +
                    "\n  next: check `ulimit -u` and free memory");
  }
  launched.pidfd = Descriptor(static_cast<int>(syscall(SYS_pidfd_open, launched.pid, 0)));
  launched.report = std::move(reader);
  if (launched.pidfd.valid()) return launched;
  kill(launched.pid, SIGKILL);
  waitpid(launched.pid, nullptr, 0);
  throw JailError("this kernel has no pidfd_open\n  next: use Linux 5.3 or newer");
}

LaunchResult FinishLaunch(const LaunchPlan& plan, const Launched& launched) {
  LaunchResult result;
  for (;;) {
    ChildReport report;
    const ssize_t got = read(launched.report.get(), &report, sizeof report);
    if (got < 0 && errno == EINTR) continue;
    if (got != sizeof report) return result;  // closed by exec
    if (report.what == ChildReport::What::kUidKept) {
      result.uid_kept = true;
      continue;
    }
    waitpid(launched.pid, nullptr, 0);
    throw JailError(Describe(report, plan));
  }
}

}  // namespace grader
