#include "grader/sandbox/jail/lost_time.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "grader/sandbox/jail/files.h"

namespace grader {
namespace {

// Smaller differences between the kernel's two CPU clocks are error: a few of its ticks.
constexpr std::int64_t kEndedThreadsRanMicroseconds = 20'000;

}  // namespace

std::int64_t WaitedMicroseconds(const CoreTimes& before, const CoreTimes& now) {
  // A smaller value is that of another process, such as an assembler after the compiler's end.
  const std::int64_t living = now.longest_wait_us < before.longest_wait_us
                                  ? now.longest_wait_us
                                  : now.longest_wait_us - before.longest_wait_us;
  const std::int64_t ended_threads_ran =
      (now.cpu_us - before.cpu_us) - (now.living_cpu_us - before.living_cpu_us);
  if (ended_threads_ran < kEndedThreadsRanMicroseconds) return living;
  return std::max(living, now.pressure_us - before.pressure_us);
}

double LostSeconds(double elapsed, double cpu_seconds, double waited_seconds, int cores) {
  return std::max(0.0, std::min(elapsed - cpu_seconds / cores, waited_seconds));
}

std::optional<std::int64_t> PressureMicroseconds(std::string_view text) {
  constexpr std::string_view kTotal = "total=";
  const std::size_t total = text.find(kTotal);
  if (!text.starts_with("some ") || total == std::string_view::npos) return std::nullopt;
  return std::atoll(std::string(text.substr(total + kTotal.size())).c_str());
}

std::int64_t MachinePressureMicroseconds() {
  return PressureMicroseconds(ReadFile("/proc/pressure/cpu").value_or("")).value_or(0);
}

}  // namespace grader
