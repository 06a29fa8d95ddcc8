// Hostile: a system call by its 32-bit number; asm is not allowed, and the filter kills the
// process.
// Or: runtime_error
const int tried = [] {
  int result = 20;
  asm volatile("int $0x80" : "+a"(result) : : "memory");
  return result;
}();
