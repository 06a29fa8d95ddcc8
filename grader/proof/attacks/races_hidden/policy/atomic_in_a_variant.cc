// Hostile: atomic only where clang compiles, by OpenMP's own means; directives that choose between
// functions are not allowed.
unsigned counted;  // by all threads at the same time

void CountAtomically() { __atomic_fetch_add(&counted, 1, __ATOMIC_SEQ_CST); }

#pragma omp declare variant(CountAtomically) match(implementation = {vendor(llvm)})
void CountOne() { ++counted; }

void Count() { CountOne(); }
