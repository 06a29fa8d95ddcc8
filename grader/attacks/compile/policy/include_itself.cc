// Hostile: includes itself without end; only the lab's own header may be included by name.
#include "mix.cc"
