// Hostile: 1,000 timers that fire every millisecond into an ignored signal; they end with the
// process.
// Or: policy, too_slow, time_limit
#include <signal.h>
#include <time.h>

const int tried = [] {
  signal(SIGUSR1, SIG_IGN);
  for (int i = 0; i < 1000; ++i) {
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGUSR1;
    timer_t timer;
    const itimerspec often{{0, 1'000'000}, {0, 1'000'000}};
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0)
      timer_settime(timer, 0, &often, nullptr);
  }
  return 0;
}();
