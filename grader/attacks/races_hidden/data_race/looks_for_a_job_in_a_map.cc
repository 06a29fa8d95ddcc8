// Hostile: searches a map without the lock under which another thread inserts; what the C++ library
// does outside its headers is seen.
#include <omp.h>

#include <map>
#include <mutex>

#include "labs/attacked_cpu/mix.h"

namespace {

std::map<int, int> jobs{{1, 1}};
std::mutex mutex;
thread_local volatile bool none;

void Count() {
  if (omp_get_thread_num() == 0) {
    const std::lock_guard lock(mutex);
    jobs[2] = 1;
    jobs.erase(2);
  } else {
    none = jobs.find(1) == jobs.end();
  }
}

}  // namespace
