// Code addresses to places in the source, in process: no external program, works inside a jail.
#pragma once

#include <cstddef>
#include <string>

namespace cudasim {

struct Place {
  std::string file;  // as given to the compiler; empty if unknown
  int line = 0;
  std::string function;

  // "file:line", or "an unknown place" without debug information.
  std::string ToString() const;
};

// The place of the call that returns to `return_address`: the innermost frame, inlined ones
// included, that is neither the simulator's nor the standard library's.  Needs -g.  Slow; caches.
// In code that is all the simulator's, an algorithm of Thrust's or CUB's, it is `otherwise`.
Place Locate(const void* return_address, const Place& otherwise);

// The same, where the algorithm is that of the running kernel; not in plain mode.
Place Locate(const void* return_address);

// Where the program calls the algorithm that the running kernel is.
void SetPlaceOfKernel(const Place& place);

// Whether a source file is the standard library's or another of the system.
bool IsSystem(const std::string& file);

// A C++ name as the source has it.
std::string Demangle(const char* name);

// A variable of the program.
struct Symbol {
  std::string name;        // empty if unknown
  std::size_t offset = 0;  // of the address in it, in bytes
};

// The static variable at an address.  Slow.
Symbol FindVariable(const void* address);

}  // namespace cudasim
