#include "grader/sandbox/jail/limits.h"

#include <errno.h>
#include <stdio.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace grader {
namespace {

constexpr int kLastDescriptor = 63;
constexpr rlim_t kMegabyte = 1 << 20;
constexpr long kUsualStackMb = 8;  // Linux's default

[[noreturn]] void Refuse(const std::string& what, const std::string& next) {
  throw JailError(what + "\n  next: " + next);
}

void CheckAbsolute(const std::string& path, const char* role) {
  if (path.starts_with('/') && path.find('\0') == std::string::npos) return;
  Refuse(std::string("the jail's ") + role + " is not an absolute path: '" + path + "'",
         "give a path that starts with /");
}

void CheckLimit(long value, const char* name) {
  if (value > 0) return;
  Refuse(std::string("jail limit: ") + name + ": " + std::to_string(value),
         "give a number above 0");
}

// A hard limit can be lowered by anybody but raised by root alone.
ResourceLimit Clamped(ResourceLimit limit) {
  rlimit own{};
  if (getrlimit(static_cast<__rlimit_resource>(limit.resource), &own) != 0) return limit;
  limit.hard = std::min(limit.hard, own.rlim_max);
  limit.soft = std::min(limit.soft, limit.hard);
  return limit;
}

// Since 5.14, Linux counts a user's processes separately in each user namespace.
bool CountsProcessesPerNamespace() {
  utsname name{};
  int major = 0, minor = 0;
  if (uname(&name) != 0 || sscanf(name.release, "%d.%d", &major, &minor) != 2) return false;
  return major > 5 || (major == 5 && minor >= 14);
}

}  // namespace

const JailSpec& Checked(const JailSpec& spec) {
  if (spec.argv.empty()) Refuse("the jail has no program to run", "give its path and arguments");
  CheckAbsolute(spec.argv[0], "program");
  for (const Bind& bind : spec.binds) {
    CheckAbsolute(bind.source, "bind source");
    CheckAbsolute(bind.target, "bind target");
  }
  for (const std::string& device : spec.devices) CheckAbsolute(device, "device");
  for (const auto& [from, to] : spec.fds) {
    if (from >= 0 && to >= 0 && to <= kLastDescriptor) continue;
    Refuse("bad descriptor for the jail: " + std::to_string(from) + " as " + std::to_string(to),
           "use open descriptors and numbers from 0 to 63");
  }
  CheckLimit(spec.memory_mb, "memory");
  CheckLimit(spec.pids, "pids");
  CheckLimit(spec.file_mb, "file size");
  CheckLimit(spec.tmp_mb, "tmp");
  CheckLimit(spec.stack_mb, "stack");
  if (spec.cpu_seconds < 0) Refuse("negative jail limit: cpu", "give a positive number");
  return spec;
}

std::vector<ResourceLimit> ResourceLimits(const JailSpec& spec, bool memory_cgroup) {
  const rlim_t file = static_cast<rlim_t>(spec.file_mb) * kMegabyte;
  const bool limits_data = !memory_cgroup && !spec.huge_address_space;
  const long stack_mb = limits_data ? std::min(spec.stack_mb, kUsualStackMb) : spec.stack_mb;
  const rlim_t stack = static_cast<rlim_t>(stack_mb) * kMegabyte;
  std::vector<ResourceLimit> limits = {
      {RLIMIT_CORE, 0, 0},       {RLIMIT_FSIZE, file, file}, {RLIMIT_STACK, stack, stack},
      {RLIMIT_NOFILE, 256, 256}, {RLIMIT_MEMLOCK, 0, 0},     {RLIMIT_MSGQUEUE, 0, 0},
      {RLIMIT_RTPRIO, 0, 0},     {RLIMIT_NICE, 0, 0},        {RLIMIT_SIGPENDING, 1024, 1024}};
  if (spec.cpu_seconds > 0) {
    // One second of grace between SIGXCPU, which names the cause, and SIGKILL.
    const auto seconds = static_cast<rlim_t>(std::ceil(spec.cpu_seconds));
    limits.push_back({RLIMIT_CPU, seconds, seconds + 1});
  }
  if (limits_data) {
    const rlim_t memory = static_cast<rlim_t>(spec.memory_mb) * kMegabyte;
    const rlim_t reserved = static_cast<rlim_t>(spec.reserved_mb) * kMegabyte;
    const rlim_t data = memory + static_cast<rlim_t>(spec.pids) * stack + reserved;
    limits.push_back({RLIMIT_DATA, data, data});
  }
  for (ResourceLimit& limit : limits) limit = Clamped(limit);
  return limits;
}

int ApplyLimits(const ResourceLimit* limits, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const rlimit limit{limits[i].soft, limits[i].hard};
    if (setrlimit(static_cast<__rlimit_resource>(limits[i].resource), &limit) != 0) return errno;
  }
  return 0;
}

ResourceLimit ProcessLimit(long pids) {
  const auto count = static_cast<rlim_t>(pids + kOwnProcesses);
  return {RLIMIT_NPROC, count, count};
}

bool LimitProcesses(pid_t first, long pids) {
  if (!CountsProcessesPerNamespace()) return false;
  const auto count = static_cast<rlim_t>(pids + 1);  // one of ours is outside the namespace
  const rlimit limit{count, count};
  return prlimit(first, RLIMIT_NPROC, &limit, nullptr) == 0;
}

}  // namespace grader
