// Hostile: a string with a suffix R, then one that begins with a bracket: a scanner that takes R"(
// for a raw string misses the include; the scanner tokenizes like the compiler.

// clang-format off
#define NOTHING(x)
NOTHING("a"R"(")
#include "/usr/include/fcntl.h"
NOTHING(")")
// clang-format on
