#include "grader/sandbox/jail/cgroups.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <sstream>

#include "grader/sandbox/jail/files.h"
#include "grader/sandbox/jail/hierarchies.h"
#include "grader/sandbox/jail/lost_time.h"

namespace grader {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kPrefix = "grader-jail-";
constexpr std::chrono::seconds kTimeout{2};

std::string FreshName() {
  static std::atomic<unsigned> count{0};
  return std::string(kPrefix) + std::to_string(getpid()) + "-" + std::to_string(++count) + "-" +
         std::to_string(Clock::now().time_since_epoch().count());
}

// Opens the folder and locks it; invalid when somebody else holds it or it is gone.
Descriptor OpenLocked(const std::string& path) {
  Descriptor folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  struct stat opened, named;
  if (!folder.valid() || flock(folder.get(), LOCK_EX | LOCK_NB) != 0) return Descriptor();
  // A sweeper may have removed the folder between our open and our lock.
  if (fstat(folder.get(), &opened) != 0 || stat(path.c_str(), &named) != 0) return Descriptor();
  return opened.st_ino == named.st_ino ? std::move(folder) : Descriptor();
}

std::vector<std::string> StaleNames(const std::string& parent) {
  std::vector<std::string> names;
  DIR* folder = opendir(parent.c_str());
  if (folder == nullptr) return names;
  while (const dirent* entry = readdir(folder)) {
    if (std::string_view(entry->d_name).starts_with(kPrefix)) names.emplace_back(entry->d_name);
  }
  closedir(folder);
  return names;
}

void SweepOnce(const std::string& parent) {
  static std::mutex mutex;
  static std::vector<std::string> swept;
  const std::scoped_lock lock(mutex);
  for (const std::string& done : swept) {
    if (done == parent) return;
  }
  swept.push_back(parent);
  CgroupFolder::SweepStale(parent);
}

std::optional<CgroupFolder> CreateIn(const std::string& parent) {
  SweepOnce(parent);
  return CgroupFolder::Create(parent);
}

}  // namespace

std::optional<CgroupFolder> CgroupFolder::Create(const std::string& parent) {
  for (int attempt = 0; attempt < 5; ++attempt) {
    const std::string path = parent + "/" + FreshName();
    if (mkdir(path.c_str(), 0755) != 0) return std::nullopt;
    Descriptor folder = OpenLocked(path);
    if (folder.valid()) return CgroupFolder(path, std::move(folder));
    rmdir(path.c_str());
  }
  return std::nullopt;
}

void CgroupFolder::SweepStale(const std::string& parent) {
  for (const std::string& name : StaleNames(parent)) {
    const std::string path = parent + "/" + name;
    Descriptor folder = OpenLocked(path);
    if (!folder.valid()) continue;  // its owner lives
    const CgroupFolder stale(path, std::move(folder));
    stale.KillAll();
  }
}

CgroupFolder::~CgroupFolder() {
  if (path_.empty() || !folder_.valid()) return;  // moved from
  const auto end = Clock::now() + kTimeout;
  while (rmdir(path_.c_str()) != 0 && errno == EBUSY && Clock::now() < end) usleep(500);
}

Descriptor CgroupFolder::Open(const char* file, int flags) const {
  return Descriptor(openat(folder_.get(), file, flags | O_CLOEXEC));
}

bool CgroupFolder::Write(const char* file, std::string_view value) const {
  const Descriptor control = Open(file, O_WRONLY);
  return control.valid() &&
         write(control.get(), value.data(), value.size()) == static_cast<ssize_t>(value.size());
}

std::optional<std::string> CgroupFolder::Read(const char* file) const {
  const Descriptor control = Open(file, O_RDONLY);
  if (!control.valid()) return std::nullopt;
  return ReadOpenFile(control.get());
}

bool CgroupFolder::Join(pid_t pid) const {
  errno = 0;
  return Write("cgroup.procs", std::to_string(pid)) || errno == ESRCH;
}

bool CgroupFolder::IsEmpty() const { return Read("cgroup.procs").value_or("").empty(); }

void CgroupFolder::KillAll() const {
  const auto end = Clock::now() + kTimeout;
  while (!IsEmpty() && Clock::now() < end) {
    if (!Write("cgroup.kill", "1")) {  // before Linux 5.14, and version 1
      std::istringstream processes(Read("cgroup.procs").value_or(""));
      for (pid_t pid; processes >> pid;) {
        if (pid > 0) kill(pid, SIGKILL);
      }
      Write("cgroup.freeze", "0");
    }
    usleep(200);
  }
}

