#include "grader/run/jail/lost_time.h"

#include <algorithm>

namespace grader {

double LostSeconds(double elapsed, double cpu_seconds, double waited_seconds, int cores) {
  return std::max(0.0, std::min(elapsed - cpu_seconds / cores, waited_seconds));
}

}  // namespace grader
