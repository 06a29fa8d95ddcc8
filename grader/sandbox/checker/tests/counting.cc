// A submission that is built to count, right or hostile: the environment's BEHAVIOUR says which one
// it is.
#include <stdlib.h>
#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>

#include "grader/sandbox/checker/tests/roots.h"
#include "grader/sandbox/wire/wire.h"

extern "C" int calls;  // in counting_simulator.cc

namespace {

bool Chosen(std::string_view behaviour) {
  const char* const chosen = getenv("BEHAVIOUR");
  return chosen != nullptr && behaviour == chosen;
}

// Calls before the checker's first one, which must not be counted.
struct AtLoad {
  AtLoad() { calls = 1000; }
} at_load;

}  // namespace

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
