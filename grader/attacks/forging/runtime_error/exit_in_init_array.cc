// Hostile: the same from a hand-made entry of the initialisers' table.
// Or: policy
#include <unistd.h>
void End() { _exit(0); }
__attribute__((section(".init_array"), used)) void (*const entry)() = End;
