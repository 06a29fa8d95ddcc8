// Hostile: finds the request on its stack and replies with its nonce before the work is done; after
// a reply the worker is frozen and its outputs are compared.
// Or: tampering, policy
#include <unistd.h>

#include <cstring>

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/send.h"

constexpr std::uint64_t kMagic = 0x3165697277626c72;
constexpr std::size_t kReplyBytes = 1648;

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  const auto* word = static_cast<const std::uint64_t*>(__builtin_frame_address(0));
  std::uint64_t head[] = {0, 0, 1};
  for (; word + 2 < reinterpret_cast<std::uint64_t*>(environ); ++word) {
    if (*word == kMagic) memcpy(head, word, 16);
  }
  unsigned char reply[kReplyBytes] = {};
  memcpy(reply, head, sizeof head);
  if (Send(13, reply, sizeof reply) < 0) return;
  usleep(200'000);
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = values[i];
}
