// Hostile: races in atoi, which reads what one of the threads writes.
#include <omp.h>

#include <cstdlib>

#include "labs/attacked_cpu/mix.h"

namespace {

char flag[] = "0";  // written by the first thread while the others read it
thread_local volatile int read;

void Count() {
  if (omp_get_thread_num() == 0) {
    flag[0] = '1';
  } else {
    read = std::atoi(flag);
  }
}

}  // namespace
