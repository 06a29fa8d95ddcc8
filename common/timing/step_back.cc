#include "common/timing/step_back.h"

#include <errno.h>
#include <sys/resource.h>

#include <utility>

namespace lab {
namespace {

constexpr int kNicest = 19;

std::optional<int> NicenessOf(pid_t process) {
  errno = 0;
  const int niceness = getpriority(PRIO_PROCESS, static_cast<id_t>(process));
  if (errno != 0) return std::nullopt;
  return niceness;
}

// Tries it on the calling thread, and restores its niceness.
bool MayMakeLessNice() {
  const std::optional<int> own = NicenessOf(0);
  return own && *own > -20 && setpriority(PRIO_PROCESS, 0, *own - 1) == 0 &&
         setpriority(PRIO_PROCESS, 0, *own) == 0;
}

}  // namespace

StepBack::StepBack(pid_t process) {
  if (MayMakeLessNice()) usual_ = NicenessOf(process);
}

StepBack::~StepBack() { Restore(); }

void StepBack::Look(std::span<const ThreadTimes> threads) {
  if (!usual_) return;
  Restore();
  std::int64_t most = 0;
  for (const ThreadTimes& times : threads) {
    const std::int64_t before = std::exchange(run_ns_[times.thread], times.run_ns);
    if (times.run_ns - before <= most) continue;
    most = times.run_ns - before;
    stepped_back_ = times.thread;
  }
  if (!stepped_back_) return;
  setpriority(PRIO_PROCESS, static_cast<id_t>(*stepped_back_), kNicest);
}

void StepBack::Restore() {
  if (!stepped_back_) return;
  // Fails where the thread has ended.
  setpriority(PRIO_PROCESS, static_cast<id_t>(*stepped_back_), *usual_);
  stepped_back_.reset();
}

}  // namespace lab
