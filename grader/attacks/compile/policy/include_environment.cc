// Hostile: includes the compiler's environment; a path is not a header name.
#include "/proc/self/environ"
