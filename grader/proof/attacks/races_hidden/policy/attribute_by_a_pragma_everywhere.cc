// Hostile: switches the race checker off by a pragma in all builds; other compilers ignore it.
// Or: data_race

unsigned counted;  // by all threads at the same time

_Pragma("clang attribute push(__attribute__((no_sanitize(\"thread\"))), apply_to = function)")

    void Count() {
  ++counted;
}

_Pragma("clang attribute pop")
