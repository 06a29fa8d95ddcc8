#include "grader/sandbox/jail/jail.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "grader/sandbox/jail/bwrap_arguments.h"
#include "grader/sandbox/jail/bwrap_status.h"
#include "grader/sandbox/jail/cgroups.h"
#include "grader/sandbox/jail/files.h"
#include "grader/sandbox/jail/launch.h"
#include "grader/sandbox/jail/limits.h"
#include "grader/sandbox/jail/process_tree.h"
#include "grader/sandbox/jail/seccomp.h"
#include "grader/sandbox/jail/start_bwrap.h"
#include "grader/sandbox/jail/unjailed.h"
#include "grader/sandbox/jail/user_id.h"

namespace grader {
namespace {

using Clock = std::chrono::steady_clock;

// Lets the jail's user write to the writable binds.
void GiveWritableFolders(const JailSpec& spec, int uid) {
  for (const Bind& bind : spec.binds) {
    if (!bind.writable) continue;
    if (lchown(bind.source.c_str(), static_cast<uid_t>(uid), static_cast<gid_t>(-1)) == 0) continue;
    if (errno == EINVAL) continue;  // no such user id in this container: the jail will keep ours
    throw JailError("cannot give " + bind.source + " to the jail's user: " + strerror(errno) +
                    "\n  next: check that it exists and lies on a disk of this machine");
  }
}

}  // namespace

class Jail::State {
 public:
  explicit State(const JailSpec& spec);
  ~State() { Kill(); }

  bool Freeze(Clock::time_point deadline);
  void Thaw();
  int SignalThreads(int signal, int limit) const {
    return grader::SignalThreads(first_, signal, limit);
  }
  CoreTimes Times() const;
  const Cgroups& cgroups() const { return cgroups_; }
  void Kill() noexcept;
  std::optional<ExitStatus> Wait(int milliseconds);
  int pidfd() const { return launched_.pidfd.get(); }
  pid_t Program() const {
    const std::vector<pid_t> processes = Descendants(first_);
    return processes.empty() ? -1 : processes.front();
  }
  const std::vector<std::string>& lost() const { return lost_; }

 private:
  LaunchPlan CommonPlan();
  void StartJailed();
  void StartUnjailed();
  void ListLostProtections(bool uid_kept, bool limits_processes);
  void Reap(int status);

