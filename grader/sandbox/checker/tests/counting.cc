// A submission that is built to count, right or hostile: the environment's BEHAVIOUR says which one
// it is. Counts its calls in place of the CUDA simulator.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "common/cudasim/include/cudasim/call_account.h"
#include "grader/sandbox/checker/tests/roots.h"
#include "grader/sandbox/wire/wire.h"

namespace {

int calls = 0;

bool Chosen(std::string_view behaviour) {
  const char* const chosen = getenv("BEHAVIOUR");
  return chosen != nullptr && behaviour == chosen;
}

// Calls before the checker's first one, which must not be counted.
struct AtLoad {
  AtLoad() { calls = 1000; }
} at_load;

}  // namespace

extern "C" void cudasimResetProfile() { calls = 0; }

extern "C" int cudasimWriteProfile() {
  std::FILE* const file = std::fopen(getenv("CUDASIM_PROFILE"), "w");
  if (file == nullptr) return -1;
  std::fprintf(file, "{\"calls\": %d}%s\n", calls,
               Chosen("floods") ? std::string(std::size_t{3} << 20, ' ').c_str() : "");
  return std::fclose(file);
}

extern "C" void cudasimBeginCall() {}

extern "C" void cudasimEndCall(CudasimCallAccount* account) {
  if (Chosen("lets_the_host_work")) {
    account->output_bytes_from_host = 65;
    strcpy(account->copy, "cudaMemcpy at roots.cu:41");
  }
  account->unread_inputs = Chosen("reads_no_input") ? 1 : 0;
}

void Roots(std::span<const float> values, std::span<float> roots) {
  ++calls;
  for (std::size_t i = 0; i < values.size(); ++i) roots[i] = std::sqrt(values[i]);
  if (Chosen("wrong") && !values.empty()) roots[0] = -1;
  if (Chosen("closes_the_file")) close(grader::wire::kProfileFd);
  if (Chosen("names_another_file")) setenv("CUDASIM_PROFILE", "/dev/null", 1);
}

void TeamRoots(std::span<const float> values, std::span<float> roots, int /*num_threads*/) {
  Roots(values, roots);
}

double Total(std::span<const double> values, int base) {
  double total = base;
  for (const double value : values) total += value;
  return total;
}
