#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace grader {

// This process's place in one cgroup hierarchy.
struct Hierarchy {
  std::string mount_point;  // "/sys/fs/cgroup/memory"
  std::string own_folder;   // the mount point or a folder below it
};

// The cgroup hierarchies: version 1 has one for each controller, version 2 one for all. A machine
// may have both: then version 2 freezes, kills and counts time, version 1 limits. v1_cpu serves
// AllowedCores() only.
struct Hierarchies {
  std::optional<Hierarchy> v1_cpu;
  std::optional<Hierarchy> v1_memory;
  std::optional<Hierarchy> v1_pids;
  std::optional<Hierarchy> v2;
};

// From the texts of /proc/self/mountinfo and /proc/self/cgroup.
Hierarchies ParseHierarchies(std::string_view mountinfo, std::string_view cgroup);

// Those of the calling process, which must not change its cgroups: read once. Thread-safe.
const Hierarchies& OwnHierarchies();

// The folders in which a version 2 cgroup could be made, best first: those whose children get the
// memory and pids controllers, nearest to our own, then our own, which can only freeze and kill.
// Switches the controllers on in our own folder where the kernel allows that.
std::vector<std::string> ParentsForV2(const Hierarchy& hierarchy);

}  // namespace grader
