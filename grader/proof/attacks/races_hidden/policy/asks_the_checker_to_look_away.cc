// Hostile: calls the functions that make the race checker ignore accesses; they are not allowed.
// Or: data_race

unsigned counted;  // by all threads at the same time

extern "C" void AnnotateIgnoreWritesBegin(const char*, int) __attribute__((weak));
extern "C" void AnnotateIgnoreReadsBegin(const char*, int) __attribute__((weak));

void Count() {
  if (AnnotateIgnoreWritesBegin) {
    AnnotateIgnoreWritesBegin("", 0);
    AnnotateIgnoreReadsBegin("", 0);
  }
  ++counted;
}
