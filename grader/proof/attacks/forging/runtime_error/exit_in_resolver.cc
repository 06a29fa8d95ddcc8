// Hostile: ends with exit code 0 in an ifunc resolver, before any initialiser; the checker waits
// for replies.
// Or: policy
#include <unistd.h>
extern "C" void (*Resolve())() { _exit(0); }
extern "C" void Chosen() __attribute__((ifunc("Resolve")));
void (*volatile use)() = Chosen;
