#include "common/timing/thread_times.h"

#include <dirent.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string>

namespace lab {
namespace {

// Of "RUN_NS WAIT_NS TURNS\n"; nullopt when the thread is gone.
std::optional<ThreadTimes> Parse(pid_t thread, int file) {
  std::array<char, 96> text;
  const ssize_t size = pread(file, text.data(), text.size(), 0);
  if (size <= 0) return std::nullopt;
  const char* const end = text.data() + size;
  ThreadTimes times{thread, 0, 0, 0};
  const char* number = text.data();
  for (std::int64_t* value : {&times.run_ns, &times.wait_ns, &times.turns}) {
    const auto parsed = std::from_chars(number, end, *value);
    if (parsed.ec != std::errc() || parsed.ptr == end) return std::nullopt;
    number = parsed.ptr + 1;
  }
  return times;
}

}  // namespace

ThreadTable::ThreadTable(pid_t process)
    : process_(process), folder_(opendir(("/proc/" + std::to_string(process) + "/task").c_str())) {}

ThreadTable::~ThreadTable() {
  for (const auto& [thread, file] : files_) close(file);
  if (folder_ != nullptr) closedir(static_cast<DIR*>(folder_));
}

const std::vector<ThreadTimes>& ThreadTable::Read() {
  times_.clear();
  if (folder_ == nullptr) return times_;
  auto* const folder = static_cast<DIR*>(folder_);
  rewinddir(folder);
  while (const dirent* entry = readdir(folder)) {
    if (entry->d_name[0] == '.') continue;
    const pid_t thread = atoi(entry->d_name);
    auto found = files_.find(thread);
    if (found == files_.end()) {
      const std::string path = std::string(entry->d_name) + "/schedstat";
      const int file = openat(dirfd(folder), path.c_str(), O_RDONLY | O_CLOEXEC);
      if (file < 0) continue;
      found = files_.emplace(thread, file).first;
    }
    if (const std::optional<ThreadTimes> times = Parse(thread, found->second)) {
      times_.push_back(*times);
    } else {  // its id may be reused
      close(found->second);
      files_.erase(found);
    }
  }
  return times_;
}

std::int64_t ThreadTable::RunNanoseconds() const {
  clockid_t clock;
  timespec used{};
  if (clock_getcpuclockid(process_, &clock) != 0 || clock_gettime(clock, &used) != 0) return 0;
  return static_cast<std::int64_t>(used.tv_sec) * 1'000'000'000 + used.tv_nsec;
}

bool KernelCountsWaits() {
  // If the kernel counts, a process that has run for a while has times above 0.
  static const bool counts = [] {
    const int file = open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    timespec used{};
    do {
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    } while (used.tv_sec == 0 && used.tv_nsec < 1'000'000);
    usleep(1);  // its times are brought up to date when a thread leaves its core
    const std::optional<ThreadTimes> times = Parse(getpid(), file);
    close(file);
    return times && times->run_ns + times->wait_ns > 0;
  }();
  return counts;
}

}  // namespace lab
