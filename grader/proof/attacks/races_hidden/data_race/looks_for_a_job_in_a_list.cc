// Hostile: looks whether a list is empty without the lock under which another thread appends; what
// the C++ library does outside its headers is seen.
#include <omp.h>

#include <list>
#include <mutex>

std::list<int> jobs;
std::mutex mutex;
thread_local volatile bool none;

void Count() {
  if (omp_get_thread_num() == 0) {
    const std::lock_guard lock(mutex);
    jobs.push_back(1);
    jobs.pop_front();
  } else {
    none = jobs.empty();
  }
}
