// Names of source files as the compiler was given them; launches and kernels add them.
#pragma once

#include <string>

namespace cudasim {

// `file` lives as long as the program.
void NoteSourceFile(const char* file);

// The noted name that `path` ends with; empty if there is none.
std::string FindSourceFile(const std::string& path);

}  // namespace cudasim
