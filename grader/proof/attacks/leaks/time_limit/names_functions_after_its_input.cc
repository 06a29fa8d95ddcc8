// Hostile: hangs, and answers the query for its threads' stacks with names made of its input; only
// names of the library are shown.
// Or: policy, tampering
#include <signal.h>
#include <unistd.h>

#include <string>

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/send.h"

extern "C" const char __ehdr_start __attribute__((visibility("hidden")));  // of the library

void TellOfStack(const std::string& text) {
  const std::uint64_t stack[] = {1, reinterpret_cast<std::uint64_t>(&TellOfStack) + 8 -
                                        reinterpret_cast<std::uint64_t>(&__ehdr_start)};
  ForgedReply reply(8, text);
  reply.Put(112, stack, sizeof stack);
  reply.Send();
}

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  const std::string input(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  for (int second = 0; second < 20 && num_threads > 0; ++second) {
    usleep(1'000'000);
    for (int i = 0; i < 8; ++i) TellOfStack(input.c_str());
  }
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = values[i];
}
