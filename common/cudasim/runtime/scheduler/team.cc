#include "common/cudasim/runtime/scheduler/team.h"

#include <algorithm>
#include <system_error>
#include <thread>

#include "common/cudasim/hooks/mode.h"
#include "common/cudasim/runtime/diagnostics/settings.h"
#include "common/cudasim/runtime/scheduler/fault.h"
#include "common/cudasim/runtime/scheduler/grid.h"
#include "common/cudasim/runtime/scheduler/host_worker.h"

namespace cudasim {
namespace {

constexpr unsigned kMaxChunk = 16;

// Check mode is deterministic because one thread runs everything in a fixed order.
unsigned WantedSize() {
  if (kInstrumented) return 1;
  if (const std::optional<unsigned> threads = ThreadsSetting()) return *threads;
  return std::clamp(std::thread::hardware_concurrency(), 1u, kMaxTeam);
}

}  // namespace

Team& Team::Get() {
  static auto* const team = new Team;  // never destroyed: helpers may outlive main()
  return *team;
}

Team::Team() {
  if (sched_getaffinity(0, sizeof(allowed_), &allowed_) != 0) CPU_ZERO(&allowed_);
  Grow();
}

// With fewer threads than wanted (a limit on processes) the grid still runs, only slower.
void Team::Grow() {
  const unsigned wanted = WantedSize();
  try {
    for (; size_ < wanted; ++size_) {
      std::thread helper([this] { HelpForever(); });
      helpers_.push_back(helper.native_handle());
      helper.detach();
    }
  } catch (const std::system_error&) {
  }
}

void Team::HelpForever() {
  static thread_local Worker worker;
  WatchForFaults();
  unsigned long long seen = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    work_.wait(lock, [&] { return grid_ != nullptr && generation_ != seen; });
    seen = generation_;
    Grid& grid = *grid_;
    ++helping_;
    lock.unlock();
    sched_setaffinity(0, sizeof(allowed_), &allowed_);
    worker.Work(grid);
    lock.lock();
    if (--helping_ == 0) done_.notify_one();
  }
}

// Where cores share no cache, the operating system wakes a thread on the core where it last ran,
// even if the waking thread occupies that core, and moves it milliseconds later. So the helpers are
// kept off the caller's core until they run.
void Team::SendElsewhere() {
  cpu_set_t others = allowed_;
  const int here = sched_getcpu();
  if (here < 0 || here >= CPU_SETSIZE) return;
  CPU_CLR(here, &others);
  if (CPU_COUNT(&others) == 0) return;
  for (const auto helper : helpers_) pthread_setaffinity_np(helper, sizeof(others), &others);
}

// Helpers may join late or not at all: the caller does whatever is left.
void Team::Run(Grid& grid) {
  const bool alone = size_ == 1 || grid.blocks == 1;
  grid.chunk = static_cast<unsigned>(
      std::clamp<unsigned long long>(grid.blocks / (16ull * size_), 1, kMaxChunk));
  // A block that waits in grid.sync() stays with its worker: all get a fair share at once.
  if (grid.cooperative) grid.chunk = static_cast<unsigned>((grid.blocks + size_ - 1) / size_);
  // All blocks of a cluster run on one worker.
  grid.chunk = (grid.chunk + grid.cluster_blocks - 1) / grid.cluster_blocks * grid.cluster_blocks;
  if (!alone) {
    const std::lock_guard lock(mutex_);
    grid_ = &grid;
    ++generation_;
    SendElsewhere();
    work_.notify_all();
  }
  HostThreadsWorker().Work(grid);
  if (alone) return;
  std::unique_lock lock(mutex_);
  grid_ = nullptr;
  done_.wait(lock, [&] { return helping_ == 0; });
}

}  // namespace cudasim
