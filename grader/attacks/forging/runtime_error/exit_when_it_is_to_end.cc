// Hostile: takes its last words back: a destructor ends the program with another code at the end.
#include <unistd.h>
struct Last {
  ~Last() { _exit(7); }
} last;
