// Hostile: races in the buffer of a stream. The C++ library writes to it, in functions that are not
// instrumented: several threads may print to std::cout at the same time, and ThreadSanitizer would
// report that as a race.
#include <ostream>
#include <streambuf>

#include "labs/attacked_cpu/mix.h"

namespace {

char shared;  // written by all threads at the same time

struct Buffer : std::streambuf {
  Buffer() { setp(&shared, &shared + 1); }
};

void Count() {
  Buffer buffer;
  std::ostream(&buffer).put('x');
}

}  // namespace
