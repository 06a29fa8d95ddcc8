// Hostile: a GoogleTest filter that selects no test; the tests run in another process.
// Or: policy
#include <cstdlib>
const int filtered = setenv("GTEST_FILTER", "-*", 1) + setenv("GTEST_SHARD_INDEX", "9", 1);
