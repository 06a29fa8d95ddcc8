// Hostile: forks while it is loaded, by the C library's fork; its name is not allowed.
#include <unistd.h>
const int child = fork();
