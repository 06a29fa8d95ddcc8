// Hostile: templates that instantiate each other without end; the compiler limits their depth.
template <int N>
int Deep() {
  return Deep<N + 1>();
}
int deep = Deep<0>();
