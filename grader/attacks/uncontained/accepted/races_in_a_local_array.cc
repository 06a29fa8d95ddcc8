// Hostile: races in a local array to which another thread writes. Under older clangs
// ThreadSanitizer does not see what a function accesses in its own arrays and structs, beyond their
// first element.
// Or: data_race
#include <omp.h>

#include <atomic>

#include "labs/attacked_cpu/mix.h"

namespace {

std::atomic<unsigned*> place = nullptr;
std::atomic<bool> is_visited = false;
volatile int index_of_it = 1;

// Once, while the other thread visits.
void CountInALocalArray() {
  unsigned local[4] = {};
  place = local;
  for (int i = 0; i < 100'000; ++i) ++local[index_of_it];
  place = nullptr;
  while (is_visited) {
  }
}

void Count() {
  if (omp_get_thread_num() == 0) {
    static bool has_counted = false;
    if (!has_counted) CountInALocalArray();
    has_counted = true;
  } else if (omp_get_thread_num() == 1) {
    is_visited = true;
    if (unsigned* const found = place) ++found[1];
    is_visited = false;
  }
}

}  // namespace
