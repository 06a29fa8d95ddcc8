// Hostile: ends with exit code 0 before any test; the checker, another process, waits for replies.
#include <unistd.h>
const int ended = (_exit(0), 0);
