// What ThreadSanitizer is told when it starts. Belongs to the program itself: a library that is
// loaded later is not asked. Without ThreadSanitizer nobody calls it.

// The OpenMP runtime and Archer are not instrumented: what they do with memory says nothing of what
// orders it. Archer tells of the order. All other calls are watched, so that lock orders are
// reported, and races in memcpy(); ignore_noninstrumented_modules would silence both.
extern "C" __attribute__((used, visibility("default"))) const char* __tsan_default_suppressions() {
  return "called_from_lib:libomp.so\n"
         "called_from_lib:libarcher.so\n";
}
