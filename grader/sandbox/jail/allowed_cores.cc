#include "grader/sandbox/jail/allowed_cores.h"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <string>

#include "grader/sandbox/jail/files.h"
#include "grader/sandbox/jail/hierarchies.h"

namespace grader {
namespace {

constexpr double kNoQuota = std::numeric_limits<double>::infinity();

std::optional<long> Number(std::string_view text) {
  long number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number <= 0) return std::nullopt;
  return number;
}

// The smallest quota of our cgroup and its ancestors.
template <typename QuotaIn>
double SmallestQuota(const std::optional<Hierarchy>& hierarchy, const QuotaIn& quota_in) {
  double smallest = kNoQuota;
  if (!hierarchy) return smallest;
  std::string folder = hierarchy->own_folder;
  while (folder.size() >= hierarchy->mount_point.size()) {
    smallest = std::min(smallest, quota_in(folder));
    folder.resize(folder.rfind('/'));
  }
  return smallest;
}

double Quota() {
  const double v2 = SmallestQuota(OwnHierarchies().v2, [](const std::string& folder) {
    return QuotaOf(ReadFile(folder + "/cpu.max").value_or(""));
  });
  const double v1 = SmallestQuota(OwnHierarchies().v1_cpu, [](const std::string& folder) {
    return QuotaOf(ReadFile(folder + "/cpu.cfs_quota_us").value_or(""),
                   ReadFile(folder + "/cpu.cfs_period_us").value_or(""));
  });
  return std::min(v1, v2);
}

int CoresOfAffinity() {
  cpu_set_t cores;
  // Fails on machines with more than CPU_SETSIZE cores.
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return CPU_SETSIZE;
  return CPU_COUNT(&cores);
}

}  // namespace

int AllowedCores() {
  const double allowed = std::min<double>(CoresOfAffinity(), Quota());
  return std::max(1, static_cast<int>(allowed));
}

double QuotaOf(std::string_view cpu_max) {
  const std::size_t space = cpu_max.find(' ');
  if (space == std::string_view::npos) return kNoQuota;
  return QuotaOf(cpu_max.substr(0, space), cpu_max.substr(space + 1));
}

double QuotaOf(std::string_view cfs_quota_us, std::string_view cfs_period_us) {
  const std::optional<long> quota = Number(cfs_quota_us);
  const std::optional<long> period = Number(cfs_period_us);
  if (!quota || !period) return kNoQuota;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

}  // namespace grader
