// Hostile: includes the compiler's environment; a path is no header.
#include "/proc/self/environ"
