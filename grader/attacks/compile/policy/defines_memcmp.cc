// Hostile: a memcmp that finds everything equal; the checker is another process, and names of the C
// library must not be defined.
// Or: accepted
#include <cstddef>
extern "C" int memcmp(const void*, const void*, std::size_t) { return 0; }
