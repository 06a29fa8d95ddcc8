// Hostile: prints its input like a report of ThreadSanitizer and ends with its exit code; reports
// are rebuilt from their addresses.
// Or: policy, data_race
#include <unistd.h>

#include <cstdio>
#include <string>

#include "labs/attacked_cpu/mix.h"

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  const std::string input(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  fprintf(stderr, "WARNING: ThreadSanitizer: data race (pid=1)\n  Write of size 4 at 0x1 by %s:\n",
          input.c_str());
  fprintf(stderr, "    #0 %s mix.cc:1 (submission.so+0x1000)\n", input.c_str());
  fprintf(stderr, "SUMMARY: ThreadSanitizer: data race %s\n", input.c_str());
  if (num_threads > 0) _exit(66);
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = values[i];
}
