#pragma once

#include <dlfcn.h>

namespace grader::worker {

// Sets a pointer to the library's function of that name; null if it has none.
template <typename Function>
void FindIn(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
}

}  // namespace grader::worker
