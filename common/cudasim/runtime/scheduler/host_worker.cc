#include "common/cudasim/runtime/scheduler/host_worker.h"

#include <mutex>
#include <vector>

namespace cudasim {
namespace {

struct LeftWorkers {
  std::mutex mutex;
  std::vector<Worker*> workers;
};

// Never destroyed: threads may end after main().
LeftWorkers& Left() {
  static auto* const left = new LeftWorkers;
  return *left;
}

Worker* TakeWorker() {
  LeftWorkers& left = Left();
  const std::lock_guard lock(left.mutex);
  if (left.workers.empty()) return new Worker;
  Worker* const worker = left.workers.back();
  left.workers.pop_back();
  return worker;
}

void LeaveWorker(Worker* worker) {
  LeftWorkers& left = Left();
  const std::lock_guard lock(left.mutex);
  left.workers.push_back(worker);
}

// A plain pointer outlives the guard below: a launch from a later destructor takes a worker anew.
thread_local Worker* mine = nullptr;

struct LeaveAtThreadsEnd {
  ~LeaveAtThreadsEnd() {
    LeaveWorker(mine);
    mine = nullptr;
  }
};

}  // namespace

Worker& HostThreadsWorker() {
  if (mine == nullptr) {
    mine = TakeWorker();
    static thread_local const LeaveAtThreadsEnd guard;
    static_cast<void>(guard);
  }
  return *mine;
}

}  // namespace cudasim
