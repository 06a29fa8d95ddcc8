// Hostile: a system call by the numbers of 32-bit programs; asm is not allowed, and the filter
// kills.
// Or: runtime_error
const int tried = [] {
  int result = 20;
  asm volatile("int $0x80" : "+a"(result) : : "memory");
  return result;
}();
