#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "grader/sandbox/jail/descriptor.h"

namespace grader {

// A cgroup folder of our own, locked (flock) while its owner lives, so that another process can
// tell a living owner's folder from one that a killed owner left behind.
class CgroupFolder {
 public:
  // nullopt where none can be made in this parent.
  static std::optional<CgroupFolder> Create(const std::string& parent);
  // Removes the folders that dead owners left in this parent, and kills their processes.
  static void SweepStale(const std::string& parent);

  CgroupFolder(CgroupFolder&&) noexcept = default;
  CgroupFolder& operator=(CgroupFolder&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(folder_, other.folder_);
    return *this;
  }
  ~CgroupFolder();  // removes the folder; waits up to 2 s until its last process is gone

  int fd() const { return folder_.get(); }
  // A control file; invalid where the kernel lacks it.
  Descriptor Open(const char* file, int flags) const;
  bool Write(const char* file, std::string_view value) const;
  std::optional<std::string> Read(const char* file) const;
  // True when the process is in the folder or has ended.
  bool Join(pid_t pid) const;
  bool IsEmpty() const;
  void KillAll() const;

 private:
  CgroupFolder(std::string path, Descriptor folder)
      : path_(std::move(path)), folder_(std::move(folder)) {}
  std::string path_;
  Descriptor folder_;
};

// The cgroups of one jail: whatever this machine has for memory, pids and freezing.
class Cgroups {
 public:
  // Makes the folders and sets the limits. Missing hierarchies are no error.
  Cgroups(std::int64_t memory_bytes, long pids);
  Cgroups(const Cgroups&) = delete;
  Cgroups& operator=(const Cgroups&) = delete;

  bool limits_memory() const { return memory_ != nullptr; }
  bool limits_pids() const { return pids_ != nullptr; }
  bool freezes() const { return freeze_.valid() && events_.valid(); }
  bool kills() const { return v2_.has_value(); }
  bool counts_cpu() const { return cpu_.valid(); }

  // The version 2 folder, to start a process in it (CLONE_INTO_CGROUP), or -1.
  int v2_fd() const { return v2_ ? v2_->fd() : -1; }

  // Moves a process into every folder (in_v2: it is in that one). Drops a folder that cannot be
  // joined, with its protection. The first move takes the kernel milliseconds.
  void Join(pid_t pid, bool in_v2);

  // Requires freezes(). Freeze returns false when not everything stopped by the deadline.
  bool Freeze(std::chrono::steady_clock::time_point deadline) const;
  bool Thaw() const;

  // Requires counts_cpu().
  std::int64_t CpuMicroseconds() const;
  // As PressureMicroseconds in lost_time.h, of the jail's own threads; nullopt where the kernel
  // does not tell.
  std::optional<std::int64_t> PressureMicroseconds() const;
  bool OutOfMemory() const;
  bool PidsExceeded() const;
  // Kills all processes in the cgroups and waits until they are gone (2 s at most).
  void KillAll() const;

 private:
  void CreateV2(std::int64_t memory_bytes, long pids);
  void Forget(std::optional<CgroupFolder>& folder);
  bool WaitUntilFrozen(std::chrono::steady_clock::time_point deadline) const;

  std::optional<CgroupFolder> v1_memory_, v1_pids_, v2_;
  const CgroupFolder* memory_ = nullptr;  // the one of the three that limits memory
  const CgroupFolder* pids_ = nullptr;
  Descriptor freeze_, events_, cpu_;  // opened once: Freeze and Thaw are in timed loops
};

}  // namespace grader
