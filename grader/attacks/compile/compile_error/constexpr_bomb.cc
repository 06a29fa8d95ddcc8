// Hostile: a constexpr loop of four thousand million steps; compiling has limits.
// Or: memory_limit
constexpr unsigned Count() {
  unsigned n = 0;
  for (long i = 0; i < 4'000'000'000; ++i) n += i;
  return n;
}
constexpr unsigned counted = Count();
