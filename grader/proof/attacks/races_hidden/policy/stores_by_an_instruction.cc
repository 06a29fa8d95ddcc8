// Hostile: races in a store by a compiler intrinsic, which the checker does not instrument.
// Or: data_race

unsigned counted;  // by all threads at the same time

int rounds;

void Count() { __builtin_ia32_movnti(&rounds, 1); }