Cgroups::Cgroups(std::int64_t memory_bytes, long pids) {
  const Hierarchies& own = OwnHierarchies();
  if (own.v1_memory) v1_memory_ = CreateIn(own.v1_memory->own_folder);
  if (v1_memory_) {
    const std::string limit = std::to_string(memory_bytes);
    if (v1_memory_->Write("memory.limit_in_bytes", limit)) memory_ = &*v1_memory_;
    v1_memory_->Write("memory.memsw.limit_in_bytes", limit);  // absent without swap accounting
  }
  if (own.v1_pids) v1_pids_ = CreateIn(own.v1_pids->own_folder);
  if (v1_pids_ && v1_pids_->Write("pids.max", std::to_string(pids))) pids_ = &*v1_pids_;
  if (own.v2) CreateV2(memory_bytes, pids);
}

void Cgroups::CreateV2(std::int64_t memory_bytes, long pids) {
  for (const std::string& parent : ParentsForV2(*OwnHierarchies().v2)) {
    v2_ = CreateIn(parent);
    if (v2_) break;
  }
  if (!v2_) return;
  if (memory_ == nullptr && v2_->Write("memory.max", std::to_string(memory_bytes))) memory_ = &*v2_;
  v2_->Write("memory.swap.max", "0");
  if (pids_ == nullptr && v2_->Write("pids.max", std::to_string(pids))) pids_ = &*v2_;
  freeze_ = v2_->Open("cgroup.freeze", O_WRONLY);
  events_ = v2_->Open("cgroup.events", O_RDONLY);
  cpu_ = v2_->Open("cpu.stat", O_RDONLY);
}

void Cgroups::Forget(std::optional<CgroupFolder>& folder) {
  if (memory_ == &*folder) memory_ = nullptr;
  if (pids_ == &*folder) pids_ = nullptr;
  if (&folder == &v2_) {
    freeze_.Close();
    events_.Close();
    cpu_.Close();
  }
  folder.reset();
}

void Cgroups::Join(pid_t pid, bool in_v2) {
  for (std::optional<CgroupFolder>* folder : {&v1_memory_, &v1_pids_, &v2_}) {
    if (folder == &v2_ && in_v2) continue;
    if (*folder && !(*folder)->Join(pid)) Forget(*folder);
  }
}

bool Cgroups::WaitUntilFrozen(Clock::time_point deadline) const {
  const auto start = Clock::now();
  for (;;) {
    char text[128];
    const ssize_t got = pread(events_.get(), text, sizeof text, 0);
    if (got > 0 && NumberAfter(std::string_view(text, got), "frozen", 0) == 1) return true;
    const auto now = Clock::now();
    if (now > deadline) return false;
    // Blocked processes stop within this time; busy ones need a core first. poll(2) would be no
    // better: the kernel announces changes of this file at most once in 10 ms.
    if (now - start < std::chrono::microseconds(100)) {
      sched_yield();
    } else {
      usleep(20);
    }
  }
}

bool Cgroups::Freeze(Clock::time_point deadline) const {
  return pwrite(freeze_.get(), "1", 1, 0) == 1 && WaitUntilFrozen(deadline);
}

bool Cgroups::Thaw() const { return pwrite(freeze_.get(), "0", 1, 0) == 1; }

std::int64_t Cgroups::CpuMicroseconds() const {
  char text[512];
  const ssize_t got = pread(cpu_.get(), text, sizeof text, 0);
  return got <= 0 ? 0 : NumberAfter(std::string_view(text, got), "usage_usec", 0);
}

std::optional<std::int64_t> Cgroups::PressureMicroseconds() const {
  if (!v2_) return std::nullopt;
  return grader::PressureMicroseconds(v2_->Read("cpu.pressure").value_or(""));
}

bool Cgroups::OutOfMemory() const {
  if (memory_ == nullptr) return false;
  const char* file = v2_ && memory_ == &*v2_ ? "memory.events" : "memory.oom_control";
  return NumberAfter(memory_->Read(file).value_or(""), "oom_kill", 0) > 0;
}

bool Cgroups::PidsExceeded() const {
  return pids_ != nullptr && NumberAfter(pids_->Read("pids.events").value_or(""), "max", 0) > 0;
}

void Cgroups::KillAll() const {
  for (const std::optional<CgroupFolder>* folder : {&v2_, &v1_pids_, &v1_memory_}) {
    if (*folder) (*folder)->KillAll();
  }
}

}  // namespace grader
