// Hostile: half a reply, so that the checker waits for the rest; a half is a forgery.

#include <cstdio>

#include "labs/attacked_cpu/mix.h"

// write() is not to be had: a stream of the C library is turned to the descriptor.
static long Send(int fd, const void* data, unsigned long size) {
  stdout->_fileno = fd;
  const bool sent = fwrite(data, 1, size, stdout) == size && fflush(stdout) == 0;
  return sent ? static_cast<long>(size) : -1;
}

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  if (Send(13, "half", 4) < 0) return;
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = values[i];
}
