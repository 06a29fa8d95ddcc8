// Hostile: forges a reply of the worker with its nonce: a fault with its input as the cause; no
// text of a submission is shown.
// Or: policy, tampering
#include <signal.h>
#include <unistd.h>

#include <string>

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/send.h"

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  const std::string input(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  ForgedReply reply(6, input.c_str());
  const int fault[] = {11, -1};  // SIGSEGV, near no argument
  reply.Put(24, fault, sizeof fault);
  reply.Send();
  if (num_threads > 0) raise(SIGKILL);
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = values[i];
}
