// Hostile: calls the operating system by a second name for syscall(): it writes random
// numbers into what others read.

unsigned counted;  // by all threads at the same time

static long Call(long, ...) __attribute__((weakref("syscall")));

unsigned rounds;

void Count() {
  constexpr long kGetRandom = 318;
  const unsigned old = rounds;
  if (Call(kGetRandom, &rounds, sizeof old, 0) < 0) counted = old;
}
