#include "grader/sandbox/checker/stop.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <utility>

namespace grader::checker {
namespace {

int stop_requests = -1;
std::function<void()> the_clean_up;

}  // namespace

void WatchForStop(std::function<void()> clean_up) {
  the_clean_up = std::move(clean_up);
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGQUIT}) sigaddset(&signals, number);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  stop_requests = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  if (stop_requests < 0) sigprocmask(SIG_UNBLOCK, &signals, nullptr);
}

int StopRequests() { return stop_requests; }

void Stop() {
  if (the_clean_up) the_clean_up();
  _exit(kNoResult);
}

}  // namespace grader::checker
