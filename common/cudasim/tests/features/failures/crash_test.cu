// Host code that crashes while the simulator handles faults of kernels: the process dies of the
// signal, at once.
#include <signal.h>
#include <unistd.h>

#include <cstring>

#include "common/cudasim/tests/features/test.h"

namespace {

// An emulator of another processor says, too, what the process died of.
constexpr char kHandledOnce[] = "^handled\n(qemu: .*\n)?$";

int* volatile null_pointer = nullptr;

void UseNull() { *null_pointer = 1; }

int Deeper(volatile int* above) {
  if (null_pointer != nullptr) return 0;  // never
  volatile int here[1000];
  here[0] = *above;
  return Deeper(here) + here[0];
}

// In the child process: an alarm ends it if it hangs.
void LaunchFirst() {
  constexpr unsigned kSeconds = 20;
  alarm(kSeconds);
  Nothing<<<1, 1>>>();
  cudaDeviceSynchronize();
}

TEST(CrashTest, HostCodeThatUsesNullDies) {
  EXPECT_EXIT((LaunchFirst(), UseNull()), testing::KilledBySignal(SIGSEGV), "");
}

TEST(CrashTest, ExitHandlerThatUsesNullDies) {
  EXPECT_EXIT((LaunchFirst(), std::atexit(UseNull), std::exit(0)), testing::KilledBySignal(SIGSEGV),
              "");
}

TEST(CrashTest, EndlessRecursionDies) {
  volatile int zero = 0;
  EXPECT_EXIT((LaunchFirst(), Deeper(&zero)), testing::KilledBySignal(SIGSEGV), "");
}

TEST(CrashTest, RaisedSignalKillsAsAFaultDoes) {
  EXPECT_EXIT((LaunchFirst(), raise(SIGSEGV)), testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT((LaunchFirst(), raise(SIGBUS)), testing::KilledBySignal(SIGBUS), "");
}

void SayAndRaiseAgain(int signal) {
  constexpr char kText[] = "handled\n";
  if (write(STDERR_FILENO, kText, std::strlen(kText)) < 0) std::abort();
  raise(signal);
}

// Like the handlers of programs that report their own crash.
void HandleOnce() {
  struct sigaction action {};
  action.sa_handler = SayAndRaiseAgain;
  action.sa_flags = SA_RESETHAND;
  sigaction(SIGSEGV, &action, nullptr);
}

TEST(CrashTest, EarlierHandlerForOneSignalIsCalledOnce) {
  EXPECT_EXIT((HandleOnce(), LaunchFirst(), UseNull()), testing::KilledBySignal(SIGSEGV),
              kHandledOnce);
  EXPECT_EXIT((HandleOnce(), LaunchFirst(), raise(SIGSEGV)), testing::KilledBySignal(SIGSEGV),
              kHandledOnce);
}

}  // namespace
