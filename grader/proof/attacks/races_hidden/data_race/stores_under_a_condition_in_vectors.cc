// Hostile: races by stores under a condition in a loop that is vectorised. ThreadSanitizer does not
// instrument stores with a mask.
// Or: runtime_error

int counted[16];  // written by all threads at the same time

volatile int wanted = 1;

[[gnu::noinline, gnu::target("avx2")]] void Store(const int* chosen) {
#pragma omp simd
  for (int i = 0; i < 16; ++i) {
    if (chosen[i] != 0) counted[i] = i;
  }
}

void Count() {
  int chosen[16] = {};
  chosen[3] = wanted;
  Store(chosen);
}
