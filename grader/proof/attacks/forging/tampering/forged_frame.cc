// Hostile: a well-formed reply with a guessed nonce; the nonce has 64 bits.

#include <cstring>

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/send.h"

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  unsigned char reply[1648] = {};
  std::uint64_t head[] = {0x3165697277626c72, 7, 1};
  memcpy(reply, head, sizeof head);
  for (int i = 0; i < 3; ++i) {
    if (Send(13, reply, sizeof reply) < 0) break;
  }
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = values[i];
}
