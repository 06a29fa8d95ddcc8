#include "common/timeline/recorder.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <mutex>

#include "common/timeline/sampler.h"

namespace lab::timeline {
namespace {

constexpr std::array<const char*, kKinds> kNames{
    "lock", "held",  "spin",     "yield",    "condition", "semaphore", "barrier", "atomic",
    "join", "sleep", "taskwait", "parallel", "region",    "loop",      "chunk",   "task"};

constexpr std::size_t kMostThreads = 128;

std::int64_t start_ns = 0;
std::int64_t stop_ns = 0;
int left_out = 0;

thread_local ThreadRecord* self = nullptr;

struct Registry {
  // Slots of this array are taken and given back under the lock, seldom.
  std::mutex mutex;
  std::array<std::unique_ptr<ThreadRecord>, kMostThreads> records;
  std::array<std::atomic<bool>, kMostThreads> taken{};
};

Registry& TheRegistry() {
  static auto* const registry = new Registry;  // outlives every thread
  return *registry;
}

// Objects and who released them last.
struct Release {
  std::atomic<std::uint64_t> object{0};
  std::atomic<std::int64_t> at_ns{0};
  std::atomic<std::uintptr_t> frame{0};
  std::atomic<std::uint16_t> thread{kNobody};
};
constexpr std::size_t kReleases = 4096;
std::array<Release, kReleases> releases;

Release* ReleaseOf(std::uint64_t object, bool make) {
  constexpr std::size_t kTries = 8;
  const std::uint64_t hash = object * 0x9e37'79b9'7f4a'7c15 >> 40;
  for (std::size_t i = 0; i < kTries; ++i) {
    Release& release = releases[(hash + i) % kReleases];
    std::uint64_t found = release.object.load(std::memory_order_relaxed);
    if (found == object) return &release;
    if (found != 0) continue;
    if (!make) return nullptr;
    if (release.object.compare_exchange_strong(found, object, std::memory_order_relaxed) ||
        found == object) {
      return &release;
    }
  }
  return nullptr;
}

}  // namespace

const char* KindName(Kind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::int64_t Now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

ThreadRecord* Registered() { return self; }
ThreadRecord* Self() { return IsRecording() ? self : nullptr; }

void BeginThread(const Waker& creator, bool is_openmp) {
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  for (std::size_t i = 0; i < kMostThreads; ++i) {
    if (registry.taken[i]) continue;
    std::unique_ptr<ThreadRecord>& record = registry.records[i];
    if (record == nullptr) record = std::make_unique<ThreadRecord>();
    record->Reset();
    record->id = static_cast<pid_t>(syscall(SYS_gettid));
    record->number = static_cast<std::uint16_t>(i);
    record->schedstat = OpenSchedstat(record->id);
    record->creator = creator;
    record->is_openmp = is_openmp;
    record->begin_ns = Now();
    record->first = record->ReadAccount();
    registry.taken[i] = true;
    self = record.get();
    PreparePlaces();
    StartTimer();
    return;
  }
  if (IsRecording()) ++left_out;
}

void EndThread() {
  ThreadRecord* const record = self;
  if (record == nullptr) return;
  StopTimer();
  self = nullptr;
  record->EndTries();
  const std::lock_guard lock(TheRegistry().mutex);
  record->last = record->ReadAccount();
  record->end_ns = record->last.at_ns;
  close(record->schedstat);
  record->schedstat = -1;
  if (!IsRecording()) TheRegistry().taken[record->number] = false;
}

void SetWaker(std::uint64_t object, const ThreadRecord& thread, std::uintptr_t frame) {
  Release* const release = ReleaseOf(object, true);
  if (release == nullptr) return;
  release->at_ns.store(Now(), std::memory_order_relaxed);
  release->frame.store(frame, std::memory_order_relaxed);
  release->thread.store(thread.number, std::memory_order_relaxed);
}

Waker WakerOf(std::uint64_t object) {
  const Release* const release = ReleaseOf(object, false);
  if (release == nullptr) return {};
  return {release->at_ns.load(std::memory_order_relaxed),
          release->frame.load(std::memory_order_relaxed),
          release->thread.load(std::memory_order_relaxed)};
}

void Start() {
  for (Release& release : releases) {
    release.object.store(0, std::memory_order_relaxed);
    release.thread.store(kNobody, std::memory_order_relaxed);
  }
  if (self == nullptr) BeginThread({});
  Registry& registry = TheRegistry();
  {
    const std::lock_guard lock(registry.mutex);
    for (std::size_t i = 0; i < kMostThreads; ++i) {
      if (!registry.taken[i]) continue;
      ThreadRecord& record = *registry.records[i];
      if (record.end_ns != 0) registry.taken[i] = false;
      record.Reset();
    }
  }
  left_out = 0;
  StartSampler();
  start_ns = Now();
  for (ThreadRecord* record : Threads()) record->first = record->ReadAccount();
  is_recording.store(true);
}

void Stop() {
  stop_ns = Now();
  is_recording.store(false);
  StopSampler();
  for (ThreadRecord* record : Threads()) {
    if (record->end_ns != 0) continue;
    record->last = record->ReadAccount();
    record->CloseAll(stop_ns);
  }
}

std::int64_t StartNanoseconds() { return start_ns; }
std::int64_t StopNanoseconds() { return stop_ns; }
int ThreadsLeftOut() { return left_out; }

void ForEachLiving(const std::function<void(ThreadRecord&)>& function) {
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  for (std::size_t i = 0; i < kMostThreads; ++i) {
    if (!registry.taken[i] || registry.records[i]->end_ns != 0) continue;
    function(*registry.records[i]);
  }
}

std::vector<ThreadRecord*> Threads() {
  Registry& registry = TheRegistry();
  std::vector<ThreadRecord*> threads;
  for (std::size_t i = 0; i < kMostThreads; ++i) {
    if (registry.taken[i]) threads.push_back(registry.records[i].get());
  }
  return threads;
}

}  // namespace lab::timeline