  JailSpec spec_;
  bool jailed_;
  Cgroups cgroups_;
  std::unique_ptr<UserId> uid_;
  LaunchPlan plan_;
  Launched launched_;
  BwrapStatus status_;
  pid_t first_ = -1;  // of the jail's processes: the one that adopts orphans
  Descriptor first_pidfd_;
  bool reaped_ = false;
  bool killed_ = false;
  std::optional<ExitStatus> exit_;
  std::vector<std::string> lost_;
};

namespace {

// Whether a jail can be started; needed only with allow_unjailed.
bool CanJail() {
  static const bool can = [] {
    if (!FindBwrap()) return false;
    try {
      ProbeProtectionsLost();
      return true;
    } catch (const JailError&) {
      return false;
    }
  }();
  return can;
}

}  // namespace

Jail::State::State(const JailSpec& spec)
    : spec_(Checked(spec)),
      jailed_(!spec.allow_unjailed || CanJail()),
      cgroups_(static_cast<std::int64_t>(spec_.memory_mb) << 20, spec_.pids + kOwnProcesses) {
  if (jailed_ && !FindBwrap()) {
    throw JailError(
        "bubblewrap is not installed, and without it nothing can be jailed"
        "\n  next: `apt-get install bubblewrap` (0.5 or newer), or accept hostile code unjailed "
        "with "
        "--allow-unjailed");
  }
  if (geteuid() == 0) uid_ = std::make_unique<UserId>(spec_.uid);
  if (uid_) GiveWritableFolders(spec_, uid_->id());
  if (jailed_) {
    StartJailed();
  } else {
    StartUnjailed();
  }
}

LaunchPlan Jail::State::CommonPlan() {
  LaunchPlan plan;
  for (const Bind& bind : spec_.binds) plan.sources.push_back(bind.source);
  plan.limits = ResourceLimits(spec_, cgroups_.limits_memory());
  plan.uid = uid_ ? uid_->id() : -1;
  // Not where a cgroup limits pids: RLIMIT_NPROC would be hit first, and nothing reports that.
  if (uid_ && !cgroups_.limits_pids()) plan.limits.push_back(ProcessLimit(spec_.pids));
  plan.cgroup = cgroups_.v2_fd();
  plan.disable_aslr = spec_.disable_aslr;
  return plan;
}

void Jail::State::StartJailed() {
  WaitingBwrap waiting = StartBwrap(spec_, CommonPlan());
  launched_ = std::move(waiting.launched);
  plan_ = std::move(waiting.plan);
  status_ = std::move(waiting.status);
  // Joining takes milliseconds, during which bubblewrap sets up the jail.
  cgroups_.Join(launched_.pid, launched_.in_cgroup);
  LaunchResult result;
  try {
    result = FinishLaunch(plan_, launched_);
    first_ = status_.FirstProcess();
    if (first_ < 0) throw JailError(ExplainFailure(spec_, plan_));
  } catch (...) {
    Kill();
    throw;
  }
  first_pidfd_ = Descriptor(static_cast<int>(syscall(SYS_pidfd_open, first_, 0)));
  cgroups_.Join(first_, launched_.in_cgroup);
  const bool own_uid = uid_ && !result.uid_kept;
  const bool limited = own_uid || (!cgroups_.limits_pids() && LimitProcesses(first_, spec_.pids));
  ListLostProtections(!own_uid, limited);
  // Bubblewrap may be dead by now; Poll will say so.
  if (write(waiting.go.get(), "g", 1) < 0) errno = 0;
}

void Jail::State::StartUnjailed() {
  const JailSpec outside = SpecOutside(spec_);
  plan_ = CommonPlan();
  const Descriptor null(open("/dev/null", O_RDWR | O_CLOEXEC));
  plan_.path = outside.argv[0];
  plan_.argv = outside.argv;
  plan_.environment = {"PATH=/usr/bin:/bin", "HOME=/tmp"};
  for (const auto& [name, value] : outside.env) plan_.environment.push_back(name + "=" + value);
  plan_.fds = WithStandardStreams(spec_, null.get());
  plan_.supervised = true;
  plan_.filter = ProgramFilter(NeedsOf(spec_));
  auto [go_reader, go_writer] = MakePipe();
  plan_.go = go_reader.get();
  launched_ = StartLaunch(plan_);
  first_ = launched_.pid;
  cgroups_.Join(first_, launched_.in_cgroup);
  if (write(go_writer.get(), "g", 1) < 0) errno = 0;  // it is dead: FinishLaunch reports it
  const LaunchResult result = FinishLaunch(plan_, launched_);
  lost_.push_back("no jail: the program sees this machine's files and processes and network");
  ListLostProtections(!uid_ || result.uid_kept, uid_ != nullptr);
}

void Jail::State::ListLostProtections(bool uid_kept, bool limits_processes) {
  if (uid_kept) lost_.push_back("not root: the program runs under the grader's own user id");
  if (!cgroups_.limits_memory()) {
    lost_.push_back(spec_.huge_address_space
                        ? "no memory cgroup: memory is not limited for this program"
                        : "no memory cgroup: memory is limited for each process alone");
  }
  if (!cgroups_.limits_pids()) {
    lost_.push_back(limits_processes
                        ? "no pids cgroup: processes are limited but the excess is not reported"
                        : "no pids cgroup: processes are not limited");
  }
  if (!cgroups_.freezes()) {
    lost_.push_back("no cgroup to freeze: signals stop the program between timed calls");
  }
  if (!cgroups_.counts_cpu()) {
    lost_.push_back("no cgroup to count time: processor time of ended processes is not seen");
  }
  if (jailed_ && ProcIsMasked()) {
    lost_.push_back("masked /proc: the program sees this machine's list of processes");
  }
  if (jailed_ && !FindBwrap()->sizes_tmpfs) {
    lost_.push_back("bubblewrap older than 0.7: /tmp has no size limit of its own");
  }
}

bool Jail::State::Freeze(Clock::time_point deadline) {
  return cgroups_.freezes() ? cgroups_.Freeze(deadline) : StopDescendants(first_, deadline);
}

void Jail::State::Thaw() {
  if (!cgroups_.freezes()) {
    ContinueDescendants(first_);
  } else if (!cgroups_.Thaw()) {
    throw JailError(std::string("cannot thaw the jailed program: ") + strerror(errno) +
                    "\n  next: check that nobody else removes cgroups");
  }
}

CoreTimes Jail::State::Times() const {
  const ThreadTimes living = TimesOfLivingThreads(first_);
  const std::int64_t cpu_us =
      cgroups_.counts_cpu() ? cgroups_.CpuMicroseconds() : DescendantsCpuMicroseconds(first_);
  const std::optional<std::int64_t> own = cgroups_.PressureMicroseconds();
  const std::int64_t machine_us = MachineCpuMicroseconds(ReadFile("/proc/stat").value_or(""));
  return {cpu_us, living.ran_us, living.longest_wait_us, own ? *own * get_nprocs() : machine_us,
          machine_us};
}

void Jail::State::Kill() noexcept {
  killed_ = true;
  if (!jailed_ && !reaped_) KillDescendants(first_);
  cgroups_.KillAll();
  // The kernel kills a PID namespace with its first process.
  for (const int process : {first_pidfd_.get(), launched_.pidfd.get()}) {
    if (process >= 0) syscall(SYS_pidfd_send_signal, process, SIGKILL, nullptr, 0);
  }
  Wait(5000);
  // Readable once the namespace is empty: its first process is the last to go.
  pollfd empty{first_pidfd_.get(), POLLIN, 0};
  if (first_pidfd_.valid()) poll(&empty, 1, 5000);
}

void Jail::State::Reap(int status) {
  reaped_ = true;
  const bool passed_on = WIFEXITED(status) && WEXITSTATUS(status) > 128;
  if (WIFSIGNALED(status)) {
    exit_ = ExitStatus{0, WTERMSIG(status)};
  } else if (passed_on && WEXITSTATUS(status) <= 128 + 64) {
    exit_ = ExitStatus{0, WEXITSTATUS(status) - 128};
  } else {
    exit_ = ExitStatus{WEXITSTATUS(status), 0};
  }
  if (killed_ || !jailed_ || WIFSIGNALED(status) || status_.ProgramWasExecuted()) return;
  exit_.reset();
  throw JailError(ExplainFailure(spec_, plan_));
}

std::optional<ExitStatus> Jail::State::Wait(int milliseconds) {
  if (reaped_ || launched_.pid < 0) return exit_;
  pollfd ended{launched_.pidfd.get(), POLLIN, 0};
  if (poll(&ended, 1, milliseconds) <= 0) return std::nullopt;
  int status = 0;
  if (waitpid(launched_.pid, &status, 0) == launched_.pid) Reap(status);
  return exit_;
}

Jail Jail::Start(const JailSpec& spec) { return Jail(std::make_unique<State>(spec)); }

Jail::Jail(std::unique_ptr<State> state) : state_(std::move(state)) {}
Jail::Jail(Jail&&) noexcept = default;
Jail& Jail::operator=(Jail&&) noexcept = default;
Jail::~Jail() = default;

bool Jail::Freeze(Clock::time_point deadline) { return state_->Freeze(deadline); }
void Jail::Thaw() { state_->Thaw(); }
int Jail::SignalThreads(int signal, int limit) { return state_->SignalThreads(signal, limit); }
CoreTimes Jail::Times() const { return state_->Times(); }
bool Jail::OutOfMemory() const { return state_->cgroups().OutOfMemory(); }
bool Jail::PidsExceeded() const { return state_->cgroups().PidsExceeded(); }
void Jail::Kill() noexcept { state_->Kill(); }
std::optional<ExitStatus> Jail::Poll() { return state_->Wait(0); }
const std::vector<std::string>& Jail::protections_lost() const { return state_->lost(); }
pid_t Jail::Program() const { return state_->Program(); }
int Jail::pidfd() const { return state_->pidfd(); }

std::optional<ExitStatus> Jail::Wait(Clock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    const auto status = state_->Wait(static_cast<int>(std::clamp<long>(left.count(), 0, 60'000)));
    if (status || Clock::now() >= deadline) return status;
  }
}

std::vector<std::string> ProbeProtectionsLost() {
  JailSpec spec;
  spec.argv = {"/usr/bin/true"};
  spec.compiles = true;
  spec.memory_mb = spec.stack_mb = 64;
  spec.pids = spec.file_mb = spec.tmp_mb = 8;
  Jail jail = Jail::Start(spec);
  if (!jail.Wait(Clock::now() + std::chrono::seconds(10))) {
    throw JailError("a jail did not finish `true` in 10 s\n  next: check the machine's load");
  }
  return jail.protections_lost();
}

}  // namespace grader
