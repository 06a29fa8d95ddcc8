// Hostile: threads write to one stream without a lock; what the C++ library does outside its
// headers is seen.
#include <sstream>

#include "labs/attacked_cpu/mix.h"

namespace {

std::ostringstream text;

void Count() { text << 1; }

}  // namespace
