// Hostile: atomic only in the race checker's build; the preprocessed text must be the same in all
// builds.
// Or: data_race

unsigned counted;  // by all threads at the same time

#ifdef __clang__
void Count() { __atomic_fetch_add(&counted, 1, __ATOMIC_SEQ_CST); }
#else
void Count() { ++counted; }
#endif
