// Hostile: a string with a suffix R, then one of a bracket: a scanner that takes R"( for a raw
// string overlooks the include; whoever reads as the compiler does sees it.

// clang-format off
#define NOTHING(x)
NOTHING("a"R"(")
#include "/usr/include/fcntl.h"
NOTHING(")")
// clang-format on
