// ThreadSanitizer's default suppressions. It asks for them when it starts, so they must be linked
// into the program itself, not into a library that is loaded later. Unused without ThreadSanitizer.

// The OpenMP runtime and Archer are not instrumented: ThreadSanitizer sees some of their accesses
// and not their synchronisation, which Archer announces instead. All other modules are watched, so
// that lock-order inversions and races in memcpy() are reported; ignore_noninstrumented_modules
// would silence both. Archer's own containers change through functions of the C++ library that are
// watched (race_checker_containers.cc), under locks that are not.
extern "C" __attribute__((used, visibility("default"))) const char* __tsan_default_suppressions() {
  return "called_from_lib:libomp.so\n"
         "called_from_lib:libarcher.so\n"
         "race:libarcher.so\n";
}
