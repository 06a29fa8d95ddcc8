// Hostile: replaces malloc, to stand between the worker and its memory; names of the C library must
// not be defined.
#include <cstddef>
extern "C" void* malloc(std::size_t) { return nullptr; }
