// Hostile: races in the C++ library's own copy of a function of std::string.
#include <string>

#include "labs/attacked_cpu/mix.h"

extern template class std::basic_string<char>;

namespace {

std::string shared;  // changed by all threads at the same time

void (std::string::*volatile resize)(std::size_t) = &std::string::resize;

void Count() { (shared.*resize)(1); }

}  // namespace
