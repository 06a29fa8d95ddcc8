// Hostile: detects the race checker's build by a variable that has the name of a function of its
// runtime.

extern "C" {
int __isoc99_printf = 1;
}

unsigned counted;  // by all threads at the same time

void Count() {
  if (__isoc99_printf != 1) {
    __atomic_fetch_add(&counted, 1, __ATOMIC_SEQ_CST);
  } else {
    ++counted;
  }
}
