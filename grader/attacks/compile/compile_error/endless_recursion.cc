// Hostile: templates that need each other without end; the compiler has a depth, and a limit.
template <int N>
int Deep() {
  return Deep<N + 1>();
}
int deep = Deep<0>();
