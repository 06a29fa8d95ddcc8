#include "grader/sandbox/jail/lost_time.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <sstream>
#include <string>

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

double OthersSeconds(const CoreTimes& before, const CoreTimes& now) {
  if (now.machine_us == 0) return std::numeric_limits<double>::infinity();
  const std::int64_t all = now.machine_us - before.machine_us, own = now.cpu_us - before.cpu_us;
  return 1e-6 * static_cast<double>(std::max<std::int64_t>(0, all - own));
}

double LostSeconds(double elapsed, double cpu_seconds, double waited_seconds, double others_seconds,
                   int cores) {
  return std::max(0.0, std::min({elapsed - cpu_seconds / cores, waited_seconds, others_seconds}));
}

std::optional<std::int64_t> PressureMicroseconds(std::string_view text) {
  constexpr std::string_view kTotal = "total=";
  const std::size_t total = text.find(kTotal);
  if (!text.starts_with("some ") || total == std::string_view::npos) return std::nullopt;
  return std::atoll(std::string(text.substr(total + kTotal.size())).c_str());
}

std::int64_t MachineCpuMicroseconds(const std::string& stat) {
  std::istringstream fields(stat);
  std::string name;
  std::array<std::int64_t, 8> ticks{};  // user nice system idle iowait irq softirq steal
  if (!(fields >> name) || name != "cpu") return 0;
  for (std::int64_t& field : ticks) {
    if (!(fields >> field)) return 0;
  }
  const std::int64_t busy =
      std::accumulate(ticks.begin(), ticks.end(), std::int64_t{0}) - ticks[3] - ticks[4];
  return busy * (1'000'000 / sysconf(_SC_CLK_TCK));
}

}  // namespace grader
