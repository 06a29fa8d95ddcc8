// The lines of compiler-generated functions, as the rewriter lists them: copy constructors and
// assignments have the line of their class's name or of their `= default`.
//
// A report names the line of the copy instead, as the source has it.
#pragma once

#include <cstddef>

namespace cudasim {

// The strings live as long as the program.
struct ClassPlace {
  const char* file;
  int line;
  const char* name;  // of the class, and so of its constructors
};

void NoteClassPlaces(const ClassPlace* places, std::size_t count);

struct ClassPlaces {
  template <std::size_t kCount>
  explicit ClassPlaces(const ClassPlace (&places)[kCount]) {
    NoteClassPlaces(places, kCount);
  }
};

}  // namespace cudasim
