#include "grader/sandbox/checker/free_cores.h"

#include <time.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "common/timing/stopwatch.h"
#include "grader/sandbox/jail/allowed_cores.h"

namespace grader::checker {
namespace {

constexpr double kLostToTheSystem = 0.25;
constexpr double kSpinSeconds = 0.05;
constexpr int kMaxMeasurements = 3;

double OwnCpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace

double SpunCores(int threads, double seconds) {
  std::vector<double> cpu_seconds(static_cast<std::size_t>(threads));
  const lab::Stopwatch stopwatch;
  std::vector<std::jthread> spinning;
  for (double& own : cpu_seconds) {
    spinning.emplace_back([&stopwatch, &own, seconds] {
      while (stopwatch.Seconds() < seconds) {
      }
      own = OwnCpuSeconds();
    });
  }
  for (std::jthread& thread : spinning) thread.join();
  const double wall_seconds = stopwatch.Seconds();
  double sum = 0;
  for (const double own : cpu_seconds) sum += own;
  return sum / wall_seconds;
}

int WholeCores(double spun) { return static_cast<int>(spun + kLostToTheSystem); }

int FreeCores(int most) {
  const int wanted = std::min(most, AllowedCores());
  int free = 0;
  for (int i = 0; i < kMaxMeasurements && free < wanted; ++i) {
    free = std::max(free, WholeCores(SpunCores(wanted, kSpinSeconds)));
  }
  return std::min(free, wanted);
}

}  // namespace grader::checker
