// Hostile: writes result files, and links to other files, where the grader's may be; the jail has
// its own files, and no result is read from them.
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <initializer_list>

#include "labs/attacked_cpu/mix.h"

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  for (const char* path : {"/out/tests.json", "/tmp/tests.json", "/tests.json", "tests.json"}) {
    syscall(SYS_symlink, "/etc/passwd", path);
    if (FILE* file = fopen(path, "w")) fputs("{\"testsuites\": []}", file), fclose(file);
  }
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = values[i];
}
