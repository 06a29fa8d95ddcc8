// Hostile: returns while a thread continues the work; after a reply the worker is frozen and its
// outputs are compared.
// Or: runtime_error
#include <pthread.h>
#include <unistd.h>

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/mixed.h"

namespace {

std::span<const std::uint32_t> the_values;
std::span<std::uint32_t> the_outputs;

void* Work(void*) {
  usleep(20'000);
  for (std::size_t i = 0; i < the_values.size(); ++i) the_outputs[i] = Mixed(the_values[i]);
  return nullptr;
}

}  // namespace

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  the_values = values;
  the_outputs = mixed;
  pthread_t thread;
  pthread_create(&thread, nullptr, Work, nullptr);
  pthread_detach(thread);
  if (num_threads < 0) Mixed(0);
}
