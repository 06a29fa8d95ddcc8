// Hostile: ends with exit code 0 from an entry of .init_array; the checker waits for replies.
// Or: policy
#include <unistd.h>
void End() { _exit(0); }
__attribute__((section(".init_array"), used)) void (*const entry)() = End;
