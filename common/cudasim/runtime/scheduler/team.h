// The OS threads that share a grid's blocks.
#pragma once

#include <sched.h>

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "common/cudasim/runtime/scheduler/worker.h"

namespace cudasim {

class Team {
 public:
  static Team& Get();

  // Runs the grid to its end on the calling thread and those that join in.  One call at a time.
  void Run(Grid& grid);

  unsigned size() const { return size_; }

 private:
  Team();
  void Grow();
  void HelpForever();
  void SendElsewhere();

  unsigned size_ = 1;  // threads, the caller's among them
  std::vector<std::thread::native_handle_type> helpers_;
  cpu_set_t allowed_;  // to the process when the team was made
  std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable done_;
  Grid* grid_ = nullptr;  // open to helpers
  unsigned long long generation_ = 0;
  unsigned helping_ = 0;
};

}  // namespace cudasim
