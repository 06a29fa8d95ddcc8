// Hostile: races in a function of std::string, which the C++ library has without instrumentation,
// too; the submission calls its own.
#include <string>

#include "labs/attacked_cpu/mix.h"

std::string shared;  // changed by all threads at the same time

// Not inlined.
std::string& (std::string::*volatile assign)(std::size_t, char) = &std::string::assign;

void Count() { (shared.*assign)(1, 'x'); }
