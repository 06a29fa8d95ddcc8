// Hostile: a thread in a system call that touches 16 GB of zeros at once, to delay the freeze;
// memory and waiting have limits.
// Or: time_limit, memory_limit, too_slow, runtime_error
#include <pthread.h>
#include <sys/mman.h>

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

namespace {

void* Populate(void*) {
  const std::size_t size = std::size_t{16} << 30;
  void* const zeros =
      mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (zeros != MAP_FAILED) madvise(zeros, size, 22);  // MADV_POPULATE_READ
  return nullptr;
}

}  // namespace

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  pthread_t thread;
  pthread_create(&thread, nullptr, Populate, nullptr);
  pthread_detach(thread);
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = Mixed(values[i]);
}
