// Hostile: real-time scheduling, a better nice value, higher limits; the filter and the user
// refuse.
// Or: policy
#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// Called only where the attack succeeded.
[[noreturn]] void Achieved() { __builtin_trap(); }

const int tried = [] {
  const sched_param first{1};
  if (syscall(SYS_setpriority, 0L, 0L, -5L) == 0) Achieved();
  if (syscall(SYS_sched_setscheduler, 0L, 1L, &first) == 0) Achieved();
  if (syscall(SYS_ioprio_set, 1L, 0L, 1L << 13) == 0) Achieved();
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  if (limit.rlim_max != RLIM_INFINITY) {
    limit.rlim_max = RLIM_INFINITY;
    if (syscall(SYS_prlimit64, 0L, RLIMIT_FSIZE, &limit, 0L) == 0) Achieved();
  }
  const int score = open("/proc/self/oom_score_adj", O_WRONLY);
  if (write(score, "-1000", 5) == 5) Achieved();
  return 0;
}();
