// Hostile: atomic where an attribute makes a type larger, which g++ ignores; attributes are allowed
// by a list of those that all compilers honour.
unsigned counted;  // by all threads at the same time

using Four = unsigned __attribute__((ext_vector_type(4)));

void Count() {
  if constexpr (sizeof(Four) == 4) {
    ++counted;
  } else {
    __atomic_fetch_add(&counted, 1, __ATOMIC_SEQ_CST);
  }
}
