// Hostile: replaces malloc, to intercept the worker's memory; names of the C library must not be
// defined.
#include <cstddef>
extern "C" void* malloc(std::size_t) { return nullptr; }
