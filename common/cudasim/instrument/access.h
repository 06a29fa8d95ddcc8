// One memory access of instrumented code, as the compiler's callbacks and the atomics report it.
#pragma once

namespace cudasim {

enum class Operation : unsigned char { kRead, kWrite, kAtomic };

struct Access {
  char* address;
  unsigned bytes;
  Operation operation;
  bool synchronises;               // atomic or volatile
  const void* pc;                  // return address in the user's code
  unsigned order = 0;              // of an atomic access: kBlockScope, ...; see instrumented.h
  bool is_volatile = false;        // synchronises, but is not atomic
  const void* expected = nullptr;  // what a compare-and-swap compares with

  bool writes() const { return operation != Operation::kRead; }
};

}  // namespace cudasim
