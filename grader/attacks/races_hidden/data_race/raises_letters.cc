// Hostile: races in what a locale changes, in a function of the C++ library that is not
// instrumented.
#include <locale>

#include "labs/attacked_cpu/mix.h"

namespace {

char shared = 'a';  // written by all threads at the same time

void Count() {
  std::use_facet<std::ctype<char>>(std::locale::classic()).toupper(&shared, &shared + 1);
}

}  // namespace
