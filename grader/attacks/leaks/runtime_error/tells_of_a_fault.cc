// Hostile: forges a reply of the worker's, random number and all: a fault with its input for the
// cause; no text of a submission is shown.
// Or: policy, tampering
#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "labs/attacked_cpu/mix.h"
#include "labs/attacked_cpu/send.h"

// A reply of the worker's, with a text: see grader/run/wire/wire.h.
void TellOfFault(std::uint32_t status, const std::string& text) {
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
  const int fault[] = {11, -1};  // SIGSEGV, near no argument
  memcpy(reply + 24, fault, sizeof fault);
  memcpy(reply + 624, text.data(), size);
  if (Send(13, reply, sizeof reply) < 0) _exit(1);
}

void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed) {
  const std::string input(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  TellOfFault(6, input.c_str());
  if (num_threads > 0) raise(SIGKILL);
#pragma omp parallel for num_threads(num_threads)
  for (std::size_t i = 0; i < values.size(); ++i) mixed[i] = values[i];
}
