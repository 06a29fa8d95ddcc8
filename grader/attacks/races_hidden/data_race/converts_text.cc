// Hostile: races in strtol, whose second result says how far it has read.
#include <cstdlib>

#include "labs/attacked_cpu/mix.h"

namespace {

unsigned counted;  // by all threads at the same time

char text[] = "1 1 1 1 1 1 1 1";
char* read = text;

void Count() { std::strtol(read < text + 10 ? read : text, &read, 10); }

}  // namespace
