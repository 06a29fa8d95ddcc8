// Hostile: detects the race checker's build by a function that only its runtime defines.

extern "C" int __isoc99_printf(const char*, ...) __attribute__((weak));

unsigned counted;  // by all threads at the same time

void Count() {
  if (__isoc99_printf) {
    __atomic_fetch_add(&counted, 1, __ATOMIC_SEQ_CST);
  } else {
    ++counted;
  }
}
