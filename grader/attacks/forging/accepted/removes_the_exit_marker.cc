// Hostile: removes the file by which Bazel notices an early end; the grader does not use it.
// Or: policy
#include <unistd.h>

#include <cstdlib>
const int removed = [] {
  const char* const path = getenv("TEST_PREMATURE_EXIT_FILE");
  return unlink(path ? path : "/tmp/marker");
}();
