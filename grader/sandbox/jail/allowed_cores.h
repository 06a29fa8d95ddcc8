#pragma once

#include <string_view>

namespace grader {

// Cores that this process may use by its affinity and its cgroups' quotas, at least 1.
int AllowedCores();

// Cores that a CPU quota allows; infinity without one. From version 2's cpu.max ("200000 100000",
// "max 100000"), or from version 1's two files.
double QuotaOf(std::string_view cpu_max);
double QuotaOf(std::string_view cfs_quota_us, std::string_view cfs_period_us);

}  // namespace grader
