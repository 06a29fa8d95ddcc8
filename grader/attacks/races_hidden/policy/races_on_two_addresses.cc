// Hostile: maps one file twice and races on two addresses of the same byte, which the checker takes
// for two.
// Or: data_race
#include <omp.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "labs/attacked_cpu/mix.h"

namespace {

unsigned counted;  // by all threads at the same time

unsigned* Map() {
  static const int file = static_cast<int>(syscall(SYS_memfd_create, "twice", 0L));
  if (ftruncate(file, 4096) != 0) __builtin_trap();
  return static_cast<unsigned*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
}
unsigned* const places[] = {Map(), Map(), Map(), Map()};

void Count() { ++*places[omp_get_thread_num() % 4]; }

}  // namespace
