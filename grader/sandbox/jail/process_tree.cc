#include "grader/sandbox/jail/process_tree.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <sstream>
#include <string>

#include "grader/sandbox/jail/files.h"

namespace grader {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<pid_t> ThreadsOf(pid_t process) {
  std::vector<pid_t> threads;
  DIR* folder = opendir(("/proc/" + std::to_string(process) + "/task").c_str());
  if (folder == nullptr) return threads;
  while (const dirent* entry = readdir(folder)) {
    if (entry->d_name[0] != '.') threads.push_back(atoi(entry->d_name));
  }
  closedir(folder);
  return threads;
}

// The kernel's letter for a thread's state; 'X' (dead) when it is gone.
char StateOf(pid_t process, pid_t thread) {
  const auto stat =
      ReadFile("/proc/" + std::to_string(process) + "/task/" + std::to_string(thread) + "/stat");
  if (!stat) return 'X';
  const std::size_t name_end = stat->rfind(')');
  if (name_end == std::string::npos || name_end + 2 >= stat->size()) return 'X';
  return (*stat)[name_end + 2];
}

bool IsDead(char state) { return state == 'Z' || state == 'X'; }
bool IsStopped(char state) { return state == 'T' || state == 't'; }

bool AreAtRest(const std::vector<pid_t>& processes) {
  for (const pid_t process : processes) {
    for (const pid_t thread : ThreadsOf(process)) {
      const char state = StateOf(process, thread);
      if (!IsStopped(state) && !IsDead(state)) return false;
    }
  }
  return true;
}

void SendAll(const std::vector<pid_t>& processes, int signal) {
  for (const pid_t process : processes) kill(process, signal);
}

}  // namespace

std::vector<pid_t> Descendants(pid_t first) {
  std::vector<pid_t> found = {first};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::string base = "/proc/" + std::to_string(found[i]) + "/task/";
    for (const pid_t thread : ThreadsOf(found[i])) {
      std::istringstream children(
          ReadFile(base + std::to_string(thread) + "/children").value_or(""));
      for (pid_t child; children >> child;) found.push_back(child);
    }
  }
  found.erase(found.begin());
  return found;
}

bool StopDescendants(pid_t first, Clock::time_point deadline) {
  std::vector<pid_t> before;
  do {
    const std::vector<pid_t> now = Descendants(first);
    SendAll(now, SIGSTOP);
    // The child of a process that forked before it stopped is found in the next pass.
    if (now == before && AreAtRest(now)) return true;
    before = now;
  } while (Clock::now() < deadline);
  return false;
}

void ContinueDescendants(pid_t first) { SendAll(Descendants(first), SIGCONT); }

int SignalThreads(pid_t first, int signal, int limit) {
  int sent = 0;
  for (const pid_t process : Descendants(first)) {
    for (const pid_t thread : ThreadsOf(process)) {
      if (sent == limit) return sent;
      if (syscall(SYS_tgkill, process, thread, signal) == 0) ++sent;
    }
  }
  return sent;
}

void KillDescendants(pid_t first) {
  const auto end = Clock::now() + std::chrono::seconds(2);
  while (Clock::now() < end) {
    const std::vector<pid_t> now = Descendants(first);
    bool living = false;
    for (const pid_t process : now) living |= !IsDead(StateOf(process, process));
    SendAll(now, SIGKILL);
    if (!living) return;
    usleep(1000);
  }
}

std::int64_t DescendantsCpuMicroseconds(pid_t first) {
  std::int64_t total = 0;
  for (const pid_t process : Descendants(first)) {
    clockid_t clock;
    timespec used{};
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &used) != 0) continue;
    total += static_cast<std::int64_t>(used.tv_sec) * 1'000'000 + used.tv_nsec / 1000;
  }
  return total;
}

ThreadTimes TimesOfLivingThreads(pid_t first) {
  ThreadTimes all;
  for (const pid_t process : Descendants(first)) {
    const std::string tasks = "/proc/" + std::to_string(process) + "/task/";
    for (const pid_t thread : ThreadsOf(process)) {
      std::istringstream times(
          ReadFile(tasks + std::to_string(thread) + "/schedstat").value_or(""));
      std::int64_t ran_ns = 0;
      std::int64_t waited_ns = 0;
      if (!(times >> ran_ns >> waited_ns)) continue;
      all.ran_us += ran_ns / 1000;
      all.longest_wait_us = std::max(all.longest_wait_us, waited_ns / 1000);
    }
  }
  return all;
}

}  // namespace grader
