// Hostile: a destructor ends the program with another exit code at the end.
#include <unistd.h>
struct Last {
  ~Last() { _exit(7); }
} last;
