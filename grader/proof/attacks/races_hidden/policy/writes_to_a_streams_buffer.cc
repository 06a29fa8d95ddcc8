// Hostile: races in the buffer of a stream, to which the C++ library writes in functions that are
// not instrumented.
#include <ostream>
#include <streambuf>

char shared;  // written by all threads at the same time

struct Buffer : std::streambuf {
  Buffer() { setp(&shared, &shared + 1); }
};

void Count() {
  Buffer buffer;
  std::ostream(&buffer).put('x');
}
