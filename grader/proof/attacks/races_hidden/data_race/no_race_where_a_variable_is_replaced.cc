// Hostile: detects the race checker's build by a variable that has the name of a function of its
// runtime.

extern "C" {
int tempnam = 1;
}

unsigned counted;  // by all threads at the same time

void Count() {
  if (tempnam != 1) {
    __atomic_fetch_add(&counted, 1, __ATOMIC_SEQ_CST);
  } else {
    ++counted;
  }
}
