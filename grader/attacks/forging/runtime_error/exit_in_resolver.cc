// Hostile: the same while the loader looks for a function, before any initialiser.
// Or: policy
#include <unistd.h>
extern "C" void (*Resolve())() { _exit(0); }
extern "C" void Chosen() __attribute__((ifunc("Resolve")));
void (*volatile use)() = Chosen;
