// Hostile: races in a stream, whose library is not instrumented.
#include <sstream>

#include "labs/attacked_cpu/mix.h"

namespace {

unsigned counted;  // by all threads at the same time

unsigned rounds;

void Count() {
  thread_local std::istringstream text;
  text.clear();
  text.str("1");
  text >> rounds;
}

}  // namespace
