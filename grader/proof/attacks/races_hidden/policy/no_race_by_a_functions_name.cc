// Hostile: detects the race checker's build by how the compiler spells a function's name, which is
// not a macro.
// Or: data_race

unsigned counted;  // by all threads at the same time

template <typename T>
constexpr bool IsClang() {
  for (const char* c = __PRETTY_FUNCTION__; *c; ++c) {
    if (c[0] == 'w' && c[1] == 'i' && c[2] == 't' && c[3] == 'h') return false;
  }
  return true;
}

void Count() {
  if (IsClang<int>()) {
    __atomic_fetch_add(&counted, 1, __ATOMIC_SEQ_CST);
  } else {
    ++counted;
  }
}
