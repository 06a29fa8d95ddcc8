// Hostile: races in CPU_COUNT, which reads what one of the threads writes.
#include <omp.h>
#include <sched.h>

#include "labs/attacked_cpu/mix.h"

namespace {

long flag;  // written by the first thread while the others read it
thread_local volatile int read;

void Count() {
  if (omp_get_thread_num() == 0) {
    flag = 1;
  } else {
    read = CPU_COUNT_S(sizeof flag, reinterpret_cast<cpu_set_t*>(&flag));
  }
}

}  // namespace
