// Hostile: hangs, and answers the question where its threads are with names made of its input; only
// names of the library are shown.
// Or: policy, tampering
#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/send.h"

extern "C" const char __ehdr_start __attribute__((visibility("hidden")));  // of the library

// A reply of the worker's, with a text: see grader/run/wire/wire.h.
void TellOfStack(std::uint32_t status, const std::string& text) {
  const auto* word = static_cast<const std::uint64_t*>(__builtin_frame_address(0));
  const std::uint64_t* found = word;
  for (; word + 2 < reinterpret_cast<std::uint64_t*>(environ); ++word) {
    if (*word == 0x3165697277626c72) found = word;
  }
  unsigned char reply[1648] = {};
  memcpy(reply, found, 16);  // the magic number and the random one
  const auto size = static_cast<std::uint32_t>(text.size());
  memcpy(reply + 16, &status, 4);
  memcpy(reply + 20, &size, 4);
  const int signal = 11;
  memcpy(reply + 24, &signal, 4);
  const std::uint64_t stack[] = {1, reinterpret_cast<std::uint64_t>(&TellOfStack) + 8 -
                                        reinterpret_cast<std::uint64_t>(&__ehdr_start)};
  memcpy(reply + 112, stack, sizeof stack);
  memcpy(reply + 624, text.data(), size);
  if (Send(13, reply, sizeof reply) < 0) _exit(1);
}

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  const std::string input(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  for (int second = 0; second < 20 && num_threads > 0; ++second) {
    usleep(1'000'000);
    for (int i = 0; i < 8; ++i) TellOfStack(8, input.c_str());
  }
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = values[i];
}
