// Hostile: atomic where a template finds a function that only clang has built in; names that belong
// to compilers are allowed by a list of those that all of them know.
unsigned counted;  // by all threads at the same time

template <class T>
concept IsChecked = requires(T value) {
  __builtin_elementwise_max(value, value);
};

template <class T>
void CountAs() {
  if constexpr (IsChecked<T>) {
    __atomic_fetch_add(&counted, T{1}, __ATOMIC_SEQ_CST);
  } else {
    ++counted;
  }
}

void Count() { CountAs<unsigned>(); }
